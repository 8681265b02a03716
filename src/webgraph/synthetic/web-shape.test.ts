import { describe, expect, test } from 'vitest'
import { graphOf } from '../csr-graph.ts'
import { syntheticGraph } from './synthetic-graph.ts'
import type { SyntheticWebOptions } from './synthetic-options.ts'
import { webConnection } from '../../../test/web-connection.ts'
import { tailExponent, webShape } from '../../../test/web-shape.ts'

/** Seeds of webs whose shape is measured: one, or three with `FULL=1`. */
const seeds = process.env['FULL'] === undefined ? [1] : [1, 2, 3]

function shapeOf(options: SyntheticWebOptions): ReturnType<typeof webShape> {
  const { graph, sites } = syntheticGraph(options)
  return webShape(graph, (page) => sites.ofPage[page])
}

describe('the totals of a synthetic web', () => {
  test.each<SyntheticWebOptions>([
    { pages: 20_000, seed: 1 },
    { pages: 40_000, seed: 2 },
    { pages: 20_000, seed: 3, linksPerPage: 5, danglingShare: 0.1, inSiteShare: 0.8 },
    { pages: 20_000, seed: 4, linksPerPage: 30, danglingShare: 0.35 },
    { pages: 20_000, seed: 5, sites: 2_000 },
    { pages: 20_000, seed: 6, sites: 1, inSiteShare: 1 },
  ])('are as asked: %o', (options) => {
    const shape = shapeOf(options)
    const { linksPerPage = 10, danglingShare = 0.23, inSiteShare = 0.95 } = options
    expect(shape.linksPerPage / linksPerPage).toBeGreaterThan(0.94)
    expect(shape.linksPerPage / linksPerPage).toBeLessThan(1.06)
    expect(Math.abs(shape.danglingShare - danglingShare)).toBeLessThan(0.015)
    expect(Math.abs(shape.inSiteShare! - inSiteShare)).toBeLessThan(0.015)
  })
})

describe('the shape of a synthetic web', () => {
  test.each(seeds)('is that of the real ones it was fitted to (seed %i)', (seed) => {
    const shape = shapeOf({ pages: 60_000, seed })
    expect(shape.inDegree.tail).toBeGreaterThan(1.8)
    expect(shape.inDegree.tail).toBeLessThan(2.6)
    expect(shape.inDegree.max).toBeGreaterThan(2_000)
    expect(shape.outDegree.tail).toBeGreaterThan(2.5)
    expect(shape.outDegree.tail).toBeLessThan(6.5)
    expect(shape.outDegree.max).toBeGreaterThan(300)
    expect(shape.gapOneShare).toBeGreaterThan(0.4)
    expect(shape.gapOneShare).toBeLessThan(0.5)
    expect(shape.copiedShare).toBeGreaterThan(0.75)
    expect(shape.bitsPerLink).toBeLessThan(9.5)
  })

  test('hangs together as the real ones do', () => {
    const connection = webConnection(syntheticGraph({ pages: 50_000 }).graph)
    expect(connection.largestStrongShare).toBeGreaterThan(0.35)
    expect(connection.largestStrongShare).toBeLessThan(0.6)
    expect(connection.reachableShare).toBeGreaterThan(0.9)
    expect(connection.depthMean).toBeGreaterThan(5)
    expect(connection.pagerankTop1Share).toBeGreaterThan(0.2)
  })
})

describe('the figures', () => {
  test('of a small web are what one counts by hand', () => {
    const graph = graphOf([[1, 2, 3], [2, 3], [], [0, 2]])
    const shape = webShape(graph, (page) => page >> 1)
    expect(shape).toMatchObject({ pages: 4, links: 7, linksPerPage: 1.75, danglingShare: 0.25 })
    expect(shape.withoutInLinksShare).toBe(0)
    // Gaps 1, 1; 1; 2. Runs: 1; 1; 2.
    expect(shape.gapOneShare).toBe(3 / 4)
    expect(shape.runsPerList).toBe(4 / 3)
    // Page 1 finds both its links in page 0's list, page 3 one.
    expect(shape.copiedShare).toBe(3 / 7)
    expect(shape.inSiteShare).toBe(2 / 7)
    expect(shape.outDegree).toMatchObject({ median: 2, max: 3 })
    expect(shape.inDegree).toMatchObject({ median: 1, max: 3 })
    expect(webConnection(graph)).toMatchObject({
      strongComponents: 2,
      largestStrongShare: 0.75,
      reachableShare: 1,
      depthMean: 0.75,
      depthMax: 1,
    })
  })

  test('find the exponent of a power law that was put in', () => {
    const n = 200_000
    for (const exponent of [2, 2.5, 3.5]) {
      const degrees = new Uint32Array(n).map((_, i) =>
        Math.floor(5 * (1 - (i + 0.5) / n) ** (-1 / (exponent - 1))),
      )
      expect(tailExponent(degrees, 0.03)).toBeCloseTo(exponent, 1)
    }
  })
})
