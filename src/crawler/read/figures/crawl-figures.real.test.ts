/** The figures of real crawls over loopback, against plain counts of everything that the record holds. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { crawl, resumeCrawl } from '../../crawler.ts'
import { syntheticGraph } from '../../../webgraph/synthetic/synthetic-graph.ts'
import { bestSeed } from '../../../webgraph/reachability.ts'
import { serveWeb } from '../../../webgraph/served/served-web.ts'
import type { CrawlTotals } from '../../options/crawl-options.ts'
import { CrawlRecord } from '../../record/crawl-record.ts'
import type { FoundRecord } from '../../record/found-record.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import type { ImportancePart } from '../../../webgraph/measures/importance-parts.ts'
import { status } from '../status.ts'
import { crawlRanks } from '../export/page-ranks.ts'
import { crawlFigures, type CrawlFigures } from './crawl-figures.ts'

const folder = temporaryFolder()

/** All that a crawl's record holds, in memory. */
interface Naive {
  readonly found: FoundRecord[]
  readonly outcomes: Map<number, OutcomeRecord>
  /** [page, its links] in the order they came; failures in between have no links. */
  readonly events: { page: number; links: number[] | undefined; isFetched: boolean }[]
  /** Of pages that robots.txt forbids or that failed: how many events there were before. */
  readonly lost: Map<number, number>
}

async function naive(path: string): Promise<Naive> {
  const record = await CrawlRecord.open(join(path, 'record', 'log'))
  const all: Naive = { found: [], outcomes: new Map(), events: [], lost: new Map() }
  for (const found of record.foundPages()) all.found.push(found)
  for (const [page, outcome] of record.outcomes()) all.outcomes.set(page, outcome)
  await record.replay({
    fetched: (page, links, count, _newSites, _reading, isRedirect) =>
      all.events.push({ page, links: [...links.subarray(0, count)], isFetched: isRedirect !== true }),
    failed: (page, cause) => {
      if (cause === 'failed' || cause === 'robots') all.lost.set(page, all.events.length)
      if (cause === 'failed') all.events.push({ page, links: undefined, isFetched: false })
    },
  })
  record.close()
  return all
}

/** RankMass of each page from the first so many outcomes, by walking 400 steps from the only seed. */
function certainMass(all: Naive, pages: number): Map<number, number> {
  return walked(all, pages).held
}

/**
 * The share of what was known to be obtainable when so many pages were fetched; at the end, with all that
 * failed since.
 */
function certainShare(all: Naive, pages: number): number {
  const fetchedAt = all.events.flatMap(({ isFetched }, i) => (isFetched ? [i] : []))
  const outcomes = pages === fetchedAt.length ? Infinity : fetchedAt[pages - 1] + 1
  const { held, met } = walked(all, outcomes)
  const isLost = (page: number): boolean => (all.lost.get(page) ?? Infinity) < outcomes
  return total(held.values()) / (1 - total([...met].flatMap(([page, mass]) => (isLost(page) ? [mass] : []))))
}

function walked(
  { events }: Naive,
  pages: number,
  damping = 0.85,
): { held: Map<number, number>; met: Map<number, number> } {
  const links = new Map(events.slice(0, pages).map((event) => [event.page, event.links]))
  const held = new Map<number, number>()
  /** What came to pages that were not fetched. */
  const met = new Map<number, number>()
  let now = new Map([[0, 1]])
  for (let step = 0; step < 400; step++) {
    const next = new Map<number, number>()
    for (const [page, mass] of now) {
      const targets = links.get(page)
      if (targets === undefined) {
        met.set(page, (met.get(page) ?? 0) + mass)
        continue
      }
      held.set(page, (held.get(page) ?? 0) + (1 - damping) * mass)
      for (const target of targets.length === 0 ? [0] : targets) {
        next.set(target, (next.get(target) ?? 0) + (damping * mass) / Math.max(1, targets.length))
      }
    }
    now = next
  }
  return { held, met }
}

/** PageRank by URL, as exported. */
async function exportedRanks(path: string): Promise<Map<string, number>> {
  const record = await CrawlRecord.open(join(path, 'record', 'log'))
  const { damping } = CrawlFolder.open(path).file.options
  const ranks = await crawlRanks(record, damping)
  const found = [...record.foundPages()]
  record.close()
  return new Map(found.map(({ url }, page) => [url, ranks.of(page)]))
}

