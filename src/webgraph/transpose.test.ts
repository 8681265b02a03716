import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../test/arbitrary-graph.ts'
import { toCompressed } from './compressed-graph.ts'
import { graphOf } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import { transpose } from './transpose.ts'

function listsOf(graph: Graph): number[][] {
  const cursor = graph.cursor()
  return Array.from({ length: graph.pages }, (_, page) => {
    cursor.seek(page)
    return [...cursor.targets.subarray(cursor.start, cursor.end)]
  })
}

function naive(lists: number[][]): number[][] {
  return lists.map((_, target) =>
    lists.flatMap((list, source) => list.filter((to) => to === target).map(() => source)),
  )
}

describe('transpose', () => {
  it('every page gets the pages that link to it, ascending, repeats kept', () => {
    assert(
      property(linkLists(40, 12), (lists) => {
        expect(listsOf(transpose(graphOf(lists)))).toEqual(naive(lists))
      }),
      seeded(200),
    )
  })

  it('the compressed form has the same in-links, however small the ranges', () => {
    assert(
      property(linkLists(40, 12), integer({ min: 1, max: 50 }), (lists, rangeLinks) => {
        const transposed = transpose(graphOf(lists), { form: 'compressed', rangeLinks })
        expect(listsOf(transposed)).toEqual(naive(lists))
        expect(transposed.links).toBe(lists.flat().length)
      }),
      seeded(200),
    )
  })

  it('transposing twice gives the graph back, links ascending', () => {
    const lists = [[1, 2, 5], [], [0, 1], [3], [0, 1, 2, 3, 4, 5], [4]]
    expect(listsOf(transpose(transpose(graphOf(lists))))).toEqual(lists)
  })

  it('a compressed graph is transposed in compressed form, over several blocks', () => {
    const pages = 150_000
    const lists = Array.from({ length: pages }, (_, page) => [(page * 7) % pages, (page * 13 + 5) % pages])
    const plain = graphOf(lists)
    const transposed = transpose(toCompressed(plain), { rangeLinks: 100_000 })
    expect(transposed.share().form).toBe('compressed')
    expect(listsOf(transposed)).toEqual(listsOf(transpose(plain)))
  })

  it('an empty graph stays empty in either form', () => {
    expect(transpose(graphOf([])).pages).toBe(0)
    expect(transpose(graphOf([]), { form: 'compressed' }).pages).toBe(0)
  })

  it('progress never goes back and ends near its total', () => {
    const seen: number[] = []
    const lists = Array.from({ length: 200_000 }, (_, page) => [page ^ 1])
    transpose(graphOf(lists), { progress: (done) => seen.push(done) })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBeGreaterThan(300_000)
  })
})
