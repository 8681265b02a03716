/** Threads that end during a crawl without an error: the crawl stops and says why, and can be resumed. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { ScorerThread } from '../src/engine/user-code/scorer-thread.ts'
import { ReaderThread } from '../src/view/dashboard/reader-thread.ts'
import { FetchThreads } from '../src/crawler/desk/fetch-threads.ts'
import { settings } from '../src/crawler/fetch/fetch-thread.cases.ts'
import { giveBackThread, takeThread } from '../src/crawler/desk/spare-threads.ts'
import { commandEnd, startRankward } from './command-line.ts'
import { fetchedUrls } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const moduleFile = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
/** Called with the path of each request; a promise delays the response. */
let onRequest: (path: string) => Promise<unknown> | undefined = () => undefined
let seed: string
const server = createServer((request, response) => {
  const path = request.url!
  void Promise.resolve(onRequest(path)).then(() => {
    if (path === '/robots.txt') return response.end('')
    if (path === '/sitemap.xml') return response.end(`<urlset><url><loc>${seed}4</loc></url></urlset>`)
    response.setHeader('content-type', 'text/html')
    return response.end(
      path === '/' ? [1, 2, 3].map((page) => `<a href="/${page}">${page}</a>`).join('') : path,
    )
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('a fetch thread that ends without an error', () => {
  it.each(['/robots.txt', '/sitemap.xml', '/2'])('during a request for %s stops the crawl', async (path) => {
    const worker = takeThread()
    giveBackThread(worker)
    onRequest = (asked) => (asked === path ? worker.terminate() : undefined)
    const out = join(folder, path.slice(1, 4))
    const options = { seeds: [seed], out, wait: 0, threads: 1, allowPrivate: true, sitemap: true }
    await expect(crawl(options).run()).rejects.toMatchObject({
      code: 'THREAD_ENDED',
      message: expect.stringMatching(
        /^A fetch thread ended during the crawl, with exit code 1\. Resume/,
      ) as string,
    })
    onRequest = () => undefined
    expect(await resumeCrawl({ out }).run()).toMatchObject({ pages: 5, stoppedBecause: 'finished' })
    expect(await fetchedUrls(out)).toHaveLength(5)
  })
})

const noEvents = { received() {}, slow() {}, kept() {}, wake() {} }

describe('fetch threads', () => {
  it('that end before their files are finished are an error of close', async () => {
    const worker = takeThread()
    giveBackThread(worker)
    // It processes no further message, and is not reported to have ended before it is used.
    void worker.terminate()
    const broken: Error[] = []
    const threads = new FetchThreads([settings()], { ...noEvents, broken: (error) => broken.push(error) })
    await expect(threads.close()).rejects.toMatchObject({ code: 'THREAD_ENDED' })
    expect(broken).toHaveLength(1)
    await expect(threads.sync()).rejects.toMatchObject({ code: 'THREAD_ENDED' })
  })

  it('accept no request after they are closed', async () => {
    const threads = new FetchThreads([settings()], { ...noEvents, broken() {} })
    await threads.close()
    const late = 'A request to the fetch threads after the end of the crawl.'
    expect(() => threads.fetch(0, { site: 1, address: '127.0.0.1', requests: [] })).toThrow(late)
    expect(() => threads.keep(0, { id: 1 })).toThrow(late)
    expect(() => threads.cut(0, 1)).toThrow(late)
    await expect(threads.sync()).rejects.toThrow(late)
    // Nothing is in flight any more.
    threads.abort()
    threads.abortRequests(new Set([1]))
    threads.flush()
  })

  it('that are terminated reject what waits for them, and report no failure', async () => {
    const broken: Error[] = []
    const threads = new FetchThreads([settings()], { ...noEvents, broken: (error) => broken.push(error) })
    const synced = threads.sync()
    const killed = threads.kill()
    await expect(synced).rejects.toThrow('after the end of the crawl')
    await killed
    await expect(threads.sync()).rejects.toThrow('after the end of the crawl')
    expect(broken).toEqual([])
  })
})

describe('the thread of a scorer', () => {
  const page = { url: 'http://a.example/', title: '', text: '', language: undefined, links: [] }

  it('that ends while it starts makes the scorer unusable', async () => {
    const path = moduleFile('exits.mjs', 'process.exit(0)')
    await expect(ScorerThread.open(path, { secondsMax: 60 })).rejects.toMatchObject({
      code: 'BAD_SCORER',
      message: `Cannot use the scorer ${path}: it ended its thread.`,
    })
  })

  it('may post messages of its own', async () => {
    const path = moduleFile(
      'posts.mjs',
      `import { parentPort } from 'node:worker_threads'
       const post = () => { for (const message of [null, 'text', 5, { kind: 'other' }]) parentPort.postMessage(message) }
       post()
       export default () => (post(), 0.25)`,
    )
    const scorer = await ScorerThread.open(path, { secondsMax: 60 })
    expect(await scorer.score(page)).toBe(0.25)
    await scorer.close()
    expect(scorer.failures).toBe(0)
  })

  it('starts no other after it is closed', async () => {
    const path = moduleFile('hangs.mjs', 'export default () => { for (;;); }')
    const failed: string[] = []
    const scorer = await ScorerThread.open(path, { secondsMax: 60, onFailure: (_, why) => failed.push(why) })
    const scores = [scorer.score(page), scorer.score(page)]
    await scorer.close()
    expect(await Promise.all(scores)).toEqual([undefined, undefined])
    expect(failed).toEqual([])
    expect(() => scorer.score(page)).toThrow('a page is scored after the end of the crawl')
  })
})

it('the reader of a dashboard that is closed refuses requests', async () => {
  const reader = new ReaderThread({ path: folder, idleMs: 1000, onProblem() {} })
  await reader.close()
  await expect(reader.ask('pages')).rejects.toThrow('The dashboard is closing.')
})

it.each(['1', '3'])('PageRank thread %s that ends early stops the computation', async (thread) => {
  writeFileSync(join(folder, 'graph.txt'), '1 2\n2 3\n3 1\n')
  const ending = moduleFile(
    'ends.mjs',
    // The first thread leads the computation.
    `import { threadId } from 'node:worker_threads'
     if (threadId === Number(process.env.ENDING)) process.exit(0)`,
  )
  const args = ['graph', 'pagerank', 'graph.txt', '--threads', '2']
  const end = await commandEnd(
    startRankward(args, folder, { NODE_OPTIONS: `--import ${ending}`, ENDING: thread }),
  )
  expect(end).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('A PageRank thread failed: exit code 0.') as string,
  })
})
