/** Crawls a handful of pages that change at given times, with the real engine: every page is known when it is born, fetches take no time. */
import { Engine } from '../src/engine/engine.ts'
import type { Verdict } from '../src/engine/recrawl-policy.ts'
import type { FactWriter } from '../src/engine/fact-writer.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { optimalRates } from '../src/engine/recrawl/optimal-rates.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import type { RecrawlSetting } from '../src/engine/recrawl/policies/setting.ts'
import { noParent } from '../src/engine/strategy.ts'
import { fixedScore } from '../src/engine/strategies/fixed-score.ts'

export interface ChangingPage {
  readonly mass: number
  readonly site: number
  readonly changes: readonly number[]
  readonly born?: number
}

export interface RecrawlCase {
  readonly pages: readonly ChangingPage[]
  readonly policy: string
  /** Fetches a day, and the days the crawl takes. */
  readonly rate: number
  readonly end: number
  readonly gap?: number
  readonly restSeconds?: number
  readonly refreshShare?: number
  readonly setting?: RecrawlSetting
  /** True change rates. */
  readonly rates?: readonly number[]
  readonly facts?: FactWriter
  /** Called before each choice, with the day. */
  readonly watch?: (engine: Engine, now: number) => void
}

export interface RecrawlLog {
  readonly engine: Engine
  readonly log: [number, number, Verdict][]
  readonly keys: number[]
}

const day = 86_400
const noLinks = new Uint32Array(0)

/** Page numbers are those of the case as long as pages are born in order; the others are mapped. */
export function recrawlEngine(given: RecrawlCase, order: readonly number[]): Engine {
  const { pages, policy, rate, rates } = given
  const isOracle = policy === 'optimal'
  const shares =
    isOracle && rates !== undefined
      ? optimalRates({ mass: pages.map(({ mass }) => mass), rates, budget: rate }).fetches
      : undefined
  const fetchesOf = (page: number): number => shares?.[order[page]] ?? 0
  const firstDueOf = (page: number): number => {
    const id = order[page]
    const fetches = fetchesOf(page)
    if (fetches === 0 && rates![id] > 0) return Infinity
    return (pages[id].born ?? 0) + unit(hashId(id, 9)) * Math.min(1 / fetches, pages.length / rate)
  }
  const setting = { ...given.setting, fetchesOf, firstDueOf }
  const strategy = fixedScore('given', (page) =>
    isOracle ? -firstDueOf(page) : policy === 'uniform' ? 0 : pages[order[page]].mass,
  )
  return new Engine({
    strategy: { ...strategy, masses: () => (page) => pages[order[page]].mass },
    frontier: new TwoLevelFrontier(),
    recrawl: {
      policy: recrawlPolicyOf(policy, setting),
      frontier: new TwoLevelFrontier(),
      perDay: rate,
      restSeconds: given.restSeconds ?? 0,
      ...(given.refreshShare === undefined ? {} : { refreshShare: given.refreshShare }),
    },
    connections: 1000,
    ...(given.facts === undefined ? {} : { facts: given.facts }),
  })
}

export function recrawlOf(given: RecrawlCase): RecrawlLog {
  const { pages, rate, end, gap = 0 } = given
  const order = pages
    .map((_, page) => page)
    .sort((p, q) => (pages[p].born ?? 0) - (pages[q].born ?? 0) || p - q)
  const engine = recrawlEngine(given, order)
  let known = 0
  const isBorn = (by: number): boolean => known < order.length && (pages[order[known]].born ?? 0) <= by
  for (; isBorn(0); known++) engine.seed(pages[order[known]].site)
  const held = new Map<number, number>()
  const log: [number, number, Verdict][] = []
  const keys: number[] = []
  let seconds = 0
  let now = 0
  const asked: number[] = []
  const world = {
    now: () => seconds,
    fetch: (_site: number, list: Uint32Array) => void asked.push(list[0]),
    deliver: () => {},
    wait: () => undefined,
  }
  while (now < end - 1e-9) {
    given.watch?.(engine, now)
    engine.dispatch(world)
    for (const page of asked.splice(0)) {
      const id = order[page]
      const version = pages[id].changes.filter((change) => change <= now).length
      const before = held.get(page)
      const verdict = before === undefined ? 'first' : before === version ? 'same' : 'changed'
      held.set(page, version)
      if (verdict === 'first') engine.fetched(page, noLinks, 0, noLinks)
      engine.looked(page, seconds, verdict)
      // Pages born before the next choice are known there.
      for (; isBorn(now + 1 / rate); known++) engine.listed(pages[order[known]].site, noParent)
      engine.closed(pages[id].site, seconds + gap * day)
      log.push([now, id, verdict])
      keys.push(engine.recrawl!.price.taken)
    }
    const next = engine.nextDue()
    if (!(next > seconds)) throw new Error(`stuck at ${now}`)
    seconds = next
    now = seconds / day
  }
  return { engine, log, keys }
}
