/** Patience over HTTP (S73). The engine's tests are in `src/engine/patience.test.ts`. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { defaultPatience } from '../src/crawler/options/scope-options.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Six pages of one host carry most of the mass; the pages of the other are worth a hundredth of them. */
async function requests(patience: number): Promise<string[]> {
  const good = Array.from({ length: 6 }, (_, i) => `/good-${i}`)
  const filler = Array.from({ length: 20 }, (_, i) => `/filler-${i}`)
  const web = await serveSmall({
    '127.1.0.1': {
      '/': pageWith('Home', ...good, 'http://127.1.0.2:PORT/'),
      ...Object.fromEntries(good.map((path) => [path, pageWith(path)])),
    },
    '127.1.0.2': {
      '/': pageWith('Other', ...filler),
      ...Object.fromEntries(filler.map((path) => [path, pageWith(path)])),
    },
  })
  await crawl({
    seeds: [web.url('127.1.0.1/')],
    out: join(temporaryFolder(), 'crawl'),
    scope: 'any',
    wait: 0.2,
    waitPerAddress: 0,
    threads: 1,
    allowPrivate: true,
    patience,
  }).run()
  await web.close()
  return web.asked.filter((place) => !place.endsWith('.txt')).map((place) => place.replace(/^[^/]*/, ''))
}

describe('patience over HTTP', () => {
  it('0 fetches filler while better pages rest; 0.5 waits for them, and then fetches everything', async () => {
    const [free, patient] = [await requests(0), await requests(0.5)]
    const lastGood = (order: readonly string[]): number =>
      order.findLastIndex((path) => path.startsWith('/good'))
    const firstFiller = (order: readonly string[]): number =>
      order.findIndex((path) => path.startsWith('/filler'))
    expect(firstFiller(free)).toBeLessThan(lastGood(free))
    expect(firstFiller(patient)).toBeGreaterThan(lastGood(patient))
    expect(patient.toSorted()).toEqual(free.toSorted())
  })
})

describe('the default', () => {
  it('is patient with a page budget or a coverage, and not where time is limited or pages are fetched again', () => {
    const ends = [
      { pages: 10, seconds: 10 },
      { pages: 10, continuous: true },
    ]
    const budgets = [{ pages: 10 }, { coverage: 0.9 }, {}, { seconds: 10 }, ...ends]
    expect(budgets.map(defaultPatience)).toEqual([0.03, 0.03, 0, 0, 0, 0])
  })

  it('makes only pages put last wait where scores are no shares of one mass', () => {
    for (const strategy of ['opic', 'breadth-first', '0.5*opic+0.5*breadth-first'])
      expect(defaultPatience({ pages: 10, strategy })).toBe(1e-6)
  })
})
