import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { afterDatedChange, afterLook } from './bayes.ts'
import { changeEstimate } from './estimators.ts'
import { keyOfLevel, levelOf, nextRise } from './levelled-keys.ts'
import { optimalRates, periodicAge, periodicFreshness } from './optimal-rates.ts'
import { signalValue } from './signals.ts'
import { SiteClock } from './site-clocks.ts'
import { crawlValue, fadingValue, gammaFreshTime, gammaValue, knownRateValue } from './value.ts'

const sum = (list: Iterable<number>): number => [...list].reduce((a, b) => a + b, 0)

describe('the value of a fetch', () => {
  it('is the closed form where the rate is known', () => {
    expect(crawlValue({ rate: 1, since: 1 })).toBeCloseTo(1 - 2 / Math.E, 14)
    expect(crawlValue({ rate: 2, since: Infinity })).toBe(1 / 2)
    expect(crawlValue({ rate: 0, since: 5 })).toBe(0)
  })

  it('is the closed form where the rate is Gamma(a, b)', () => {
    expect(crawlValue({ a: 1, b: 1, since: 1 })).toBeCloseTo(Math.LN2 - 1 / 2, 14)
    expect(crawlValue({ a: 2, b: 1, since: 3 })).toBeCloseTo(9 / 16, 14)
    expect(crawlValue({ mass: 3, a: 1 / 2, b: 1, since: 3 })).toBeCloseTo(3 / 2, 14)
    expect(gammaValue(1 / 2, 1, 8)).toBeCloseTo(4 / 3, 14)
    expect(gammaFreshTime(1 / 2, 1, 3)).toBeCloseTo(2, 14)
    expect(gammaFreshTime(1 / 2, 1, 8)).toBeCloseTo(4, 14)
  })

  it('has no step where the series for small times ends', () => {
    for (const [a, b] of [
      [1, 1],
      [0.25, 1],
      [31, 2],
    ]) {
      const at = (1e-3 * b) / (a + 4)
      expect(gammaValue(a, b, at * (1 + 1e-9)) / gammaValue(a, b, at * (1 - 1e-9))).toBeCloseTo(1, 7)
    }
    expect(knownRateValue(1, 1e-3 * (1 + 1e-9)) / knownRateValue(1, 1e-3 * (1 - 1e-9))).toBeCloseTo(1, 7)
  })

  it('never falls while a page waits, and a page that was found hopeless comes up again', () => {
    let before = 0
    for (let since = 0.5; since < 400; since += 0.5) {
      const value = fadingValue(32, 1, since, 60)
      expect(value).toBeGreaterThanOrEqual(before * (1 - 1e-14))
      before = value
    }
    expect(before).toBeGreaterThan(10 * gammaValue(32, 1, 400))
  })

  it('counts signals: without false ones, a signal makes the change certain', () => {
    const model = { rate: 1, recall: 1 / 2, falseRate: 0 }
    expect(signalValue(model, 2, 0)).toBeCloseTo((1 - 1 / Math.E) ** 2, 14)
    expect(signalValue(model, 2, 1)).toBe(1)
    expect(signalValue({ ...model, recall: 1 }, 7, 0)).toBeCloseTo(0, 15)
  })
})

describe('levels', () => {
  it('are four to an octave', () => {
    expect([levelOf(1), levelOf(1 / 2), levelOf(0)]).toEqual([0, -4, -Infinity])
    expect(keyOfLevel(0)).toBeCloseTo(2 ** (1 / 8), 9)
    expect(keyOfLevel(-4)).toBeCloseTo(2 ** (-7 / 8), 9)
  })

  it('rise exactly when the value reaches the next one', () => {
    const generator = seededRandom(7)
    const random = (): number => generator.fraction()
    for (let trial = 0; trial < 300; trial++) {
      const a = 0.1 + 10 * random()
      const b = 0.1 + 30 * random()
      const since = 200 * random() ** 3
      const target = fadingValue(a, b, since, 60) * (1 + random())
      const at = nextRise(a, b, since, target, 60)
      expect(at).toBeGreaterThanOrEqual(since)
      expect(fadingValue(a, b, Math.max(since, at * (1 - 1e-8)), 60)).toBeLessThanOrEqual(target * (1 + 1e-9))
      if (at % 60 !== 0) expect(fadingValue(a, b, at, 60) / target).toBeCloseTo(1, 9)
    }
  })
})