const total = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)

interface Made {
  figures: CrawlFigures
  totals: CrawlTotals
  all: Naive
}
const made: Record<string, Made> = {}

beforeAll(async () => {
  const web = syntheticGraph({ pages: 400, sites: 12, seed: 3 })
  const { seed } = bestSeed(web.graph)
  const served = await serveWeb(web, {
    robots: (site) => (site === 4 ? 'User-agent: *\nDisallow: /\n' : undefined),
    onRequest: ({ page }, response) => {
      if (page === undefined || page === seed) return false
      if (page % 17 === 1) response.writeHead(404, { 'content-type': 'text/plain' }).end('no')
      else if (page % 19 === 1) response.writeHead(301, { location: served.urlOf(seed) }).end()
      else if (page % 23 === 1) response.writeHead(200, { 'content-type': 'Text/HTML' }).end('<p>the same')
      else return false
      return true
    },
  })
  const base = { seeds: [served.urlOf(seed)], wait: 0, connections: 8, threads: 1, allowPrivate: true }
  const make = async (name: string, run: (out: string) => Promise<CrawlTotals>): Promise<void> => {
    const out = join(folder, name)
    const totals = await run(out)
    made[name] = { figures: await crawlFigures(out), totals, all: await naive(out) }
  }
  try {
    await make('guaranteed', (out) => crawl({ ...base, out, scope: 'any', pages: 150 }).run())
    await make('resumed', async (out) => {
      await crawl({ ...base, out, scope: 'any', pages: 40, strategy: 'breadth-first' }).run()
      return resumeCrawl({ out, pages: 90 }).run()
    })
    const own = [new URL(served.urlOf(seed)).hostname]
    await make('own', (out) => crawl({ ...base, out, scope: 'any', pages: 150, own }).run())
    await make('scoped', (out) => crawl({ ...base, out, scope: 'host', coverageOf: 'web' }).run())
  } finally {
    await served.close()
  }
})

