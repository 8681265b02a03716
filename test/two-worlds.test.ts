/**
 * What was simulated is what crawls: one web crawled virtually and over HTTP, from a server that we did not write. The
 * order is read off its access log.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { Engine } from '../src/engine/engine.ts'
import { crawl as crawlLoop } from '../src/engine/loop.ts'
import { frontierOf, type FrontierName } from '../src/engine/frontiers/index.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'
import { InstantWorld } from '../src/simulator/worlds/instant-world.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { pageRecords, replayed, stateOf } from './support/crawl-records.ts'
import type { NginxAccess } from './support/nginx-log.ts'
import { type NginxWeb, nginxNote, startNginxWeb, withoutNginx } from './support/nginx.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 120, sites: 10, seed: 3, linksPerPage: 6 })
const { graph, sites } = web
const { seed, reachable } = bestSeed(graph)
const every = 20
/** A budget that is not reached; strategies are told it as the size of the web. */
const pagesMax = graph.pages + 1

interface Case {
  readonly strategy: string
  readonly frontier?: FrontierName
  readonly demoteSpam?: number
}

const cases: Case[] = [
  { strategy: 'breadth-first' },
  { strategy: 'backlink-count' },
  { strategy: 'opic' },
  { strategy: 'rankmass' },
  { strategy: 'exact-rankmass' },
  { strategy: 'exact-rankmass', demoteSpam: 0.5 },
  { strategy: 'larger-sites-first' },
  { strategy: 'random' },
]
/** They go by turns of sites, and a site that must be looked up first loses its turn: no order to compare. */
const byTurns: Case[] = [
  { strategy: 'exact-rankmass', frontier: 'mercator' },
  { strategy: 'backlink-count', frontier: 'webbase' },
]

/** Pages in the order in which the simulator takes them. */
async function simulated({ strategy: spec, frontier = 'two-level', demoteSpam }: Case): Promise<number[]> {
  const table = new VirtualPageTable(graph.pages, sites.ofPage, sites.count)
  const strategy = strategyOf(spec, { damping: 0.85, webPages: pagesMax, every, seed: 1, demoteSpam })
  const order: number[] = []
  const engine = new Engine({
    strategy,
    frontier: frontierOf(frontier, { connections: 1, ranksSites: strategy.ranksSites === true, seed: 1 }),
    onTaken: (page) => order.push(table.nodeOf(page)),
  })
  engine.seed(table.siteOf(table.pageOf(seed)))
  await crawlLoop(engine, new InstantWorld(graph, table))
  return order
}

let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))

describe.skipIf(withoutNginx)(`the two worlds${nginxNote}`, () => {
  let nginx: NginxWeb
  let rowsBefore = 0
  beforeAll(async () => {
    nginx = await startNginxWeb(web)
  })
  afterAll(() => nginx?.stop())

  const options = (out: string) => ({
    seeds: [nginx.urls.urlOf(seed)],
    out,
    scope: 'any' as const,
    wait: 0,
    allowPrivate: true,
    // The simulator has no watch for traps.
    traps: false,
    warc: false,
    threads: 1,
    pages: pagesMax,
    every,
  })

  /** What nginx has been asked for since the last look, pages and robots.txt apart. */
  async function asked(pages: number): Promise<{ pages: number[]; robots: NginxAccess[] }> {
    const isPage = ({ path }: NginxAccess): boolean => path !== '/robots.txt'
    let rows: NginxAccess[] = []
    for (let atLeast = rowsBefore + pages; ; atLeast = rowsBefore + rows.length + 1) {
      rows = (await nginx.accessLog(atLeast)).slice(rowsBefore)
      if (rows.filter(isPage).length >= pages || rowsBefore + rows.length < atLeast) break
    }
    rowsBefore += rows.length
    const pageOf = ({ address, path }: NginxAccess): number =>
      nginx.urls.pageOf(`http://${address}:${nginx.port}${path}`) ?? -1
    return {
      pages: rows.filter(isPage).map(pageOf),
      robots: rows.filter((row) => !isPage(row)),
    }
  }

  describe.each([
    { robotsTxt: false, what: 'without robots.txt', some: cases },
    { robotsTxt: true, what: 'with robots.txt', some: cases.slice(3) },
  ])('one robot asks nginx for pages in the order of the simulation, $what', ({ robotsTxt, some }) => {
    it.each(some)('$strategy $frontier $demoteSpam', async (one) => {
      const totals = await crawl({ ...options(newFolder()), ...one, connections: 1, robotsTxt }).run()
      expect(totals).toMatchObject({
        pages: reachable,
        known: reachable,
        failed: 0,
        stoppedBecause: 'finished',
      })
      const { pages, robots } = await asked(reachable)
      expect(pages).toEqual(await simulated(one))
      expect(robots).toHaveLength(robotsTxt ? sites.count : 0)
      expect(new Set(robots.map(({ address }) => address)).size).toBe(robots.length)
    })
  })

  describe('the record of a crawl with many connections replays to the same decisions', () => {
    it.each([...cases.slice(2), ...byTurns])('$strategy $frontier $demoteSpam', async (one) => {
      const out = newFolder()
      const totals = await crawl({
        ...options(out),
        ...one,
        connections: 8,
        perConnection: 2,
        threads: 2,
        robotsTxt: one.strategy !== 'opic',
      }).run()
      expect(totals).toMatchObject({ pages: reachable, stoppedBecause: 'finished' })
      const { pages } = await asked(reachable)
      expect(new Set(pages).size).toBe(pages.length)
      await expectReplay(out)
    })

    it('also where it was stopped twice and resumed', async () => {
      const out = newFolder()
      const first = crawl({ ...options(out), connections: 8, strategy: 'exact-rankmass', pages: 30 })
      expect((await first.run()).stoppedBecause).toBe('pages')
      const second = resumeCrawl({
        out,
        pages: pagesMax,
        onEvent: () => second.progress().pages > 60 && second.stop({ now: true }),
      })
      expect((await second.run()).stoppedBecause).toBe('interrupted')
      const halfway = await replayed(out)
      expect(halfway.engine.known).toBeGreaterThan(0)
      const totals = await resumeCrawl({ out }).run()
      expect(totals).toMatchObject({ pages: reachable, known: reachable, stoppedBecause: 'finished' })
      const { pages } = await asked(reachable)
      expect(new Set(pages).size).toBe(reachable)
      await expectReplay(out)
    })
  })

  /** A replay gives each page the order and the score in its record, and no page is left in flight. */
  async function expectReplay(out: string): Promise<void> {
    const { taken, engine } = await replayed(out)
    const records = await pageRecords(out)
    const fetched = records.filter(({ outcome }) => outcome !== undefined)
    expect(fetched).toHaveLength(reachable)
    // A page that had to be put back (its site was not known yet) was sent when it was last taken.
    const lastTaken = new Map(taken.map(([page], turn) => [page, turn]))
    const sent = taken.filter(([page], turn) => lastTaken.get(page) === turn)
    const recorded = fetched.toSorted((a, b) => a.outcome!.order - b.outcome!.order)
    expect(sent).toEqual(recorded.map(({ page, outcome }) => [page, outcome!.score]))
    expect(engine.known).toBe(records.length)
    expect(engine.finished).toBe(true)
    expect(engine.pages.underWay()).toEqual([])
    const again = await replayed(out)
    expect(again.engine.finished).toBe(true)
    expect(stateOf(again.engine) === stateOf(engine), 'a second replay remembers the same').toBe(true)
  }
})
