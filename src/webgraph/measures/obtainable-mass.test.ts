import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanLists, seeded } from '../../../test/arbitrary-graph.ts'
import { denseRank } from '../../../test/naive-strategies.ts'
import { graphOf } from '../csr-graph.ts'
import { obtainableMass } from './obtainable-mass.ts'

it('is PageRank with jumps to the seeds where unobtainable pages link to themselves, as shares of what they leave', () => {
  fc.assert(
    fc.property(cleanLists(12, 4), fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }), (lists, draws) => {
      const gone = lists.flatMap((_, page) => (draws[page] === 0 ? [page] : []))
      const absorbing = lists.map((list, page) => (gone.includes(page) ? [page] : list))
      const ranks = denseRank(
        lists.length,
        (page) => absorbing[page],
        0.85,
        lists.map((_, page) => (page === 0 ? 1 : 0)),
      )
      const { obtainable, shares } = obtainableMass(graphOf(lists), {
        seeds: [0],
        trust: [1],
        damping: 0.85,
        unobtainable: Uint32Array.from(gone),
      })
      const lost = gone.reduce((sum, page) => sum + ranks[page], 0)
      expect(obtainable).toBeCloseTo(1 - lost, 8)
      lists.forEach((_, page) => {
        const expected = gone.includes(page) || lost > 1 - 1e-9 ? 0 : ranks[page] / (1 - lost)
        expect(shares[page]).toBeCloseTo(expected, 7)
      })
    }),
    seeded(150),
  )
})
