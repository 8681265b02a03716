/** What is said of the next look at each page, against what happens in the rest of a simulated continuous crawl. */
import { describe, expect, it } from 'vitest'
import { seededRandom, type Random } from '../lib/random.ts'
import { recrawlOf, type ChangingPage } from '../../test/recrawl-cases.ts'
import { pageDue, recrawlTotals } from './recrawl-view.ts'
import { recrawlPolicies } from './recrawl/policies/index.ts'

const daySeconds = 86_400
const pageCount = 60
/** Four pages a day: a round is 15 days. */
const rate = 4
const roundDays = pageCount / rate
const end = 450

/** Changes per round: the smallest and the largest rate, as powers of ten. Those of the last two webs change faster than they are fetched. */
const webs = {
  'rarely changing': [-2, 0],
  mixed: [-2, 2],
  'often changing': [0.7, 1.7],
  'always changing': [2, 2],
} as const

interface ChangingWeb {
  readonly pages: readonly ChangingPage[]
  readonly rates: readonly number[]
}

function webOf(name: keyof typeof webs, random: Random): ChangingWeb {
  const [low, high] = webs[name]
  const rates = Array.from(
    { length: pageCount },
    () => 10 ** (low + (high - low) * random.fraction()) / roundDays,
  )
  const pages = rates.map((each, page) => {
    const changes: number[] = []
    for (let at = 0; ; changes.push(at)) {
      at -= Math.log(1 - random.fraction()) / each
      if (at >= end) break
    }
    return { mass: 0.1 + random.fraction() ** 3, site: page % 3, changes }
  })
  return { pages, rates }
}

interface Forecast {
  readonly at: number
  readonly page: number
  readonly due: number | undefined
}

describe.each(recrawlPolicies.map(({ name }) => name))('forecasts by %s', (policy) => {
  it.each(Object.keys(webs) as (keyof typeof webs)[])('come true: pages are %s', (name) => {
    const { pages, rates } = webOf(name, seededRandom(5))
    const forecasts: Forecast[] = []
    let next = 10 * roundDays
    const { engine, log } = recrawlOf({
      pages,
      rates,
      policy,
      rate,
      end,
      watch(running, at) {
        if (at < next || at > 24 * roundDays) return
        next += 13.37
        for (let page = 0; page < pageCount; page++) {
          const due = pageDue(running, page, at * daySeconds)
          forecasts.push({ at, page, due: due === undefined ? undefined : due / daySeconds })
        }
      },
    })
    const looks = pages.map((_, page) => log.filter(([, each]) => each === page).map(([at]) => at))
    // Something is said of exactly those pages that were looked at twice. Waits of less than two looks count as that.
    const wait = (from: number, to: number): number => Math.max(2 / rate, Math.min(to, end) - from)
    const octaves: number[] = []
    for (const { at, page, due } of forecasts) {
      const before = looks[page].filter((each) => each < at).length
      expect(due !== undefined).toBe(before >= 2)
      if (due === undefined) continue
      const looked = looks[page][before] ?? Infinity
      octaves.push(Math.abs(Math.log2(wait(at, due) / wait(at, looked))))
    }
    octaves.sort((a, b) => a - b)
    const within = (share: number): number => octaves[Math.floor(share * octaves.length)]
    expect(within(0.5)).toBeLessThan(0.6)
    expect(within(0.9)).toBeLessThan(isGreedy(policy) ? 1.4 : 2.7)
    // As many looks are said as there are.
    const { held, policy: state } = engine.recrawl!
    let [perDay, once] = [0, 0]
    for (let page = 0; page < pageCount; page++) {
      if (held.of(page) === 0) continue
      const intervalDays = held.intervalDays(page)
      if (intervalDays === undefined) once++
      else perDay += 1 / Math.max(intervalDays, end - state.lastLookDay(page))
    }
    expect(perDay / rate).toBeGreaterThan(0.75)
    expect(perDay / rate).toBeLessThan(1.5)
    // Each held page is in one class.
    const { intervals, lookedOnce, held: copies } = recrawlTotals(engine, end * daySeconds)
    expect(lookedOnce).toBe(once)
    expect(intervals!.reduce((sum, each) => sum + each.pages, lookedOnce)).toBe(copies)
  })
})

function isGreedy(policy: string): boolean {
  return policy === 'greedy' || policy === 'change-signals'
}
