/** Strategies, frontiers and scorers that a program passes as code behave as those that are named, in both worlds. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bestSeed,
  crawl,
  explain,
  frontierOf,
  resumeCrawl,
  serveWeb,
  simulate,
  status,
  syntheticGraph,
  webOf,
  type CrawlOptions,
  type RunResult,
  type ServedWeb,
  type SimulateOptions,
  type Strategy,
  type StrategyFunction,
} from '../src/index.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 120, sites: 4, seed: 3 })
let served: ServedWeb

/** The same strategy as code and as a module. */
const source = `() => {
  const depths = []
  return {
    name: 'deep-first',
    discovered: (page, parent) => (depths[page] = parent < 0 ? 0 : depths[parent] + 1),
    visited: () => 0,
    linked: (page) => depths[page],
    score: (page) => depths[page],
  }
}`
const modulePath = join(folder, 'deep-first.mjs')

function deepFirst(): Strategy {
  const depths: number[] = []
  return {
    name: 'deep-first',
    discovered: (page, parent) => (depths[page] = parent < 0 ? 0 : depths[parent] + 1),
    visited: () => 0,
    linked: (page) => depths[page],
    score: (page) => depths[page],
  }
}

beforeAll(async () => {
  writeFileSync(modulePath, `export default ${source}`)
  served = await serveWeb(web)
})

afterAll(() => served.close())

const options = (more: Partial<CrawlOptions>): CrawlOptions => ({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  scope: 'any',
  wait: 0,
  connections: 1,
  threads: 1,
  pages: 40,
  allowPrivate: true,
  warc: false,
  ...more,
})

async function urlsOf(more: Partial<CrawlOptions>): Promise<string[]> {
  const urls: string[] = []
  for await (const page of crawl(options(more))) urls.push(page.url)
  return urls
}

async function ordersOf(
  strategies: SimulateOptions['strategies'],
  more: Omit<SimulateOptions, 'strategies'> = {},
): Promise<{ orders: Uint32Array[]; runs: RunResult[] }> {
  const orders: Uint32Array[] = []
  const { runs } = await simulate(webOf(web), {
    strategies,
    threads: 1,
    ...more,
    onRun: (_, { ids }) => orders.push(ids),
  })
  return { orders, runs }
}

describe('a crawl by a strategy that is code', () => {
  it('fetches the same pages in the same order as by the same strategy from a module', async () => {
    const byModule = await urlsOf({ strategy: modulePath })
    expect(byModule).toHaveLength(40)
    expect(await urlsOf({ strategy: deepFirst })).toEqual(byModule)
    expect(await urlsOf({ strategy: deepFirst() })).toEqual(byModule)
    expect(await urlsOf({ strategy: 'breadth-first' })).not.toEqual(byModule)
  })

  it('records its name, is resumed and explained with the same code, and names missing code', async () => {
    const out = join(folder, 'halves')
    const first = await crawl(options({ out, strategy: deepFirst, pages: 20 })).run()
    expect(first).toMatchObject({ pages: 20, strategy: 'deepFirst' })
    const { options: recorded } = JSON.parse(readFileSync(join(out, 'crawl.json'), 'utf8')) as {
      options: object
    }
    expect(recorded).toMatchObject({ strategy: 'deepFirst', inline: ['strategy'] })

    const missing = {
      code: 'INLINE_CODE',
      message: expect.stringMatching(
        /strategy "deepFirst" as code.*Pass it again as option strategy/,
      ) as string,
    }
    await expect(resumeCrawl({ out, pages: 40 }).run()).rejects.toMatchObject(missing)
    const other: StrategyFunction = deepFirst.bind(undefined)
    Object.defineProperty(other, 'name', { value: 'other' })
    await expect(resumeCrawl({ out, pages: 40, strategy: other }).run()).rejects.toThrow(
      /started with the strategy "deepFirst", not with "other"/,
    )
    expect(await resumeCrawl({ out, pages: 40, strategy: deepFirst }).run()).toMatchObject({ pages: 40 })

    const [seed] = options({}).seeds
    await expect(explain(out, seed)).rejects.toMatchObject(missing)
    expect(await explain(out, seed, { strategy: deepFirst })).toMatchObject({ state: 'fetched' })
    expect(status(out).progress).toMatchObject({ pages: 40 })
  })

  it('refuses code for a crawl that was started by a name', async () => {
    const out = join(folder, 'named')
    await crawl(options({ out, strategy: 'opic', pages: 5 })).run()
    await expect(resumeCrawl({ out, strategy: deepFirst }).run()).rejects.toThrow(/uses the strategy opic/)
    await expect(resumeCrawl({ out, scorer: () => 1 }).run()).rejects.toThrow(/has no scorer/)
  })

  it('fails with the name of a strategy that throws or lacks a method', async () => {
    const throwing: StrategyFunction = () => ({
      ...deepFirst(),
      visited: () => {
        throw new Error('out of order')
      },
    })
    await expect(crawl(options({ strategy: throwing })).run()).rejects.toMatchObject({
      code: 'BAD_STRATEGY_MODULE',
      message: 'The strategy "throwing" failed: out of order.',
    })
    const half = (() => ({ name: 'half' })) as unknown as StrategyFunction
    await expect(crawl(options({ strategy: half })).run()).rejects.toThrow(
      'The strategy "half" lacks discovered, visited, linked, score',
    )
  })
})

