import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { FreshnessMeter, type FreshnessMeasures } from './freshness.ts'

interface Page {
  readonly born: number
  readonly gone: number
  readonly changes: readonly number[]
  readonly weight: number
  readonly fetches: readonly number[]
}

interface Case {
  readonly pages: readonly Page[]
  readonly from: number
  readonly end: number
}

function measured({ pages, from, end }: Case): FreshnessMeasures {
  const meter = new FreshnessMeter({
    pages: pages.length,
    bornAt: (page) => pages[page].born,
    goneAt: (page) => pages[page].gone,
    importance: pages.map(({ weight }) => weight),
    from,
    end,
  })
  const looks = pages.flatMap(({ fetches }, page) => fetches.map((day) => ({ day, page })))
  for (const { day, page } of looks.toSorted((a, b) => a.day - b.day)) {
    const { changes, gone } = pages[page]
    if (gone <= day) meter.gone(page, day)
    else meter.fetched(page, day, Math.min(gone, changes.find((change) => change > day) ?? Infinity))
  }
  return meter.end()
}

/** The definitions, evaluated at the middle of every unit of time: exact if everything happens at whole times. */
function naive({ pages, from, end }: Case): Omit<FreshnessMeasures, 'curve'> {
  const sums = { fresh: 0, counted: 0, age: 0, weightedFresh: 0, weightedCounted: 0, weightedAge: 0 }
  for (const { born, gone, changes, weight, fetches } of pages) {
    const copies = fetches.filter((day) => day < gone)
    const known = copies.length === 0 ? gone : (fetches.find((day) => day >= gone) ?? Infinity)
    for (let start = from; start < end; start++) {
      const now = start + 1 / 2
      if (now < born || now > known) continue
      const copy = copies.findLast((day) => day <= now)
      const staleSince =
        copy === undefined ? born : [...changes, gone].find((day) => day > copy && day <= now)
      const age = staleSince === undefined ? 0 : now - staleSince
      const fresh = staleSince === undefined ? 1 : 0
      sums.fresh += fresh
      sums.counted++
      sums.age += age
      sums.weightedFresh += fresh * weight
      sums.weightedCounted += weight
      sums.weightedAge += age * weight
    }
  }
  const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
  return {
    plain: ratio(sums.fresh, sums.counted),
    weighted: ratio(sums.weightedFresh, sums.weightedCounted),
    age: ratio(sums.age, sums.counted),
    weightedAge: ratio(sums.weightedAge, sums.weightedCounted),
    ...naiveLooks({ pages, from, end }),
  }
}

function naiveLooks({ pages, from, end }: Case): Pick<FreshnessMeasures, 'yield' | 'fetches' | 'discovery'> {
  let fetchCount = 0
  let again = 0
  let found = 0
  let unseen = 0
  const delays: { days: number; weight: number }[] = []
  for (const { born, gone, changes, weight, fetches } of pages) {
    fetches.forEach((day, i) => {
      if (day < from || day >= end) return
      fetchCount++
      if (i === 0) return
      again++
      if ([...changes, gone].some((change) => change > fetches[i - 1] && change <= day)) found++
    })
    if (born < from || born >= end) continue
    const first = fetches.find((day) => day < gone)
    if (first === undefined) unseen++
    delays.push({ days: (first ?? end) - born, weight })
  }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const sorted = delays.map(({ days }) => days).toSorted((a, b) => a - b)
  const weights = sum(delays.map(({ weight }) => weight))
  return {
    yield: again === 0 ? null : found / again,
    fetches: fetchCount,
    discovery: {
      pages: delays.length,
      unseen,
      mean: delays.length === 0 ? null : sum(sorted) / delays.length,
      median: sorted[(sorted.length - 1) >> 1] ?? null,
      weightedMean: weights === 0 ? null : sum(delays.map(({ days, weight }) => days * weight)) / weights,
    },
  }
}

const end = 24
const days = fc.uniqueArray(fc.integer({ min: 0, max: end - 1 }), { maxLength: 8 })

const arbitraryPage: fc.Arbitrary<Page> = fc
  .record({
    born: fc.integer({ min: 0, max: end - 1 }),
    life: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    changes: days,
    fetches: days,
    weight: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ born, life, changes, fetches, weight }) => {
    const gone = life === undefined ? Infinity : born + life
    const looks = fetches.filter((day) => day >= born).toSorted((a, b) => a - b)
    const knownGone = looks.findIndex((day) => day >= gone)
    return {
      born,
      gone,
      weight,
      changes: changes.filter((day) => day > born && day < gone).toSorted((a, b) => a - b),
      fetches: knownGone < 0 ? looks : looks.slice(0, knownGone + 1),
    }
  })

const arbitraryCase: fc.Arbitrary<Case> = fc
  .record({
    pages: fc.array(arbitraryPage, { minLength: 1, maxLength: 12 }),
    from: fc.integer({ min: 0, max: end - 1 }),
  })
  .map(({ pages, from }) => ({ pages, from, end }))

describe('the measures of freshness', () => {
  it('are those worked out by hand: changes at 1, 2, 3; fetched at 0, 1.5, 3; over [0, 4)', () => {
    const page: Page = { born: 0, gone: Infinity, changes: [1, 2, 3], weight: 1, fetches: [0, 1.5, 3] }
    const found = measured({ pages: [page], from: 0, end: 4 })
    expect(found).toMatchObject({
      plain: 5 / 8,
      weighted: 5 / 8,
      age: 5 / 32,
      weightedAge: 5 / 32,
      yield: 1,
      fetches: 3,
      discovery: { pages: 1, unseen: 0, mean: 0, median: 0 },
    })
  })

  it('equal the definitions evaluated at every moment', () => {
    fc.assert(
      fc.property(arbitraryCase, (given) => {
        const found = measured(given)
        const expected = naive(given)
        for (const name of ['plain', 'weighted', 'age', 'weightedAge'] as const)
          expect(found[name]).toBeCloseTo(expected[name], 10)
        expect(found.yield).toEqual(expected.yield)
        expect(found.fetches).toBe(expected.fetches)
        expect(found.discovery).toMatchObject({
          pages: expected.discovery.pages,
          unseen: expected.discovery.unseen,
          median: expected.discovery.median,
        })
        for (const name of ['mean', 'weightedMean'] as const)
          expect(found.discovery[name] ?? -1).toBeCloseTo(expected.discovery[name] ?? -1, 10)
      }),
      seeded(500),
    )
  })

  it('have a curve whose points are the weighted freshness of each hundredth of the time', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ pages }) => {
        const scaled = { pages, from: 0, end: 100 }
        const { curve } = measured(scaled)
        for (let i = 0; i < 100; i += 7) {
          const part = naive({ pages, from: i, end: i + 1 })
          // Pages that are unseen when the part ends count there too.
          const point = curve[i]
          if (point !== null) expect(point).toBeCloseTo(part.weighted, 9)
        }
      }),
      seeded(100),
    )
  })
})