describe.each(['guaranteed', 'resumed', 'own', 'scoped'])('the figures of a crawl: %s', (name) => {
  it('end where the crawl ended', () => {
    const { figures, totals } = made[name]
    expect(figures.coverage).toEqual(totals.coverage)
    expect(figures.curve.at(-1)).toEqual([totals.pages, totals.coverage.share])
    expect(figures.headline).toBe(totals.headline)
    const { progress } = status(join(folder, name))
    expect(progress).toMatchObject({ guaranteed: totals.coverage.share, pages: totals.pages })
    expect(figures.counts).toMatchObject({ pages: totals.pages, bytes: totals.bytes, links: totals.links })
    expect(figures).toMatchObject({ known: totals.known, waiting: totals.waiting, sites: totals.sites })
    expect(figures.end?.stoppedBecause).toBe(totals.stoppedBecause)
  })

  it('have the certain share by number of pages', () => {
    const { figures, all } = made[name]
    expect(figures.curve.length).toBeGreaterThan(Math.min(30, figures.counts.pages - 1))
    for (const [pages, certain] of figures.curve) {
      expect(Math.abs(certain - certainShare(all, pages))).toBeLessThan(2e-4)
    }
    const shares = figures.curve.map(([, certain]) => certain)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })

  it('name the pages with the most RankMass', () => {
    const { figures, all } = made[name]
    const mass = certainMass(all, Infinity)
    const best = [...mass].toSorted(([, a], [, b]) => b - a).slice(0, 20)
    expect(figures.topPages).toHaveLength(best.length)
    best.forEach(([, value], i) => expect(figures.topPages[i].mass).toBeCloseTo(value, 6))
    for (const { url, title, order, depth } of figures.topPages) {
      const page = all.found.findIndex((found) => found.url === url)
      const outcome = all.outcomes.get(page)!
      expect([title, order, depth]).toEqual([outcome.title ?? '', outcome.order, all.found[page].depth])
    }
  })

  it('name the pages with the most RankMass that were not fetched, and why', () => {
    const { figures, all } = made[name]
    const { met } = walked(all, Infinity)
    const missed = [...met].filter(([page, mass]) => all.found[page].url !== 'outside:' && mass > 1e-9)
    const best = missed.toSorted(([, a], [, b]) => b - a).slice(0, 20)
    expect(figures.missedPages).toHaveLength(best.length)
    best.forEach(([, value], i) => expect(figures.missedPages[i].mass).toBeCloseTo(value, 6))
    for (const { url, depth, state, error } of figures.missedPages) {
      const page = all.found.findIndex((found) => found.url === url)
      expect(all.found[page].depth).toBe(depth)
      expect(error).toBe(all.outcomes.get(page)?.error)
      expect(state === 'waiting').toBe(error === undefined)
      expect(state === 'robots').toBe(error === 'robots')
    }
  })

  it('divide the importance by sites and directories', () => {
    const { figures, all } = made[name]
    const { held, met } = walked(all, Infinity)
    const ofSite = (masses: Map<number, number>, site: string): number =>
      total(
        [...masses].flatMap(([page, mass]) =>
          all.found[page].url.startsWith(`http://${site}/`) ? [mass] : [],
        ),
      )
    expect(figures.importance.length).toBeGreaterThan(0)
    for (const { name: site, held: holds, waiting, parts = [] } of figures.importance) {
      expect(holds).toBeCloseTo(ofSite(held, site), 5)
      expect(waiting).toBeCloseTo(ofSite(met, site), 5)
      expect(total(parts.map((part) => part.held))).toBeCloseTo(holds, 9)
      expect(total(parts.map((part) => part.waiting))).toBeCloseTo(waiting, 9)
      for (const part of parts) expect(part.name).toMatch(/^\/(?:[^/]+\/)?$/)
    }
  })

  it('have the importance by time and by depth', async () => {
    const { figures, all } = made[name]
    const held = certainMass(all, Infinity)
    const fetched = [...all.outcomes].filter(
      ([, { error, location }]) => error === undefined && location === undefined,
    )
    const rows = await exportedRanks(join(folder, name))
    const sums = (pages: readonly number[]): [number, number, number] => [
      pages.length,
      total(pages.map((page) => rows.get(all.found[page].url)!)),
      total(pages.map((page) => held.get(page) ?? 0)),
    ]
    const close = (part: ImportancePart, [pages, pageRank, rankMass]: [number, number, number]): void => {
      expect(part.pages).toBe(pages)
      expect(part.pageRank).toBeCloseTo(pageRank, 9)
      expect(part.rankMass).toBeCloseTo(rankMass, 5)
    }
    figures.importanceByDepth.forEach((part, depth) => {
      const its = fetched.filter(([page]) => all.found[page].depth === depth)
      close(part, sums(its.map(([page]) => page)))
    })
    const { parts, partSeconds } = figures.importanceByTime
    expect(parts.length).toBeLessThanOrEqual(24)
    expect(parts.length * partSeconds).toBeLessThan(figures.counts.seconds + 2 * partSeconds)
    // Pages that ended earlier are in earlier parts.
    const inOrder = fetched.toSorted(([, a], [, b]) => a.startMs + a.durationMs - (b.startMs + b.durationMs))
    expect(total(parts.map(({ pages }) => pages))).toBe(inOrder.length)
    let from = 0
    for (const part of parts) {
      close(part, sums(inOrder.slice(from, from + part.pages).map(([page]) => page)))
      from += part.pages
    }
  })

  it('have examples of each error', () => {
    const { figures, all } = made[name]
    for (const { answer, isError, examples, pages } of figures.answers) {
      expect(examples).toHaveLength(isError ? Math.min(3, pages) : 0)
      for (const url of examples) {
        const page = all.found.findIndex((found) => found.url === url)
        expect(all.outcomes.get(page)?.error).toBe(answer)
      }
    }
  })

  it('count what plain counting counts', () => {
    const { figures, all } = made[name]
    const outcomes = [...all.outcomes.values()]
    const asked = [...all.outcomes].filter(([, { durationMs, status }]) => durationMs > 0 || status > 0)
    const redirects = outcomes.filter(({ error, location }) => error === undefined && location !== undefined)
    const isFetched = ({ error, location }: OutcomeRecord): boolean =>
      error === undefined && location === undefined
    const came = outcomes.filter(isFetched)
    for (const { answer, pages } of figures.answers) {
      const same = outcomes.filter(({ error, status }) => (error ?? String(status)) === answer)
      expect([answer, pages]).toEqual([answer, same.length])
    }
    expect(total(figures.answers.map(({ pages }) => pages))).toBe(outcomes.length)
    for (const { type, pages, bytes } of figures.types) {
      const same = came.filter((each) => (each.contentType ?? '').toLowerCase().split(';')[0] === type)
      expect([type, pages, bytes]).toEqual([type, same.length, total(same.map((each) => each.bytes))])
    }
    figures.depths.forEach(({ found, fetched }, depth) => {
      expect(found).toBe(all.found.filter((page) => page.url !== 'outside:' && page.depth === depth).length)
      expect(fetched).toBe(
        asked.filter(([page, outcome]) => isFetched(outcome) && all.found[page].depth === depth).length,
      )
    })
    expect(total(figures.time.pages)).toBe(came.length)
    expect(total(figures.time.bytes)).toBe(total(asked.map(([, { bytes }]) => bytes)))
    const sizes = came.map(({ bytes }) => bytes).filter((bytes) => bytes > 0)
    expect(figures.sizes).toMatchObject({ count: sizes.length, max: Math.max(...sizes) })
    expect(figures.sizes!.mean).toBeCloseTo(total(sizes) / sizes.length, 6)
    const median = sizes.toSorted((a, b) => a - b)[Math.ceil(sizes.length / 2) - 1]
    expect(Math.abs(figures.sizes!.median / median - 1)).toBeLessThan(0.03)
    expect(total(figures.sizes!.bins.map(({ count }) => count))).toBe(sizes.length)
    expect(figures.durations!.count).toBe(asked.length)
    expect(figures.particulars.redirects).toBe(redirects.length)
    const copies = came.filter(({ duplicateOf }) => duplicateOf !== undefined).length
    expect(figures.particulars.duplicateBodies + figures.particulars.duplicateTexts).toBe(copies)
  })

  it('count the pages of each site', () => {
    const { figures, all } = made[name]
    for (const { site, ...counts } of figures.topSites) {
      const its = all.found.flatMap(({ url }, page) =>
        url.startsWith(`http://${site}/`) ? [all.outcomes.get(page)] : [],
      )
      const asked = its.filter((each) => each !== undefined && each.error !== 'robots')
      expect(counts).toEqual({
        fetched: asked.filter((each) => each!.error === undefined && each!.location === undefined).length,
        waiting: its.filter((each) => each === undefined).length,
        failed: asked.filter((each) => each!.error !== undefined).length,
        refused: its.filter((each) => each?.error === 'robots').length,
        bytes: total(asked.map((each) => each!.bytes)),
        meanMs: asked.length === 0 ? 0 : total(asked.map((each) => each!.durationMs)) / asked.length,
      })
    }
    const names = [
      ...figures.topSites.map(({ site }) => site),
      ...figures.importance.map((site) => site.name),
    ]
    expect(names.length).toBe(
      new Set(figures.topSites.map(({ site }) => site)).size +
        new Set(figures.importance.map((site) => site.name)).size,
    )
    const fetched = figures.topSites.map((site) => site.fetched)
    expect(fetched).toEqual(fetched.toSorted((a, b) => b - a))
  })
})

