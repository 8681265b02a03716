/**
 * Nothing is made and nothing is lost: the mass of the RankMass family and the cash of OPIC, over crawls of a web with
 * 300,000 links; with `FULL=1` a million. The books are read from what the strategies remember.
 */
import { describe, expect, it } from 'vitest'
import type { Strategy } from '../src/engine/strategy.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { StateViews } from '../src/lib/state-views.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'
import type { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { simulatedCrawl, type CrawlSetting } from './simulated-crawl.ts'

const pages = process.env['FULL'] === undefined ? 30_000 : 100_000
const { graph } = syntheticGraph({ pages, seed: 3 })
const seeds = [0, 1, pages / 2]
/** More can be reached. */
const crawledMin = 0.85 * pages

/** Crawls the web. `open` begins to keep books and answers what is to be called with every page that has come. */
async function audited(
  spec: string,
  setting: Partial<CrawlSetting> & { opicInitial?: 'pages' | 'seeds' },
  open: (strategy: Strategy, table: VirtualPageTable) => (page: number) => void,
): Promise<number> {
  const { opicInitial, ...options } = setting
  let crawled = (_page: number): void => {}
  const { engine } = await simulatedCrawl(
    { lists: graph, seeds, ...options, onCrawled: (page) => crawled(page) },
    (table) => {
      const strategy = strategyOf(spec, { damping: 0.85, webPages: graph.pages, seed: 1, opicInitial })
      crawled = open(strategy, table)
      return strategy
    },
  )
  return engine.pages.crawledCount
}

/** The first array is the mass that rests on each page, or the cash received; the first number the mass that is certain. */
const arrayOf = (strategy: Strategy): Float64Array => new StateViews(strategy).arrays[0] as Float64Array
const numbersOf = (strategy: Strategy): number[] => new StateViews(strategy).numbers
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

it('the web has ten links per page', () => {
  expect(graph.links).toBeGreaterThan(9.5 * pages)
})

describe('certain and resting mass make up the whole, certain + resting / (1 - d) = 1, throughout the crawl', () => {
  it.each([
    { spec: 'rankmass', pagesMax: graph.pages },
    { spec: 'windowed-rankmass', pagesMax: graph.pages },
    { spec: 'exact-rankmass', pagesMax: 1000 },
  ])('$spec', async ({ spec, pagesMax }) => {
    let checks = 0
    let downloads = 0
    const step = Math.ceil(pagesMax / 200)
    const balance = (strategy: Strategy): number => {
      checks++
      const numbers = numbersOf(strategy)
      const [certain] = numbers
      // What pages without links have given back and has not been passed on yet: the last number but one.
      const gathered = spec === 'exact-rankmass' ? numbers.at(-2)! : 0
      return Math.abs(certain + (sumOf(arrayOf(strategy)) + gathered) / 0.15 - 1)
    }
    let largest = 0
    // Between the first links of a page and its last, its mass is under way; the books are closed after each page.
    const crawled = await audited(spec, { pagesMax }, (strategy) => () => {
      if (downloads++ % step === 0) largest = Math.max(largest, balance(strategy))
    })
    expect(crawled).toBeGreaterThan(Math.min(pagesMax, crawledMin) - 1)
    expect(checks).toBeGreaterThan(150)
    expect(largest).toBeLessThan(1e-9)
  })

  it('fractional-pagerank, where what comes to a crawled page goes no further', async () => {
    // That mass x is certain, and d / (1 - d) times as much that it would have given on is not.
    let stuck = 0
    let largest = 0
    let downloads = 0
    let certainBefore = 0
    let own = 0
    const onTaken = (_page: number, mass: number): void => {
      own = mass
    }
    await audited('fractional-pagerank', { onTaken }, (strategy) => () => {
      const [certain] = numbersOf(strategy)
      // Whatever became certain beside the page's own mass came to crawled pages.
      stuck += certain - certainBefore - own
      certainBefore = certain
      if (downloads++ % 500 !== 0) return
      const whole = certain + sumOf(arrayOf(strategy)) / 0.15 + (stuck * 0.85) / 0.15
      largest = Math.max(largest, Math.abs(whole - 1))
    })
    expect(downloads).toBeGreaterThan(crawledMin)
    expect(largest).toBeLessThan(1e-9)
  })
})

describe('cash is received by waiting pages or lost, and nothing else, throughout the crawl', () => {
  it.each(['pages', 'seeds'] as const)('opic, owned by the %s', async (opicInitial) => {
    let lost = 0
    let crawledCount = 0
    let largest = 0
    const crawled = new Uint8Array(graph.pages)
    const cursor = graph.cursor()
    const own = opicInitial === 'pages' ? 1 : 0
    await audited('opic', { opicInitial }, (strategy, table) => (page) => {
      const received = arrayOf(strategy)
      const cash = own + received[page]
      crawled[page] = 1
      cursor.seek(table.nodeOf(page))
      const { targets, start, end } = cursor
      if (start === end) lost += cash
      for (let i = start; i < end; i++)
        if (crawled[table.pageOf(targets[i])] === 1) lost += cash / (end - start)
      if (crawledCount++ % 200 !== 0) return
      let held = 0
      for (let other = 0; other < table.known; other++) if (crawled[other] === 0) held += received[other]
      const owned = own === 1 ? crawledCount : 1
      largest = Math.max(largest, Math.abs(held + lost - owned) / owned)
    })
    expect(crawledCount).toBeGreaterThan(crawledMin)
    expect(largest).toBeLessThan(1e-9)
  })
})
