import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../test/arbitrary-graph.ts'
import { blockPages, toCompressed } from './compressed-graph.ts'
import { graphOf, toCsr } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import { decodeLinks, encodedBytesMax, encodeLinks } from './link-code.ts'
import { openGraph } from './open-graph.ts'

function listsOf(graph: Graph): number[][] {
  const cursor = graph.cursor()
  return Array.from({ length: graph.pages }, (_, page) => {
    cursor.seek(page)
    return [...cursor.targets.subarray(cursor.start, cursor.end)]
  })
}

describe('the link code', () => {
  const roundTrip = (page: number, list: number[]): number[] => {
    const bytes = new Uint8Array(encodedBytesMax(list.length))
    const end = encodeLinks(bytes, 0, page, Uint32Array.from(list), 0, list.length)
    expect(end).toBeLessThanOrEqual(bytes.length)
    const into = new Uint32Array(list.length)
    const degree = decodeLinks(bytes, 0, page, into)
    return [...into.subarray(0, degree)]
  }

  it('gives back any list, in its order', () => {
    const id = fc.nat(0xffff_ffff)
    fc.assert(
      fc.property(id, fc.array(id, { maxLength: 300 }), (page, list) => {
        expect(roundTrip(page, list)).toEqual(list)
      }),
      seeded(500),
    )
  })

  it('gives back ascending lists at every border of its token ranges', () => {
    const gaps = [1, 2, 207, 208, 209, 210, 8_399, 8_400, 8_401, 532_687, 532_688, 532_689, 2 ** 31]
    for (const first of gaps) {
      for (const second of gaps) {
        const list = [7, 7 + first, 7 + first + second].filter((id) => id < 2 ** 32)
        expect(roundTrip(3, list)).toEqual(list)
      }
    }
  })

  it('gives back runs of any length', () => {
    for (const length of [1, 2, 3, 7, 8, 9, 10, 262, 263, 264, 265, 266, 1000]) {
      const run = Array.from({ length }, (_, i) => 500 + i)
      expect(roundTrip(0, run)).toEqual(run)
      expect(roundTrip(0, [2, ...run, 5000])).toEqual([2, ...run, 5000])
    }
  })

  it('spends one byte on a run of seven', () => {
    const bytes = new Uint8Array(100)
    const run = Uint32Array.from({ length: 8 }, (_, i) => 5 + i)
    expect(encodeLinks(bytes, 0, 4, run, 0, 8)).toBe(3)
  })
})

describe('the compressed form', () => {
  it('has the same lists, degrees and counts as the plain form', () => {
    fc.assert(
      fc.property(linkLists(40, 30), (lists) => {
        const plain = graphOf(lists)
        const compressed = toCompressed(plain)
        expect(listsOf(compressed)).toEqual(lists)
        expect(compressed.links).toBe(plain.links)
        lists.forEach((list, page) => expect(compressed.outDegree(page)).toBe(list.length))
        expect(listsOf(toCsr(compressed))).toEqual(lists)
        expect(listsOf(openGraph(compressed.share()))).toEqual(lists)
        expect(listsOf(openGraph(plain.share()))).toEqual(lists)
      }),
      seeded(200),
    )
  })

  it('reads pages in any order across blocks', () => {
    const pages = 2 * blockPages + 17
    const plain = graphOf(
      Array.from({ length: pages }, (_, page) => [(page * 7919) % pages, (page * 31 + 5) % pages]),
    )
    const compressed = toCompressed(plain)
    const cursor = compressed.cursor()
    for (const page of [0, pages - 1, blockPages, blockPages - 1, 2 * blockPages, 1, 2 * blockPages - 1]) {
      cursor.seek(page)
      expect([...cursor.targets.subarray(0, cursor.end)]).toEqual([
        (page * 7919) % pages,
        (page * 31 + 5) % pages,
      ])
    }
  })

  it('holds a graph without pages', () => {
    expect(toCompressed(graphOf([])).pages).toBe(0)
  })
})
