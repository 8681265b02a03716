import { expect, it } from 'vitest'
import type { StrategyServices } from '../strategy.ts'
import { KnownLinks } from '../known-links.ts'
import { correctedPageRank, drawOf } from './corrected-pagerank.ts'

it('however large the factors are, the score is within e^-1 and e times the known PageRank (S74)', () => {
  const strategy = correctedPageRank({ damping: 0.85 })
  const rankOf = strategy.masses!()
  const crawled = new Set<number>()
  let known = 0
  const discover = (): number => {
    strategy.discovered(known, 0)
    return known++
  }
  /** A new page, just crawled, gives the first of its links to `target`. */
  const link = (target: number, { from = discover(), links = 1 } = {}): void => {
    crawled.add(from)
    strategy.linked(target, strategy.visited(from, links))
  }
  strategy.start!({
    links: new KnownLinks(),
    siteOf: () => 0,
    urlOf: () => '',
    isCrawled: (page) => crawled.has(page),
    known: () => known,
    crawledCount: () => crawled.size,
  } as Partial<StrategyServices> as StrategyServices)
  const [hub, atOnce, byMany] = [discover(), discover(), discover()]
  for (let i = 0; i < 5000; i++) link(hub)
  link(atOnce, { from: hub })
  for (let i = 0; i < 50_000; i++) link(byMany, { links: 10_000 })
  const factorOf = (page: number): number => strategy.score(page) / rankOf(page)
  expect(rankOf(atOnce)).toBeGreaterThan(3000)
  expect(factorOf(atOnce)).toBeCloseTo(1 / Math.E)
  expect(factorOf(byMany)).toBeCloseTo(Math.E)
})

it('draws are spread evenly over pages found together', () => {
  for (const first of [0, 1000, 50_000_000]) {
    const tenths = new Array<number>(10).fill(0)
    for (let i = 0; i < 100; i++) tenths[Math.floor(10 * drawOf(first + i))]++
    for (const count of tenths) expect(Math.abs(count - 10)).toBeLessThanOrEqual(2)
  }
})

it('no draw is 0, however many pages there are', () => {
  // A Fibonacci number times the golden ratio is nearly an integer; from 102,334,155 on it is rounded to one.
  let [fibonacci, next] = [1, 2]
  while (fibonacci < 2 ** 32) {
    const draw = drawOf(fibonacci - 1)
    expect(draw, `page ${fibonacci - 1}`).toBeGreaterThan(0)
    expect(draw).toBeLessThan(1)
    ;[fibonacci, next] = [next, fibonacci + next]
  }
})
