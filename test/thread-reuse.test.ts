/** Threads of a crawl that has ended serve the next one of the process, with its settings and files. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { spareTime, takeThread } from '../src/crawler/desk/spare-threads.ts'
import { expectWholeArchive } from './support/archive-check.ts'
import { fetchedUrls } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const userAgents: (string | undefined)[] = []
const server = createServer(({ url, headers }, response) => {
  if (url === '/robots.txt') {
    response.writeHead(404).end()
    return
  }
  userAgents.push(headers['user-agent'])
  response.setHeader('content-type', 'text/html')
  const links = url === '/' ? [1, 2, 3].map((page) => `<a href="/${page}">${page}</a>`).join('') : ''
  // One page is never complete: it is aborted, and the thread closed meanwhile.
  if (url === '/3' && headers['user-agent'] === 'first') response.write('<p>never')
  else response.end(`<p>page ${url}${links}`)
})
let seed: string

beforeAll(async () => {
  // On a busy machine, more than five seconds may pass between two crawls.
  spareTime.idleMs = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('the threads of a crawl serve the next one', async () => {
  const before = takeThread()
  const options = { seeds: [seed], allowPrivate: true, wait: 0, threads: 1, warc: true }
  const out = ['first', 'second'].map((name) => join(folder, name))
  const first = crawl({ ...options, userAgent: 'first', out: out[0], onEvent: () => stopAtLastPage() })
  const stopAtLastPage = (): void => void (userAgents.length === 4 && first.stop({ now: true }))
  const stopping = setInterval(stopAtLastPage, 5)
  expect(await first.run()).toMatchObject({ stoppedBecause: 'interrupted', pages: 3 })
  clearInterval(stopping)
  expect(await crawl({ ...options, userAgent: 'second', out: out[1] }).run()).toMatchObject({ pages: 4 })
  const after = takeThread()
  // One thread was started for both crawls.
  expect(after.threadId).toBe(before.threadId + 1)
  await Promise.all([before.terminate(), after.terminate()])
  expect(userAgents).toEqual([...Array<string>(4).fill('first'), ...Array<string>(4).fill('second')])
  expect(await Promise.all(out.map((path) => fetchedUrls(path)))).toEqual([
    expect.objectContaining({ length: 3 }),
    expect.objectContaining({ length: 4 }),
  ])
  for (const path of out) await expectWholeArchive(path)
})