describe('estimates of a change rate', () => {
  it('learn from a look by hand', () => {
    const changed = afterLook(1, 1, 1, true)
    expect(changed.a).toBeCloseTo(9 / 5, 13)
    expect(changed.b).toBeCloseTo(6 / 5, 13)
    expect(afterLook(1, 1, 1, false)).toEqual({ a: 1, b: 2 })
    expect(afterDatedChange(1, 1, 1 / 4)).toEqual({ a: 2, b: 5 / 4 })
  })

  it('by name agree with the published formulas', () => {
    const looks = Array.from({ length: 10 }, (_, i) => ({ since: 1, changed: i < 3 }))
    const { naive, cho, mle, pooled } = changeEstimate(looks)
    expect(naive).toBeCloseTo(0.3, 14)
    expect(cho).toBeCloseTo(-Math.log(7.5 / 10.5), 14)
    expect(mle).toBeCloseTo(-Math.log(0.7), 12)
    expect(pooled).toBeCloseTo(-Math.log(0.7), 12)
    const two = changeEstimate([
      [1, true],
      [2, false],
    ])
    expect(two.mle).toBeCloseTo(Math.log(1.5), 12)
    expect(two.pooled).toBeCloseTo(Math.log(1.5), 12)
  })

  it('stay finite after any looks', () => {
    const generator = seededRandom(3)
    const random = (): number => generator.fraction()
    let a = 1
    let b = 15
    for (let look = 0; look < 2000; look++) {
      ;({ a, b } = afterLook(a, b, 1e-6 + 1e4 * random() ** 8, random() < 0.5))
      expect(a > 0 && a <= 32 && b > 0 && Number.isFinite(b)).toBe(true)
    }
  })
})

describe('a site clock', () => {
  it('shares a change out among the bins it may have happened in', () => {
    const clock = new SiteClock(1)
    const x = 0.25 / -Math.expm1(-0.25)
    expect(clock.looked(1, 3, 0, 1, true)).toBeCloseTo((1 + x) / 1.25, 13)
  })

  it('makes pages last seen before a burst older than those seen since', () => {
    const clock = new SiteClock(1)
    for (let page = 0; page < 40; page++) clock.looked(1, 30, 0, 8, false)
    for (let page = 0; page < 40; page++) clock.looked(1, 30, 0, 10, true)
    clock.turn(11)
    expect(clock.elapsed(7, 11)).toBeGreaterThan(2 * clock.elapsed(10, 11) + 3)
  })

  it('measures an interval as the sum of its parts', () => {
    const clock = new SiteClock(0.5)
    const generator = seededRandom(5)
    const random = (): number => generator.fraction()
    for (let look = 0; look < 50; look++) clock.looked(1, 9, random() * 5, 5 + look / 10, random() < 0.5)
    clock.turn(11)
    for (let trial = 0; trial < 50; trial++) {
      const [s, m] = [random() * 10, random() * 10].toSorted((p, q) => p - q)
      const parts = clock.elapsed(s, 11) - clock.elapsed(m, 11)
      let expected = 0
      const step = (m - s) / 5000
      for (let i = 0; i < 5000; i++) expected += step * clock.speedOf(clock.binOf(s + (i + 0.5) * step))
      expect(parts).toBeCloseTo(expected, 2)
    }
  })
})

