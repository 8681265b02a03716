import { describe, expect, it } from 'vitest'
import { sharedUint32 } from '../../lib/shared-memory.ts'
import { CsrGraph } from '../csr-graph.ts'
import { laneBounds } from './pagerank-links.ts'

/** Every page links to the pages after it. */
function ring(pages: number, linksPerPage: number): CsrGraph {
  const offsets = sharedUint32(pages + 1)
  const targets = sharedUint32(pages * linksPerPage)
  for (let i = 0; i < targets.length; i++)
    targets[i] = (Math.floor(i / linksPerPage) + 1 + (i % linksPerPage)) % pages
  for (let page = 0; page <= pages; page++) offsets[page] = page * linksPerPage
  return new CsrGraph(offsets, targets)
}

describe('lanes', () => {
  it.each([
    [40_000, 10, 1],
    [40_000, 60, 2],
    [70_000, 65, 4],
    [100_000, 64, 6],
  ])('%i pages with %i links each are divided into %i of about equal work', (pages, links, count) => {
    const bounds = [...laneBounds(ring(pages, links))]
    const sizes = bounds.slice(1).map((end, lane) => end - bounds[lane])
    expect([bounds[0], bounds.at(-1)]).toEqual([0, pages])
    expect(sizes).toHaveLength(count)
    // A bound is moved by at most 512 pages.
    for (const size of sizes) expect(Math.abs(size - pages / count)).toBeLessThanOrEqual(1030)
  })
  it('of a small dense web do not consist of a few pages', () => {
    const bounds = [...laneBounds(ring(2000, 1999))]
    const sizes = bounds.slice(1, -1).map((end, lane) => end - bounds[lane])
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(512)
  })
})
