import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linkLists, seeded } from '../../../test/arbitrary-graph.ts'
import type { WorldListener } from '../../engine/world.ts'
import { closedPart } from '../../webgraph/closed-part.ts'
import { toCompressed } from '../../webgraph/compressed-graph.ts'
import { graphOf } from '../../webgraph/csr-graph.ts'
import type { Graph } from '../../webgraph/graph.ts'
import { reachableFrom } from '../../webgraph/reachability.ts'
import { toShared } from '../../lib/shared-memory.ts'
import { PageLinks, pageTableOf } from './page-links.ts'
import { VirtualPageTable } from './page-table.ts'

/** The links and new sites of all pages, in the order of their discovery from this node, and the node of each page. */
function deliveries(graph: Graph, table: VirtualPageTable, start: number): unknown[] {
  const found: unknown[] = []
  const fetched: WorldListener['fetched'] = (page, links, linkCount, newSites) => {
    const count = table.known - known
    known = table.known
    found.push([table.nodeOf(page), [...links.subarray(0, linkCount)], [...newSites.subarray(0, count)]])
  }
  const world = new PageLinks(graph, table)
  let known = table.pageOf(start) + 1
  for (let page = 0; page < table.known; page++) world.tell(page, { fetched } as WorldListener)
  expect(table.isKnown(start)).toBe(true)
  return found
}

it('a part of a graph delivers the same pages as a copy of that part', () => {
  fc.assert(
    fc.property(linkLists(30, 4), fc.nat(29), fc.integer({ min: 1, max: 4 }), (lists, start, siteCount) => {
      fc.pre(start < lists.length)
      const members = reachableFrom(graphOf(lists), [start]).order.slice().sort()
      const part = closedPart(toCompressed(graphOf(lists)), toShared(members))
      const numberOf = new Map([...members].map((member, number) => [member, number]))
      const copy = graphOf([...members].map((member) => lists[member].map((target) => numberOf.get(target)!)))
      const siteOf = Uint32Array.from(members, (member) => member % siteCount)
      const node = numberOf.get(start)!
      const plain = deliveries(copy, new VirtualPageTable(copy.pages, siteOf, siteCount), node)
      expect(deliveries(part, pageTableOf(part, siteOf, siteCount), node)).toEqual(plain)
      expect(deliveries(part, new VirtualPageTable(part.pages, siteOf, siteCount), node)).toEqual(plain)
    }),
    seeded(200),
  )
})