describe('optimal refresh rates', () => {
  const cho = { mass: [1, 1, 1, 1, 1], rates: [1, 2, 3, 4, 5], budget: 5 }

  it("are Cho and Garcia-Molina's for five pages, for freshness and for age", () => {
    const { fetches, freshness } = optimalRates(cho)
    expect([...fetches].map((f) => f.toFixed(4))).toEqual(['1.1499', '1.3584', '1.3538', '1.1379', '0.0000'])
    expect(freshness).toBeCloseTo(0.373889, 6)
    const age = optimalRates({ ...cho, objective: 'age' }).fetches
    expect([...age].map((f) => f.toFixed(4))).toEqual(['0.8349', '0.9679', '1.0335', '1.0706', '1.0931'])
    const mean = (of: (rate: number, i: number) => number): number => sum(cho.rates.map(of)) / 5
    expect(mean((rate) => periodicFreshness(rate, rate / 3))).toBeCloseTo(0.316738, 6)
    expect(mean((rate) => periodicFreshness(rate, 1))).toBeCloseTo(0.365053, 6)
    expect(mean((rate) => periodicAge(rate, rate / 3))).toBeCloseTo(0.372977, 6)
    expect(mean((rate) => periodicAge(rate, 1))).toBeCloseTo(0.254324, 6)
    expect(mean((rate, i) => periodicAge(rate, age[i]))).toBeCloseTo(0.250335, 6)
  })

  it('are those of random times with `poisson`', () => {
    const { fetches, freshness } = optimalRates({ ...cho, poisson: true })
    expect([...fetches].map((f) => f.toFixed(4))).toEqual(['1.3860', '1.3743', '1.1326', '0.7719', '0.3352'])
    expect(freshness).toBeCloseTo(0.297365, 6)
    const small = optimalRates({ mass: [0.5, 0.5], rates: [1, 4], budget: 3, poisson: true })
    expect(small.fetches[0]).toBeCloseTo(5 / 3, 9)
    expect(small.fetches[1]).toBeCloseTo(4 / 3, 9)
    expect(small.freshness).toBeCloseTo(7 / 16, 9)
  })

  it('are refused for lists of different lengths and for a budget that is no number', () => {
    expect(() => optimalRates({ ...cho, rates: [1] })).toThrow('mass has 5 pages')
    expect(() => optimalRates({ ...cho, sites: [0, 0] })).toThrow('mass has 5 pages')
    for (const budget of [NaN, -1, Infinity])
      expect(() => optimalRates({ ...cho, budget })).toThrow(`budget is ${budget}`)
  })

  it('share equally among equal pages', () => {
    const { fetches, freshness } = optimalRates({ mass: [0.5, 0.5], rates: [1, 1], budget: 2 })
    expect(fetches[0]).toBeCloseTo(1, 9)
    expect(fetches[1]).toBeCloseTo(1, 9)
    expect(freshness).toBeCloseTo(1 - 1 / Math.E, 9)
  })

  it('use the budget up, and every page that is fetched has the value of the price when it is due', () => {
    const generator = seededRandom(11)
    const random = (): number => generator.fraction()
    for (let trial = 0; trial < 20; trial++) {
      const n = 2 + Math.floor(random() * 30)
      const mass = Array.from({ length: n }, () => random() ** 3)
      const rates = Array.from({ length: n }, () => Math.exp(4 * random() - 3))
      const budget = n * (0.1 + random())
      const { fetches, price, freshness } = optimalRates({ mass, rates, budget })
      expect(sum(fetches) / budget).toBeCloseTo(1, 9)
      fetches.forEach((f, page) => {
        if (f > 0) expect((mass[page] * knownRateValue(rates[page], 1 / f)) / price).toBeCloseTo(1, 7)
        else expect(mass[page] / rates[page]).toBeLessThanOrEqual(price)
      })
      const total = sum(mass)
      const of = (at: (page: number) => number): number =>
        sum(mass.map((m, page) => m * periodicFreshness(rates[page], at(page)))) / total
      expect(freshness).toBeGreaterThanOrEqual(of(() => budget / n) - 1e-12)
      const equal = (at: (page: number) => number): number =>
        sum(rates.map((rate, page) => periodicFreshness(rate, at(page))))
      const all = sum(rates)
      expect(equal(() => budget / n)).toBeGreaterThanOrEqual(equal((page) => (budget * rates[page]) / all))
    }
  })
})
