import { describe, expect, it } from 'vitest'
import { graphOf, toCsr } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import { backlinks, forwardLinks, location, pageRankImportance } from './importance.ts'
import { UrlListBuilder } from './url-list.ts'
import { webOf } from './web.ts'

describe('importance', () => {
  const urls = new UrlListBuilder()
  for (const url of ['http://a.edu/', 'http://a.edu/x/y', 'http://b.org/?q']) urls.pushString(url)
  const web = webOf({ graph: graphOf([[1, 2], [2], []]), urls: urls.finish() })

  it('by backlinks is the number of pages that link to a page', async () => {
    expect([...(await backlinks().measure(web))]).toEqual([0, 1, 2])
  })

  it('by backlinks counts a page once, however often it links', async () => {
    const repeated = webOf({ graph: graphOf([[1, 2, 1], [2, 2], [1]]) })
    expect([...(await backlinks().measure(repeated))]).toEqual([0, 2, 2])
  })

  it('by forward links is the number of its links', async () => {
    expect([...(await forwardLinks().measure(web))]).toEqual([2, 1, 0])
  })

  it('by location follows from its URL, and is the same everywhere without URLs', async () => {
    expect([...(await location({ tlds: { edu: 2 } }).measure(web))]).toEqual([18, 16, 15])
    expect([...(await location().measure(webOf({ graph: web.graph })))]).toEqual([0, 0, 0])
  })

  it('by PageRank has mean 1', async () => {
    const scores = await pageRankImportance({ damping: 0.9 }).measure(web)
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(3, 10)
    expect(scores[2]).toBeGreaterThan(scores[1])
  })
})

describe('a graph of more links than 32 bits can number', () => {
  it('is not squeezed into the plain form', () => {
    const unread = (): never => expect.fail('it is refused before it is read')
    const huge: Graph = {
      pages: 1,
      links: 2 ** 32,
      byteLength: 0,
      outDegree: unread,
      cursor: unread,
      share: unread,
    }
    expect(() => toCsr(huge)).toThrow(/has 4294967296 links; the plain form holds at most 4294967295/)
  })
})
