import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { graphOf } from '../csr-graph.ts'
import type { Graph } from '../graph.ts'
import { pageRank } from '../pagerank/pagerank.ts'
import { bestSeed, reachableFrom } from '../reachability.ts'
import { webOf } from '../web.ts'
import { farmedWeb, SyntheticWeb } from './synthetic-web.ts'
import { farmDefaults, farmLinkKinds, hijackKinds, type FarmLinks, type HijackedFrom } from './farms.ts'
import { sitesOfPages, syntheticGraph } from './synthetic-graph.ts'
import type { SyntheticWebOptions } from './synthetic-options.ts'

function linksOf(web: SyntheticWeb, page: number): number[] {
  const into = new Uint32Array(web.degreeMax)
  return [...into.subarray(0, web.linksOf(page, into))]
}

const listsOf = (graph: Graph): number[][] => {
  const cursor = graph.cursor()
  return Array.from({ length: graph.pages }, (_, page) => {
    cursor.seek(page)
    return [...cursor.targets.subarray(cursor.start, cursor.end)]
  })
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

const anyFarms: fc.Arbitrary<SyntheticWebOptions> = fc.record({
  pages: fc.integer({ min: 1, max: 400 }),
  seed: fc.maxSafeNat(),
  farms: fc.integer({ min: 0, max: 12 }),
  farmPages: fc.integer({ min: 1, max: 20 }),
  farmLinks: fc.constantFrom(...farmLinkKinds),
  hijackedLinks: fc.integer({ min: 0, max: 6 }),
  hijackedFrom: fc.constantFrom(...hijackKinds),
})

describe('a synthetic web with farms', () => {
  it('has the honest part of the web without them, but for the hijacked links', () => {
    fc.assert(
      fc.property(anyFarms, ({ farms, ...options }) => {
        const without = new SyntheticWeb(options)
        const web = new SyntheticWeb({ ...options, farms: farms! })
        let hijacked = 0
        for (const page of numbers(without.pages)) {
          const links = linksOf(web, page)
          const honest = links.filter((to) => to < without.pages)
          expect(honest).toEqual(linksOf(without, page))
          expect(links.slice(honest.length).every((to) => web.farms.isTarget(to))).toBe(true)
          expect(web.urlOf(page)).toBe(without.urlOf(page))
          expect(web.siteOf(page)).toBe(without.siteOf(page))
          hijacked += links.length - honest.length
        }
        const drawn = farms! * options.hijackedLinks!
        expect(hijacked).toBeLessThanOrEqual(drawn)
        // Two draws may fall on one page, and always do where there is only one.
        if (options.pages > 300 && options.hijackedFrom === 'any')
          expect(hijacked).toBeGreaterThan(0.5 * drawn - 1)
      }),
      seeded(40),
    )
  })

  it('has proper link lists, addresses and sites throughout', () => {
    fc.assert(
      fc.property(anyFarms, (options) => {
        const web = new SyntheticWeb(options)
        const { farms = 0, farmPages = 0 } = options
        const pages = numbers(web.pages)
        expect(web.pages).toBe(options.pages + farms * (farmPages + 1))
        expect(pages.filter((page) => web.isFarmPage(page)).length).toBe(farms * (farmPages + 1))
        for (const page of pages) {
          const links = linksOf(web, page)
          expect(links).toEqual([...new Set(links)].toSorted((a, b) => a - b))
          expect(links.every((to) => to !== page && to < web.pages)).toBe(true)
        }
        expect(pages.map((page) => web.siteOf(page))).toEqual([...sitesOfPages(web)])
        expect(new Set(pages.map((page) => web.urlOf(page))).size).toBe(web.pages)
      }),
      seeded(40),
    )
  })

  it.each<[FarmLinks, number[][]]>([
    // Seven farms of two boosting pages after ten honest ones: targets at 10, 13 … 28.
    [
      'alliance',
      [
        [11, 12, 13, 16, 19, 22],
        [10, 13, 16, 19, 22],
        [25, 29, 30],
        [25, 28],
      ],
    ],
    ['star', [[11, 12], [10], [29, 30], [28]]],
    [
      'clique',
      [
        [11, 12],
        [10, 12],
        [29, 30],
        [28, 29],
      ],
    ],
    ['none', [[11, 12], [], [29, 30], []]],
  ])('links by the plan %s', (farmLinks, [target, boosting, lastTarget, lastBoosting]) => {
    const web = new SyntheticWeb({ pages: 10, farms: 7, farmPages: 2, farmLinks })
    expect(linksOf(web, 10)).toEqual(target)
    expect(linksOf(web, 11)).toEqual(boosting)
    expect(linksOf(web, 28)).toEqual(lastTarget)
    expect(linksOf(web, 30)).toEqual(lastBoosting)
    expect(web.urlOf(28)).toBe('http://farm-6.example/')
    expect(web.urlOf(30)).toBe('http://farm-6.example/page-0002.html')
  })

  it('is the same as a graph and page by page, and says which pages are whose', () => {
    const options = { pages: 1000, farms: 10, farmPages: 9, seed: 4 }
    const web = new SyntheticWeb(options)
    const { graph, sites, farms } = syntheticGraph(options)
    expect(listsOf(graph)).toEqual(numbers(web.pages).map((page) => linksOf(web, page)))
    expect(sites.count).toBe(web.sites)
    expect([farms.start, farms.end, farms.farmOf(1019), farms.isTarget(1010)]).toEqual([1000, 1100, 1, true])
  })

  it.each([1, 2, 3])('lets a crawler find most farms, and all of each: seed %i', (seed) => {
    const { graph, farms } = syntheticGraph({ pages: 5000, farms: 50, farmPages: 10, seed })
    const honest = bestSeed(syntheticGraph({ pages: 5000, seed }).graph).seed
    const { order } = reachableFrom(graph, [honest])
    const reached = order.filter((page) => farms.isFarmPage(page)).length
    expect(reached % 11).toBe(0)
    expect(reached).toBeGreaterThan(0.95 * 550)
  })

  it('makes its targets outrank nearly all honest pages, the more so in an alliance', async () => {
    const shareBelow = async (farmLinks: FarmLinks): Promise<number[]> => {
      const { graph, farms } = syntheticGraph({ pages: 5000, farms: 5, farmLinks, seed: 2 })
      const { scores } = await pageRank(graph)
      const honest = scores.subarray(0, farms.start)
      return numbers(5).map(
        (farm) => honest.filter((score) => score < scores[farms.target(farm)]).length / 5000,
      )
    }
    expect(Math.min(...(await shareBelow('star')))).toBeGreaterThan(0.98)
    expect(Math.min(...(await shareBelow('alliance')))).toBeGreaterThan(0.98)
    expect(Math.max(...(await shareBelow('none')))).toBeLessThan(0.98)
  })

  it.each<[SyntheticWebOptions, string]>([
    [{ pages: 10, farms: -1 }, 'farms = -1'],
    [{ pages: 10, farms: 2 ** 32 }, 'farms = 4294967296: expected a whole number from 0 to 42524428'],
    [{ pages: 10, farms: 1, farmPages: 0 }, 'farmPages = 0'],
    [{ pages: 10, farms: 1, hijackedLinks: 1.5 }, 'hijackedLinks = 1.5'],
    [
      { pages: 10, farmLinks: 'ring' as FarmLinks },
      'farmLinks = ring: expected one of alliance, star, clique, none.',
    ],
    [{ pages: 10, hijackedFrom: 'all' as HijackedFrom }, 'hijackedFrom = all: expected one of any, linked.'],
  ])('what no farm can be is refused: %o', (options, message) => {
    expect(() => new SyntheticWeb(options)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => new SyntheticWeb(options)).toThrow(message)
  })
})

it('farms set beside any web are those of a synthetic one', () => {
  const plain = syntheticGraph({ pages: 800, seed: 9 })
  const farmed = syntheticGraph({ pages: 800, seed: 9, farms: 8, farmPages: 6 })
  const { web } = farmedWeb(
    webOf({ graph: plain.graph, givenSites: plain.sites }),
    { ...farmDefaults, farms: 8, farmPages: 6 },
    9,
  )
  expect(listsOf(web.graph)).toEqual(listsOf(farmed.graph))
  expect(web.sites).toEqual(farmed.sites)
})

it.each(hijackKinds)('a page without links is not hijacked where others have links: %s', (hijackedFrom) => {
  const lists = numbers(100).map((page) => (page % 2 === 0 ? [] : [0, (page + 2) % 100]))
  const { web } = farmedWeb(
    webOf({ graph: graphOf(lists) }),
    { ...farmDefaults, farms: 20, farmPages: 1, hijackedFrom },
    1,
  )
  const hijacked = listsOf(web.graph).slice(0, 100)
  expect(hijacked.filter((list, page) => page % 2 === 0 && list.length > 0)).toEqual([])
})

it('hijacked from linked are pages with more in-links than from any', () => {
  const inLinksOfHijacked = (hijackedFrom: HijackedFrom): number => {
    const { graph, farms } = syntheticGraph({ pages: 5000, farms: 100, farmPages: 1, hijackedFrom })
    const lists = listsOf(graph)
    const inLinks = new Uint32Array(graph.pages)
    for (const to of lists.flat()) inLinks[to]++
    const hijacked = numbers(5000).filter((page) => lists[page].some((to) => farms.isFarmPage(to)))
    return hijacked.reduce((sum, page) => sum + inLinks[page], 0) / hijacked.length
  }
  expect(inLinksOfHijacked('linked')).toBeGreaterThan(3 * inLinksOfHijacked('any'))
})