it('something of everything was there to count', () => {
  const { answers, particulars, coverage } = made['guaranteed'].figures
  expect(answers.map(({ answer }) => answer)).toEqual(
    expect.arrayContaining(['200', '301', 'http-404', 'robots']),
  )
  expect(particulars.duplicateBodies).toBeGreaterThan(0)
  for (const part of ['robots', 'failed', 'budget'] as const) expect(coverage[part]).toBeGreaterThan(0)
  expect(made['scoped'].figures.coverage.scope).toBeGreaterThan(0)
  expect(made['resumed'].figures.time.sessions).toBe(2)
})

it('a killed crawl has its figures too, computed', () => {
  const { figures } = made['guaranteed']
  const path = join(folder, 'guaranteed')
  CrawlFolder.open(path).update({ totals: undefined })
  return crawlFigures(path).then((cut) => {
    expect(cut.end).toBeUndefined()
    for (const [part, share] of Object.entries(cut.coverage)) {
      expect(share).toBeCloseTo(figures.coverage[part as 'failed'], 6)
    }
  })
})

it('a folder without a crawl is refused', async () => {
  mkdirSync(join(folder, 'none'))
  await expect(crawlFigures(join(folder, 'none'))).rejects.toMatchObject({ code: 'NO_CRAWL' })
  writeFileSync(join(folder, 'none', 'crawl.json'), '{')
  await expect(crawlFigures(join(folder, 'none'))).rejects.toMatchObject({ code: 'NO_CRAWL' })
})
