/** A crawl with thousands of pages that need no request leaves the process responsive. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { crawl, type CrawlEvent } from '../src/crawler/crawler.ts'
import { turns } from '../src/crawler/world/real-world.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const forbidden = 5000
const links = Array.from({ length: forbidden }, (_, page) => `<a href="/no/${page}">no</a>`).join('')
const server = createServer(({ url }, response) => {
  if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /no/')
  response.setHeader('content-type', 'text/html')
  return response.end(links)
})

beforeAll(async () => {
  // A pause between any two pages: their number does not depend on the speed of the machine.
  turns.msMax = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

it('pages that robots.txt forbids do not keep timers and signals waiting', async () => {
  let turnsOfOthers = 0
  const count = (): void => {
    turnsOfOthers++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const options = { seeds: [seed], out: join(folder, 'crawl'), allowPrivate: true, wait: 0, threads: 1 }
  const failedAt: number[] = []
  const onEvent = ({ kind }: CrawlEvent): void => void (kind === 'failed' && failedAt.push(turnsOfOthers))
  expect(await crawl({ ...options, onEvent }).run()).toMatchObject({ pages: 1 })
  clearImmediate(next)
  expect(failedAt).toHaveLength(forbidden)
  expect(failedAt.at(-1)! - failedAt[0]).toBeGreaterThan(forbidden / 2)
})
