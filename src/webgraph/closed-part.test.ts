import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../test/arbitrary-graph.ts'
import { toShared } from '../lib/shared-memory.ts'
import { closedPart } from './closed-part.ts'
import { toCompressed } from './compressed-graph.ts'
import { graphOf } from './csr-graph.ts'
import { openGraph } from './open-graph.ts'
import { reachableFrom } from './reachability.ts'

describe('a closed part of a graph', () => {
  it('has the links of its pages, renumbered, in this thread and in another', () => {
    fc.assert(
      fc.property(linkLists(30, 4), fc.nat(29), (lists, start) => {
        fc.pre(start < lists.length)
        const members = reachableFrom(graphOf(lists), [start]).order.slice().sort()
        const part = closedPart(toCompressed(graphOf(lists)), toShared(members))
        const numberOf = new Map([...members].map((member, number) => [member, number]))
        const expected = [...members].map((member) => lists[member].map((target) => numberOf.get(target)))
        for (const graph of [part, openGraph(part.share())]) {
          const cursor = graph.cursor()
          const found = expected.map((_, page) => {
            cursor.seek(page)
            expect(graph.outDegree(page)).toBe(cursor.end - cursor.start)
            return [...cursor.targets.subarray(cursor.start, cursor.end)]
          })
          expect(found).toEqual(expected)
          expect(graph).toMatchObject({ pages: members.length, links: expected.flat().length })
        }
      }),
      seeded(300),
    )
  })
})
