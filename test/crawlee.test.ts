/** The queue for Crawlee, under Crawlee's own crawler. */
import {
  BasicCrawler,
  Configuration,
  log,
  LogLevel,
  Request,
  type BasicCrawlingContext,
} from '@crawlee/basic'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ImportanceQueue, type ImportanceQueueOptions } from '../src/crawler/crawlee/index.ts'
import {
  bestSeed,
  extractLinks,
  serveWeb,
  simulate,
  syntheticGraph,
  webOf,
  type ServedWeb,
} from '../src/index.ts'

const { graph, sites } = syntheticGraph({ pages: 80, sites: 6, seed: 3, linksPerPage: 5 })
const web = webOf({ graph, givenSites: sites })
const { seed, reachable } = bestSeed(graph)
let served: ServedWeb

beforeAll(async () => {
  log.setLevel(LogLevel.OFF)
  served = await serveWeb({ graph, sites })
})
afterAll(() => served.close())

type Options = Omit<ImportanceQueueOptions<Request>, 'Request'>

interface Crawled {
  readonly order: number[]
  readonly queue: ImportanceQueue<Request>
}

const config = (): Configuration => new Configuration({ persistStorage: false })

/** Crawls the web by Crawlee; pages are numbered as in the graph. */
async function crawled(options: Options, maxConcurrency = 1): Promise<Crawled> {
  const queue = new ImportanceQueue({ Request, ...options })
  const order: number[] = []
  const crawler = new BasicCrawler(
    {
      requestQueue: queue.requestQueue,
      requestHandler: queue.handler(async (context: BasicCrawlingContext) => {
        const { request } = context
        order.push(served.pageOf(request.url)!)
        const html = await (await fetch(request.url)).text()
        await context.enqueueLinks({
          urls: extractLinks(html, request.url).map(({ url }) => url),
          strategy: 'all',
        })
      }),
      maxConcurrency,
      statusMessageLoggingInterval: 1000,
    },
    config(),
  )
  await crawler.run([served.urlOf(seed)])
  return { order, queue }
}

async function simulated(
  strategy: 'exact-rankmass' | 'breadth-first' | 'opic',
  pages?: number,
): Promise<{ order: number[]; guaranteed: number | undefined }> {
  let order: number[] = []
  const { runs } = await simulate(web, {
    strategies: [strategy],
    seeds: [seed],
    ...(pages === undefined ? {} : { pages }),
    onRun: (_, { ids }) => (order = [...ids]),
  })
  return { order, guaranteed: runs[0].rankMass?.guaranteed.at(-1)?.[1] }
}

describe('a crawl by Crawlee with the importance queue', () => {
  it.each(['exact-rankmass', 'breadth-first', 'opic'] as const)(
    'has the order of the simulator, by %s',
    async (strategy) => {
      const { order } = await crawled({ strategy, pages: 25 })
      expect(order).toEqual((await simulated(strategy)).order.slice(0, 25))
    },
  )

  it('has the coverage of the simulator, and stops at its page budget', async () => {
    const { order, queue } = await crawled({ pages: 30 })
    const { guaranteed } = await simulated('exact-rankmass', 30)
    expect(order).toHaveLength(30)
    expect(queue.coverage()).toBeCloseTo(guaranteed!, 12)
    expect(queue.stoppedBecause).toBe('pages')
    expect(await queue.handledCount()).toBe(30)
  })

  it('stops at a coverage, and fetches every page once with many requests at a time', async () => {
    const { queue } = await crawled({ coverage: 0.5 })
    expect(queue.coverage()).toBeGreaterThan(0.5)
    expect(queue.stoppedBecause).toBe('coverage')

    const all = await crawled({}, 10)
    expect(all.order).toHaveLength(reachable)
    expect(new Set(all.order).size).toBe(reachable)
    expect(all.queue.coverage()).toBeGreaterThan(0.999)
  })
})

