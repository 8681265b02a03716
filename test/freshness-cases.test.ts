/**
 * The worked cases of continuous crawling, where they stand beside the checkout. Their crawls give the horizon in days, so the rule for it
 * (S45, S71) changes none of them, and keys count in days.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FreshnessMeter } from '../src/webgraph/measures/freshness.ts'
import { afterLook } from '../src/engine/recrawl/bayes.ts'
import { changeEstimate } from '../src/engine/recrawl/estimators.ts'
import { keyOfLevel, levelOf, levelTime } from '../src/engine/recrawl/levelled-keys.ts'
import { optimalRates } from '../src/engine/recrawl/optimal-rates.ts'
import { signalValue } from '../src/engine/recrawl/signals.ts'
import { SiteClock } from '../src/engine/recrawl/site-clocks.ts'
import { gammaFreshTime, gammaSurvival, gammaValue, knownRateValue } from '../src/engine/recrawl/value.ts'
import { recrawlOf, type ChangingPage } from './recrawl-cases.ts'
import { absent, sharedPath } from './shared-data.ts'

const file = 'freshness-cases.json'

// oxlint-disable-next-line typescript/no-explicit-any -- each kind of case has fields of its own
type Case = Record<string, any>
const cases: Case[] = absent(file)
  ? []
  : (JSON.parse(readFileSync(sharedPath(file), 'utf8')) as { cases: Case[] }).cases

function close(value: number, expected: number, relative = 1e-9): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(relative * Math.max(Math.abs(expected), 1e-6))
}

const checks: Record<string, (given: Case) => void> = {
  value: ({ rate, tau, value }) => close(knownRateValue(rate, tau), value),
  valueGamma({ a, b, tau, value, held, survival }) {
    close(gammaValue(a, b, tau), value)
    close(gammaFreshTime(a, b, tau), held)
    close(gammaSurvival(a, b, tau), survival)
  },
  levelTime: ({ a, b, mass, level, tau }) => close(levelTime({ a, b, mass, level }), tau),
  level({ value, level, key }) {
    expect(levelOf(value)).toBe(level)
    close(keyOfLevel(level), key)
  },
  valueSignals({ rate, recall, tau, signals, value, ...rest }) {
    close(signalValue({ rate, recall, falseRate: rest['false'] as number }, tau, signals), value)
  },
  look({ a, b, tau, changed, newA, newB }) {
    const after = afterLook(a, b, tau, changed)
    close(after.a, newA)
    close(after.b, newB)
  },
  estimate({ looks, naive, cho, mle, pooled }) {
    const estimate = changeEstimate(looks)
    close(estimate.naive, naive)
    close(estimate.cho, cho)
    close(estimate.mle, mle)
    close(estimate.pooled, pooled)
  },
  optimal(given) {
    const { mass, rates, budget } = given as { mass: number[]; rates: number[]; budget: number }
    const periodic = optimalRates({ mass, rates, budget })
    const poisson = optimalRates({ mass, rates, budget, poisson: true })
    given['periodic'].forEach((fetches: number, page: number) => close(periodic.fetches[page], fetches))
    given['poisson'].forEach((fetches: number, page: number) => close(poisson.fetches[page], fetches))
    close(periodic.price, given['price'])
    close(periodic.freshness, given['freshness'])
    close(poisson.price, given['poissonPrice'])
    close(poisson.freshness, given['poissonFreshness'])
  },
  optimalSites(given) {
    const { mass, rates, sites, caps, budget } = given as unknown as Parameters<typeof optimalRates>[0]
    const found = optimalRates({ mass, rates, sites: sites!, caps: caps!, budget })
    given['periodic'].forEach((fetches: number, page: number) => close(found.fetches[page], fetches))
    close(found.price, given['price'])
    for (const [site, price] of Object.entries(given['sitePrices'] as Record<number, number>))
      close(found.sitePrices[Number(site)], price)
  },
  crawl({ pages, options, log, keys }) {
    const [a, b] = (options.prior ?? [1 / 4, 1]) as [number, number]
    const clock = options.clock === true
    const found = recrawlOf({
      pages: pages as ChangingPage[],
      policy: options.policy,
      rate: options.rate,
      end: options.end,
      gap: options.gap,
      rates: options.rates,
      setting: { horizon: options.horizon, prior: { a, b }, siteClock: clock, clockPagesMin: 1 },
    })
    expect(found.log.map(([time, page, verdict]) => [time.toFixed(6), page, verdict])).toEqual(
      log.map(([time, page, verdict]: [number, number, string]) => [time.toFixed(6), page, verdict]),
    )
    // Uniform is shown the time since the last look there, which orders pages alike.
    if (options.policy !== 'uniform') keys.forEach((key: number, i: number) => close(found.keys[i], key))
  },
  judge(given) {
    const { pages, fetches, start, end, measures } = given as {
      pages: ChangingPage[]
      fetches: [number, number][]
      start: number
      end: number
      measures: Case
    }
    const meter = new FreshnessMeter({
      pages: pages.length,
      bornAt: (page) => pages[page].born ?? 0,
      goneAt: () => Infinity,
      importance: pages.map(({ mass }) => mass),
      from: start,
      end,
    })
    for (const [day, page] of fetches)
      meter.fetched(page, day, pages[page].changes.find((change) => change > day) ?? Infinity)
    const found = meter.end()
    close(found.plain, measures['freshness'])
    close(found.age, measures['age'])
    close(found.weighted, measures['weightedFreshness'])
    close(found.weightedAge, measures['weightedAge'])
    close(found.yield!, measures['yield_'])
    expect(found.fetches).toBe(measures['fetches'])
    expect(found.discovery).toMatchObject(measures['discovery'])
  },
  siteClock({ width, looks, answers, mean, speeds }) {
    const clock = new SiteClock(width)
    const turn = (now: number): void => {
      if (clock.lookedSinceTurn && clock.binOf(now) > clock.turnBin) clock.turn(now)
    }
    looks.forEach((look: Case, i: number) => {
      turn(look['now'])
      close(clock.elapsed(look['since'], look['now']), answers[i].elapsed)
      close(
        clock.looked(look['a'], look['b'], look['since'], look['now'], look['changed']),
        answers[i].counts,
      )
    })
    const last = looks.at(-1).now as number
    clock.turn(last)
    close(clock.mean, mean)
    for (const [bin, speed] of Object.entries(speeds as Record<string, number>))
      if (Number(bin) >= clock.binOf(last) - 256) close(clock.speedOf(Number(bin)), speed)
  },
}

it.skipIf(absent(file))(
  'the worked cases of freshness are there (needs ../shared/freshness-cases.json)',
  () => {
    expect(cases.length).toBeGreaterThan(30)
  },
)

describe.skipIf(absent(file))('the worked cases of freshness (../shared/freshness-cases.json)', () => {
  for (const given of cases) {
    const check = checks[given['kind'] as string]
    if (check === undefined) continue
    it(given['name'] as string, () => check(given))
  }
})
