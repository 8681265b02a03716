import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { crawls } from './arbitrary-crawl.cases.ts'
import { rankMassTable } from './rank-mass-table.ts'
import { sevenPages } from './seven-pages.cases.ts'

const { order, rankMass, pagesOf } = sevenPages
const nothing = new Float64Array(0)

describe('the RankMass table', () => {
  it('has the downloads of the worked case', () => {
    const table = rankMassTable({ order, rankMass, guaranteed: nothing, levels: [0.9] })
    expect(table).toEqual({
      downloadsGuaranteed: { 0.9: null },
      downloadsTrue: { 0.9: 6 },
      downloadsOptimal: { 0.9: 5 },
    })
  })

  it('has the first download at which each level was guaranteed, and null for those never reached', () => {
    const guaranteed = Float64Array.of(1 / 2, 7 / 12, 49 / 72, 55 / 72, 13 / 16, 1589 / 1728, 1613 / 1728)
    const run = { order: pagesOf(1, 3, 5, 4, 7, 2, 6), rankMass, guaranteed, levels: [0.98, 0.9, 0.5, 0.75] }
    expect(rankMassTable(run).downloadsGuaranteed).toEqual({ 0.98: null, 0.9: 6, 0.5: 1, 0.75: 4 })
  })

  it('takes the whole for the whole although its sum is rounded', () => {
    const tenths = new Float64Array(10).fill(0.1)
    const all = Uint32Array.from(tenths.keys())
    const { downloadsTrue, downloadsOptimal } = rankMassTable({
      order: all,
      rankMass: tenths,
      guaranteed: nothing,
      levels: [0.3, 0.8, 1],
    })
    expect(downloadsTrue).toEqual({ 0.3: 3, 0.8: 8, 1: 10 })
    expect(downloadsOptimal).toEqual(downloadsTrue)
  })

  it('never has fewer true downloads than optimal ones, nor more for a lower level', () => {
    fc.assert(
      fc.property(crawls(60), ({ order, importance }) => {
        const levels = [0.5, 1, 2, 8]
        const run = { order, rankMass: importance, guaranteed: nothing, levels }
        const { downloadsTrue, downloadsOptimal } = rankMassTable(run)
        let before = 0
        for (const level of levels) {
          const downloads = downloadsTrue[level] ?? Infinity
          expect(downloads).toBeGreaterThanOrEqual(downloadsOptimal[level] ?? Infinity)
          expect(downloads).toBeGreaterThanOrEqual(before)
          before = downloads
        }
      }),
      seeded(200),
    )
  })

  it('of no page reaches no level, and of a crawl that stopped early only the levels it reached', () => {
    const none = { order: new Uint32Array(0), rankMass: nothing, guaranteed: nothing, levels: [0.9] }
    expect(rankMassTable(none).downloadsOptimal).toEqual({ 0.9: null })
    const short = { order: order.subarray(0, 3), rankMass, guaranteed: nothing, levels: [0.7, 0.9] }
    expect(rankMassTable(short).downloadsTrue).toEqual({ 0.7: 3, 0.9: null })
  })
})