describe('requests', () => {
  let server: Server
  let origin: string
  const requested: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      requested.push(request.url!)
      response.writeHead(request.url === '/broken' ? 500 : 200).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  it('keep their data, are retried, fail for good, and may be added later', async () => {
    const queue = new ImportanceQueue({ Request })
    const seen: string[] = []
    const crawler = new BasicCrawler(
      {
        requestQueue: queue.requestQueue,
        requestHandler: queue.handler(async (context: BasicCrawlingContext) => {
          const { request } = context
          const { status } = await fetch(request.url)
          seen.push(`${new URL(request.url).pathname} ${status} ${request.label ?? ''}`.trimEnd())
          if (status === 500) throw new Error('broken')
          if (request.url === `${origin}/`)
            await context.addRequests([
              `${origin}/broken`,
              { url: `${origin}/a`, label: 'list' },
              `${origin}/`,
            ])
        }),
        maxRequestRetries: 1,
        maxConcurrency: 1,
        statusMessageLoggingInterval: 1000,
      },
      config(),
    )
    await crawler.run([`${origin}/`])
    expect(seen.toSorted()).toEqual(['/ 200', '/a 200 list', '/broken 500', '/broken 500'])
    // The failed page is not obtainable, so nothing is missing.
    expect(queue.coverage()).toBeCloseTo(1, 6)
    expect([queue.getTotalCount(), queue.getPendingCount(), await queue.isFinished()]).toEqual([3, 0, true])

    const [added] = (await crawler.addRequests([`${origin}/a`])).addedRequests
    expect(added).toMatchObject({ wasAlreadyPresent: true, wasAlreadyHandled: true })
    await crawler.addRequests([`${origin}/late`])
    await crawler.run()
    expect(requested.at(-1)).toBe('/late')
  })

  it('that a handler adds without awaiting it are not lost', async () => {
    const queue = new ImportanceQueue({ Request })
    await queue.addRequest('http://a.example/')
    const request = (await queue.fetchNextRequest()) as Request
    let isMarked = (): void => {}
    const marked = new Promise<void>((resolve) => (isMarked = resolve))
    let late: Promise<unknown> | undefined
    await queue.handler(() => {
      late = marked.then(() => queue.addRequest('http://a.example/late'))
    })({ request })
    await queue.markRequestHandled(request)
    isMarked()
    await late
    expect(await queue.fetchNextRequest()).toMatchObject({ url: 'http://a.example/late' })
  })

  it('to one site wait for its gap', async () => {
    const queue = new ImportanceQueue({ Request, wait: 600 })
    await queue.addRequestsBatched([`${origin}/x`, `${origin}/y`, 'http://127.0.0.2/z'])
    const first = (await queue.fetchNextRequest()) as Request
    const second = (await queue.fetchNextRequest()) as Request
    expect([first.url, second.url].map((url) => new URL(url).hostname)).toEqual(
      expect.arrayContaining(['127.0.0.1', '127.0.0.2']),
    )
    expect(await queue.fetchNextRequest()).toBeNull()
    await queue.reclaimRequest(first)
    expect([await queue.isEmpty(), await queue.isFinished()]).toEqual([true, false])
  })

  it('that a handler without the wrapper handles are refused', async () => {
    const queue = new ImportanceQueue({ Request })
    await queue.addRequest(`${origin}/`)
    const request = (await queue.fetchNextRequest()) as Request
    await expect(queue.markRequestHandled(request)).rejects.toThrow('use requestHandler: queue.handler(…)')
  })
})

describe('options of the queue', () => {
  it.each([
    [{ pages: 0 }, 'Option pages of ImportanceQueue is a number, 0.'],
    [{ strategy: 'omniscient' }, 'Strategy omniscient needs more than links and URLs (oracle)'],
    [{ strategy: './mine.ts' }, 'is a module: import it and pass its function'],
    [{ strategy: 'opic', coverage: 0.9 }, 'Strategy opic guarantees no coverage'],
    [{ page: 1 }, 'Did you mean "pages"?'],
  ] as const)('%j are refused', (options, message) => {
    expect(() => new ImportanceQueue({ Request, ...(options as object) })).toThrow(message)
  })

  it('take a strategy as code', async () => {
    const newestFirst = () => ({
      name: 'newest-first',
      discovered: (page: number) => page,
      visited: () => 0,
      linked: (page: number) => page,
      score: (page: number) => page,
    })
    const queue = new ImportanceQueue({ Request, strategy: newestFirst })
    await queue.addRequestsBatched(['http://a.example/', 'http://b.example/'])
    expect(((await queue.fetchNextRequest()) as Request).url).toBe('http://b.example/')
    expect(queue.coverage()).toBeUndefined()
  })
})
