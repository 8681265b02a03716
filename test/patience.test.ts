/** Patience over HTTP: which requests count (S69). The engine's tests are in `src/engine/patience.test.ts`. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crawl, recrawl } from '../src/crawler/crawler.ts'
import { replayed } from './support/crawl-records.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('a page counts once: attempts that end with 429 or 503 and refreshes do not', async () => {
  const busy = (status: number, title: string) => (before: number) =>
    before === 0 ? { status, headers: { 'Retry-After': '0' } } : pageWith(title)
  const web = await serveSmall({
    '127.1.0.1': {
      '/': pageWith('Home', '/1', '/2', '/3'),
      '/1': busy(429, 'One'),
      '/2': busy(503, 'Two'),
      '/3': { status: 404 },
    },
  })
  const out = join(temporaryFolder(), 'crawl')
  const seeds = [web.url('127.1.0.1/')]
  const creditOf = async (): Promise<number> => (await replayed(out)).engine.patience!.credit
  await crawl({
    seeds,
    out,
    wait: 0,
    threads: 1,
    allowPrivate: true,
    patience: 0.5,
  }).run()
  // Of six requests for four pages.
  expect(web.asked.filter((place) => !place.endsWith('.txt'))).toHaveLength(6)
  expect(await creditOf()).toBe(2)
  expect(await recrawl({ out, recrawlPolicy: 'uniform', restSeconds: 0 }).run()).toMatchObject({
    looks: { count: 3 },
  })
  expect(await creditOf()).toBe(2)
  await web.close()
})