describe('a frontier that is code', () => {
  it('crawls as the one that it makes, and is needed to resume', async () => {
    const own = (given: object) => frontierOf('webbase', given)
    expect(await urlsOf({ strategy: 'opic', frontier: own })).toEqual(
      await urlsOf({ strategy: 'opic', frontier: 'webbase' }),
    )
    const out = join(folder, 'frontier')
    await crawl(options({ out, frontier: own, pages: 5 })).run()
    await expect(resumeCrawl({ out, pages: 9 }).run()).rejects.toThrow(/frontier "own" as code/)
    expect(await resumeCrawl({ out, pages: 9, frontier: own }).run()).toMatchObject({ pages: 9 })
  })
})

describe('a scorer that is code', () => {
  const path = join(folder, 'score.mjs')

  it('gives the same crawl as the same scorer from a module, and is counted where it gives no number', async () => {
    writeFileSync(path, 'export default ({ links }) => links.length / 100')
    const byModule = await urlsOf({ scorer: path })
    expect(await urlsOf({ scorer: ({ links }) => links.length / 100 })).toEqual(byModule)
    expect(await urlsOf({ scorer: { score: ({ links }) => links.length / 100 } })).toEqual(byModule)
    const whys: string[] = []
    const failing = await crawl(
      options({
        pages: 4,
        scorer: async ({ title }) => {
          if (whys.length === 0) throw new Error('first')
          if (whys.length === 1) return await new Promise<number>(() => {})
          return whys.length === 2 ? (title as unknown as number) : 1
        },
        scorerSeconds: 0.05,
        onEvent: (event) => void (event.kind === 'unscored' && whys.push(event.why)),
      }),
    ).run()
    expect(failing.scorerFailures).toBe(3)
    expect(whys).toEqual([
      'first',
      'it took longer than 0.05 s',
      expect.stringMatching(/^it returned ".*", which is not a number$/),
    ])
  })

  it('must be passed again to resume', async () => {
    const out = join(folder, 'scored')
    await crawl(options({ out, scorer: () => 1, pages: 5 })).run()
    await expect(resumeCrawl({ out, pages: 9 }).run()).rejects.toThrow(/its scorer "inline" as code/)
    expect(await resumeCrawl({ out, pages: 9, scorer: () => 1 }).run()).toMatchObject({ pages: 9 })
  })
})

describe('a simulation with code', () => {
  it('gives the same run in the main thread as the same strategy from a module gives in a thread', async () => {
    const { orders, runs } = await ordersOf([modulePath, deepFirst, deepFirst(), 'breadth-first'])
    expect(runs.map(({ strategy }) => strategy)).toEqual([
      'deep-first',
      'deepFirst',
      'deep-first',
      'breadth-first',
    ])
    expect(orders[1]).toEqual(orders[0])
    expect(orders[2]).toEqual(orders[0])
    expect(orders[3]).not.toEqual(orders[0])
    const judged = ({
      seconds: _,
      cpuSeconds: _____,
      peakRssBytes: __,
      engineBytes: ___,
      strategy: ____,
      ...rest
    }: RunResult) => rest
    expect(judged(runs[1])).toEqual(judged(runs[0]))
  })

  it('gives the same run on a web so large that named strategies run in threads', async () => {
    const large = webOf(syntheticGraph({ pages: 3000, seed: 4 }))
    expect(large.graph.links).toBeGreaterThan(20_000)
    const orders: number[][] = []
    const own: StrategyFunction = (setting) => strategyOf('opic', setting)
    await simulate(large, {
      strategies: ['opic', own],
      onRun: ({ strategy }, { ids }) => (orders[strategy === 'opic' ? 0 : 1] = [...ids]),
    })
    expect(orders[0].length).toBeGreaterThan(2000)
    expect(orders[1]).toEqual(orders[0])
  })

  it('refetches the same pages: the masses of a strategy count if it is code', async () => {
    const own: StrategyFunction = (setting) => strategyOf('opic', setting)
    const recrawl = { recrawl: 'greedy', rate: 100, days: 10 } as const
    const { runs } = await simulate(webOf(web), { strategies: ['opic', own], ...recrawl })
    expect(runs[1].freshness).toEqual(runs[0].freshness)
  })

  it('takes a function that makes a frontier, and an object for one run only', async () => {
    const time = { connections: 4, wait: 1 }
    const own = (given: object) => frontierOf('mercator', given)
    const byName = await ordersOf(['opic', 'breadth-first'], { frontier: 'mercator', time })
    const byCode = await ordersOf(['opic', 'breadth-first'], { frontier: own, time })
    expect(byCode.orders).toEqual(byName.orders)
    expect(byCode.runs[0].options).toMatchObject({ frontier: 'own' })
    const object = frontierOf('two-level')
    expect((await ordersOf(['opic'], { frontier: object })).orders).toHaveLength(1)
    await expect(ordersOf(['opic', 'random'], { frontier: frontierOf('two-level') })).rejects.toThrow(
      'The frontier "two-level" is an object, which can be used for one run',
    )
    await expect(ordersOf([deepFirst()], { time, speedUp: true })).rejects.toThrow(
      'The strategy "deep-first" is an object',
    )
    expect(
      (await ordersOf([deepFirst], { time, speedUp: true })).runs[0].time?.speedUp,
    ).toBeGreaterThanOrEqual(1)
  })
})
