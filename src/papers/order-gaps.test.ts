import { expect, it } from 'vitest'
import { gapsOf, isPublished, leaveOneOut, meanRanks } from './orders.ts'
import type { OrderRun } from './order-trials.ts'

/** Averages of strategies by web, from one start each. */
function runsOf(averages: Readonly<Record<string, Readonly<Record<string, number>>>>): OrderRun[] {
  return Object.entries(averages).flatMap(([web, byStrategy]) =>
    Object.entries(byStrategy).map(([strategy, pageRank]) => ({
      web,
      start: 0,
      strategy,
      pageRank,
      rankMass: 0,
      tau: 0,
      curve: [],
      seconds: 0,
      bytesPerPage: 0,
    })),
  )
}

const runs = runsOf({
  a: { omniscient: 0.9, opic: 0.5, pagerank: 0.7, 'corrected-pagerank': 0.8 },
  b: { omniscient: 0.9, opic: 0.5, pagerank: 0.7, 'corrected-pagerank': 0.8 },
  c: { omniscient: 0.9, opic: 0.7, pagerank: 0.5, 'corrected-pagerank': 0.6 },
})
const candidates = ['opic', 'pagerank', 'corrected-pagerank']

it('the gap is that between the best published strategy of a web and omniscient', () => {
  expect(
    gapsOf(runs, 'corrected-pagerank').map(({ bestPublished, closed }) => [bestPublished, closed]),
  ).toEqual([
    ['pagerank', expect.closeTo(0.5)],
    ['pagerank', expect.closeTo(0.5)],
    ['opic', expect.closeTo(-0.5)],
  ])
  expect(meanRanks(runs).get('corrected-pagerank')).toBeCloseTo(7 / 3)
})

it('the strategy of a web is chosen on the others alone', () => {
  const left = leaveOneOut(runs, candidates)
  expect(left.map(({ web, chosen }) => [web, chosen])).toEqual([
    ['a', 'corrected-pagerank'],
    ['b', 'corrected-pagerank'],
    ['c', 'corrected-pagerank'],
  ])
  // Without b, a alone decides for c, and c alone for a.
  const two = leaveOneOut(
    runs.filter(({ web }) => web !== 'b'),
    candidates,
  )
  expect(two.map(({ web, chosen, closed }) => [web, chosen, closed])).toEqual([
    ['a', 'opic', expect.closeTo(-1)],
    ['c', 'corrected-pagerank', expect.closeTo(-0.5)],
  ])
  expect(
    leaveOneOut(
      runs.filter(({ web }) => web === 'a'),
      candidates,
    ),
  ).toEqual([])
})

it('weighted sums and modules are compared with the published strategies', () => {
  const variants = ['opic*0.5+pagerank*0.5', './my-order.mjs']
  expect([...variants, 'corrected-pagerank', 'opic'].map(isPublished)).toEqual([false, false, false, true])
  const ofVariants = runsOf({
    a: { omniscient: 0.9, opic: 0.5, [variants[0]]: 0.7, [variants[1]]: 0.4 },
    b: { omniscient: 0.9, opic: 0.5, [variants[0]]: 0.6, [variants[1]]: 0.8 },
  })
  expect(gapsOf(ofVariants, variants[1]).map(({ bestPublished, own }) => [bestPublished, own])).toEqual([
    ['opic', 0.4],
    ['opic', 0.8],
  ])
  expect(leaveOneOut(ofVariants, variants).map(({ chosen }) => chosen)).toEqual(variants.toReversed())
})
