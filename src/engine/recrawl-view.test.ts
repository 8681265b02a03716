import { describe, expect, it } from 'vitest'
import { TwoLevelFrontier } from './frontiers/two-level.ts'
import { recrawlPolicies, recrawlPolicyOf } from './recrawl/policies/index.ts'
import { gammaSurvival, gammaValue } from './recrawl/value.ts'
import { fixedScore } from './strategies/fixed-score.ts'
import { Engine } from './engine.ts'
import { expectedFreshness, heldPageView, pageDue, recrawlTotals } from './recrawl-view.ts'

const day = 86_400
const noLinks = new Uint32Array(0)
const masses = [4, 2, 1, 1]

function engineOf(policy = 'greedy'): Engine {
  const strategy = fixedScore('given', (page) => masses[page], { isImportance: true })
  const setting = { horizon: 32, prior: { a: 1, b: 8 }, fetchesOf: () => 1 / 3, firstDueOf: () => 0 }
  const engine = new Engine({
    strategy,
    frontier: new TwoLevelFrontier(),
    connections: 3,
    recrawl: { policy: recrawlPolicyOf(policy, setting), frontier: new TwoLevelFrontier() },
  })
  for (let site = 0; site < 4; site++) engine.seed(site)
  return engine
}

function take(engine: Engine, seconds: number): number[] {
  const pages: number[] = []
  engine.dispatch({
    now: () => seconds,
    fetch: (_site, list) => void pages.push(list[0]),
    deliver: () => {},
    wait: () => undefined,
  })
  return pages
}

/** Three of four pages are held since time 0; the fourth is in flight. */
function crawled(policy?: string): Engine {
  const engine = engineOf(policy)
  for (const page of take(engine, 0)) {
    engine.fetched(page, noLinks, 0, noLinks)
    engine.looked(page, 0, 'first')
    engine.closed(page, 0)
  }
  take(engine, 0)
  return engine
}

describe('the view of a held page', () => {
  it('has its looks, estimate and value', () => {
    const engine = crawled()
    expect(heldPageView(engine, 3, 0)).toBeUndefined()
    expect(heldPageView(engine, 0, 0)).toMatchObject({ state: 'rests', looks: 1, lastVerdict: 'first' })
    const view = heldPageView(engine, 1, 2 * day)!
    expect(view).toMatchObject({ a: 1, b: 8, mass: 2, siteDays: 2, siteSpeed: 1, lastLook: 0, misses: 0 })
    expect(view.value).toBeCloseTo(2 * gammaValue(1, 8, 2), 12)
    expect(view.survival).toBeCloseTo(gammaSurvival(1, 8, 2), 12)
    // Before its second look it is the prior, and nothing is forecast.
    expect(view.isUnknownYet).toBe(true)
    expect(pageDue(engine, 1, 2 * day)).toBeUndefined()
  })

  it('has the verdicts, failures and 404s in a row', () => {
    const engine = crawled()
    expect(take(engine, day)).toEqual([0, 1])
    engine.looked(0, day, 'missing')
    engine.looked(1, day, 'failed')
    for (const site of [0, 1]) engine.closed(site, day)
    expect(heldPageView(engine, 0, day)).toMatchObject({
      looks: 2,
      lastVerdict: 'missing',
      misses: 1,
      mass: 2,
    })
    expect(heldPageView(engine, 1, day)).toMatchObject({ looks: 2, lastVerdict: 'failed', failures: 1 })
    expect(heldPageView(engine, 1, day)!.lastLook).toBe(0)
    expect(take(engine, 2 * day)).toEqual([1, 0])
    engine.looked(0, 2 * day, 'gone')
    engine.closed(0, 2 * day)
    expect(heldPageView(engine, 0, 3 * day)).toMatchObject({
      state: 'gone',
      survival: 0,
      isUnknownYet: false,
    })
    expect(pageDue(engine, 0, 3 * day)).toBe(Infinity)
  })

  it.each(recrawlPolicies.map(({ name }) => name))('exists for every policy: %s', (policy) => {
    const view = heldPageView(crawled(policy), 0, 2 * day)!
    expect(view).toMatchObject({ lastLook: 0, siteDays: 2, looks: 1, lastVerdict: 'first', mass: 4 })
    expect(Number.isNaN(view.value)).toBe(false)
  })
})

