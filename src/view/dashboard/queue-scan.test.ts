import { describe, expect, it } from 'vitest'
import { Engine } from '../../engine/engine.ts'
import { none } from '../../engine/page-forest.ts'
import { frontierOf } from '../../engine/frontiers/index.ts'
import { seededRandom } from '../../lib/random.ts'
import { recrawlPolicyOf } from '../../engine/recrawl/policies/index.ts'
import { backlinkCount } from '../../engine/strategies/backlink-count.ts'
import { fixedScore } from '../../engine/strategies/fixed-score.ts'
import type { CrawlView } from './crawl-view.ts'
import { QueueScan } from './queue-scan.ts'

interface Crawl {
  readonly engine: Engine
  readonly taken: number[]
  readonly freeAt: Map<number, number>
  readonly view: CrawlView
}

/** A crawl on this many sites, each with a seed that links to random pages. */
function crawlOf(sites: number, pages: number, links: number): Crawl {
  const taken: number[] = []
  const freeAt = new Map<number, number>()
  const engine = new Engine({
    strategy: backlinkCount(),
    frontier: frontierOf('two-level', { connections: sites }),
    connections: sites,
    onTaken: (page) => taken.push(page),
  })
  for (let site = 0; site < sites; site++) engine.seed(site)
  engine.dispatchAt(1)
  const random = seededRandom(3)
  const newSites = Uint32Array.from({ length: pages }, () => random.below(sites))
  // The first seed finds all pages; the others make some of them better.
  const all = Uint32Array.from({ length: pages }, (_, i) => sites + i)
  engine.fetched(0, all, pages, newSites)
  for (let page = 1; page < sites; page++) {
    const to = Uint32Array.from({ length: links }, () => sites + random.below(pages))
    engine.fetched(page, to, links, new Uint32Array(0))
  }
  for (let site = 0; site < sites; site++) {
    // Every third site rests.
    const until = site % 3 === 0 ? 100 + site : 2
    engine.closed(site, until)
    freeAt.set(site, until)
  }
  taken.length = 0
  const view: CrawlView = {
    engine,
    now: () => 10,
    wait: () => 5,
    siteCount: sites,
    siteName: (site) => `site-${site}`,
    freeAt: (site) => freeAt.get(site) ?? 0,
    isBusy: (site) => engine.busySites.has(site),
    failures: () => 0,
    found: (page) => ({
      url: `http://h/${page}`,
      site: engine.pages.siteOf(page),
      parent: undefined,
      depth: 1,
    }),
  }
  return { engine, taken, freeAt, view }
}

describe('the scan of the queue', () => {
  it('lists the pages in the order in which the engine takes them', async () => {
    const { engine, taken, view } = crawlOf(30, 400, 12)
    const { next } = await new QueueScan(view).next(200)
    const due = next.filter(({ because }) => because === 'due').map(({ page }) => page)
    engine.dispatchAt(10)
    expect(taken.length).toBeGreaterThan(15)
    expect(due.slice(0, taken.length)).toEqual(taken)
  })

  it('takes nothing, and says until when sites rest', async () => {
    const { engine, view, freeAt } = crawlOf(30, 400, 12)
    const before = engine.waitingCount
    const scan = new QueueScan(view)
    const { next } = await scan.next(200)
    expect(engine.waitingCount).toBe(before)
    for (const row of next) {
      const site = Number(row.site.slice('site-'.length))
      // The second page of a site waits for the gap after the first.
      const due = Math.max(10, freeAt.get(site)!) + 5 * (row.placeOnSite - 1)
      expect(row.dueMs ?? 10_000).toBeCloseTo(1000 * due, 6)
    }
    const resting = await scan.resting(2, 3)
    expect(resting.rows.map(({ untilMs }) => untilMs)).toEqual([106_000, 109_000, 112_000])
    expect(resting.total).toBe(10)
  })

  it('reads many pages in slices, between which the crawl continues, and once for many viewers', async () => {
    const { engine, view } = crawlOf(50, 200_000, 10)
    let reads = 0
    const scored = engine.strategy.score.bind(engine.strategy)
    let turns = 0
    let isScanning = true
    const count = (): void => {
      turns++
      if (isScanning) setImmediate(count)
    }
    setImmediate(count)
    const counting: CrawlView = {
      ...view,
      engine: Object.create(engine, {
        strategy: { value: { ...engine.strategy, score: (page: number) => (reads++, scored(page)) } },
        pages: { value: engine.pages },
        waitingCount: { value: engine.waitingCount },
        busySites: { value: engine.busySites },
      }) as Engine,
    }
    const scan = new QueueScan(counting)
    const answers = await Promise.all(Array.from({ length: 5 }, () => scan.next(50)))
    isScanning = false
    expect(answers.every(({ next }) => next.length === 50)).toBe(true)
    expect(reads).toBeLessThan(200_000 + 5 * 50 + 1)
    expect(turns).toBeGreaterThanOrEqual(Math.floor(200_000 / 16_384))
  })

  it('has held pages that are due again among the new ones, in the order in which the engine takes them', async () => {
    const daySeconds = 86_400
    const masses = [1, 8, 2, 16, 4, 3]
    const noLinks = new Uint32Array(0)
    const taken: number[] = []
    const engine = new Engine({
      strategy: fixedScore('given', (page) => masses[page], { isImportance: true }),
      frontier: frontierOf('two-level', { connections: 4 }),
      connections: 4,
      recrawl: {
        policy: recrawlPolicyOf('greedy', { horizon: 32, prior: { a: 1, b: 8 } }),
        frontier: frontierOf('two-level', { connections: 4 }),
        restSeconds: 60,
      },
    })
    const dispatch = (seconds: number): void =>
      engine.dispatch({
        now: () => seconds,
        fetch: (_site, list) => void taken.push(list[0]),
        deliver: () => {},
        wait: () => undefined,
      })
    masses.forEach((_, site) => engine.seed(site))
    dispatch(0)
    for (const page of taken.splice(0)) {
      engine.fetched(page, noLinks, 0, noLinks)
      engine.looked(page, 0, 'first')
      engine.closed(page, 0)
    }
    const now = 20 * daySeconds
    // What has rested gets its key at the next choice; nothing is taken by it.
    engine.recrawl!.next(none, now, false)
    const view: CrawlView = { ...crawlOf(6, 10, 1).view, engine, now: () => now, freeAt: () => 0 }
    const { next, waiting, dueAgain } = await new QueueScan(view).next(50)
    expect([waiting, dueAgain]).toEqual([2, 4])
    expect(next).toHaveLength(6)
    const again = next.find(({ page }) => page === 3)!
    expect(again).toMatchObject({ score: 16, again: { looks: 1, lastLookMs: 0 } })
    expect(next.find(({ page }) => page === 0)!.again).toBeUndefined()
    dispatch(now)
    expect(taken).toHaveLength(4)
    expect(next.slice(0, 4).map(({ page }) => page)).toEqual(taken)
  })
})
