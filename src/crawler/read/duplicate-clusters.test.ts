import { describe, expect, it } from 'vitest'
import { clustersOf, type CopyKind } from './duplicate-clusters.ts'

const step = (to: number, kind: CopyKind, similarity = 1) => ({ to, kind, similarity })
const urlOf = (page: number): string => `p${page}`

describe('clusters of duplicates', () => {
  const steps = new Map([
    [3, step(1, 'near', 0.93)],
    [4, step(3, 'body')],
    [5, step(2, 'text')],
    [6, step(4, 'text')],
    [9, step(7, 'body')],
  ])

  it('combine copies of copies around the page fetched first', () => {
    const { copies, clusterCount, clusters } = clustersOf(steps, urlOf, {})
    expect(copies).toEqual({ body: 2, text: 2, near: 1 })
    expect(clusterCount).toBe(3)
    expect(clusters.map(({ original, size }) => [original, size])).toEqual([
      ['p1', 4],
      ['p2', 2],
      ['p7', 2],
    ])
    expect(clusters[0].copies).toEqual([
      { url: 'p3', kind: 'near', similarity: 0.93 },
      { url: 'p4', kind: 'body', similarity: 1 },
      { url: 'p6', kind: 'text', similarity: 1 },
    ])
  })

  it('are all counted if fewer are requested', () => {
    const { copies, clusterCount, clusters } = clustersOf(steps, urlOf, { clusters: 1, members: 1 })
    expect(copies).toEqual({ body: 2, text: 2, near: 1 })
    expect(clusterCount).toBe(3)
    expect(clusters).toMatchObject([{ original: 'p1', size: 4, copies: [{ url: 'p3' }] }])
  })
})