describe('the totals', () => {
  it('have the expected fresh share of the mass of all known pages, once there are two looks per page', () => {
    const engine = crawled()
    const pending = { freshCoverage: undefined, isFreshnessPending: true, intervals: undefined }
    expect(recrawlTotals(engine, 0)).toMatchObject({ held: 3, resting: 3, gone: 0, ...pending })
    expect(expectedFreshness(engine, 0)).toEqual({ share: 7 / 8, looksPerPage: 1 })
    const survival = gammaSurvival(1, 8, 5)
    expect(expectedFreshness(engine, 5 * day).share).toBeCloseTo((7 / 8) * survival, 12)
    for (const at of [day, 2 * day]) {
      for (const page of take(engine, at)) {
        engine.looked(page, at, 'same')
        engine.closed(page, at)
      }
    }
    const { freshCoverage, isFreshnessPending } = recrawlTotals(engine, 2 * day)
    expect(isFreshnessPending).toBe(false)
    expect(freshCoverage).toBe(expectedFreshness(engine, 2 * day).share)
  })

  it('have the share of looks that found a change, and leave out pages that are gone', () => {
    const engine = crawled()
    expect(recrawlTotals(engine, 0).yield).toBeUndefined()
    expect(take(engine, day)).toEqual([0, 1])
    engine.looked(0, day, 'changed')
    engine.looked(1, day, 'gone')
    for (const site of [0, 1]) engine.closed(site, day)
    expect(take(engine, 4 * day)).toEqual([0, 2])
    engine.looked(0, 4 * day, 'same')
    engine.looked(2, 4 * day, 'failed')
    const totals = recrawlTotals(engine, 4 * day)
    expect(totals).toMatchObject({ refreshes: 3, changes: 2, yield: 2 / 3, gone: 1, held: 2 })
    expect(expectedFreshness(engine, 4 * day).share).toBeCloseTo((4 + gammaSurvival(1, 8, 4)) / 6, 12)
  })

  it('have pages by the time between their last two looks, or since the last one if that is longer', () => {
    const engine = crawled()
    take(engine, day)
    for (const page of [0, 1]) {
      engine.looked(page, day, 'same')
      engine.closed(page, day)
    }
    const classOf = (seconds: number): [number | undefined, number][] =>
      recrawlTotals(engine, seconds)
        .intervals!.filter(({ pages }) => pages > 0)
        .map(({ daysMax, pages }) => [daysMax, pages])
    expect(recrawlTotals(engine, day).lookedOnce).toBe(1)
    expect(classOf(2 * day)).toEqual([[1, 2]])
    expect(classOf(3 * day)).toEqual([[3, 2]])
    expect(classOf(500 * day)).toEqual([[Infinity, 2]])
  })
})

describe('the next look at a held page', () => {
  it('follows from the time between its last two looks, and a page that waits longer waits as much longer again', () => {
    const engine = crawled()
    take(engine, 2 * day)
    engine.looked(0, 2 * day, 'changed')
    expect(pageDue(engine, 0, 3 * day)).toBe(4 * day)
    expect(pageDue(engine, 0, 4 * day)).toBe(4 * day)
    expect(pageDue(engine, 0, 7 * day)).toBe(10 * day)
  })

  it('is not before the end of its rest', () => {
    const engine = crawled()
    for (const [at, verdict] of [
      [2 * day, 'same'],
      [4 * day, 'failed'],
    ] as const) {
      expect(take(engine, at)).toContain(0)
      engine.looked(0, at, verdict)
      engine.closed(0, at)
    }
    // It rests for two hours after the failure; the last look that observed it was two days before.
    expect(pageDue(engine, 0, 4 * day)).toBe(4 * day + 2 * 3600)
  })

  it('is not known in a round, which looks at each page once', () => {
    const engine = crawled()
    take(engine, 2 * day)
    engine.looked(0, 2 * day, 'same')
    engine.recrawl!.round(true)
    expect(pageDue(engine, 0, 3 * day)).toBeUndefined()
  })
})
