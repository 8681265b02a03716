import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { seededRandom } from '../../lib/random.ts'
import { reachableFrom } from '../reachability.ts'
import { sitesOfPages, syntheticGraph } from './synthetic-graph.ts'
import type { SyntheticWebOptions } from './synthetic-options.ts'
import { SyntheticWeb } from './synthetic-web.ts'

function linkLists(
  web: SyntheticWeb,
  pages = Array.from({ length: web.pages }, (_, page) => page),
): number[][] {
  const into = new Uint32Array(web.degreeMax)
  return pages.map((page) => [...into.subarray(0, web.linksOf(page, into))])
}

/** FNV-1a over degrees and links. */
function checksum(options: SyntheticWebOptions): number {
  let sum = 0x811c9dc5
  for (const list of linkLists(new SyntheticWeb(options))) {
    for (const value of [list.length, ...list]) sum = Math.imul(sum ^ value, 0x01000193)
  }
  return sum >>> 0
}

/** What is wrong with a web's link lists: nothing, it is hoped. */
function faults(web: SyntheticWeb): string[] {
  const found: string[] = []
  linkLists(web).forEach((list, page) => {
    list.forEach((target, i) => {
      const isProper = target !== page && target < web.pages && (i === 0 || target > list[i - 1])
      if (!isProper || i >= web.degreeMax) found.push(`page ${page}, link ${i}: ${target}`)
    })
  })
  return found
}

/** All that may be asked for, on up to 1,500 pages. */
const anyOptions: fc.Arbitrary<SyntheticWebOptions> = fc.integer({ min: 1, max: 1_500 }).chain((pages) =>
  fc.record({
    pages: fc.constant(pages),
    sites: fc.integer({ min: 1, max: pages }),
    seed: fc.maxSafeNat(),
    linksPerPage: fc.double({ min: 3, max: 50, noNaN: true }),
    danglingShare: fc.double({ min: 0, max: 0.4, noNaN: true }),
    inSiteShare: fc.double({ min: 0, max: 1, noNaN: true }),
    siteSizeExponent: fc.double({ min: 0.5, max: 10, noNaN: true }),
  }),
)

describe('a synthetic web', () => {
  test('is the same for the same seed and another for another, up to 2^53', () => {
    const [a, again, b, c] = [5, 5, 6, 5 + 2 ** 32].map((seed) => checksum({ pages: 1_000, seed }))
    expect(again).toBe(a)
    expect(new Set([a, b, c]).size).toBe(3)
  })

  test('does not change unless the model is changed deliberately', () => {
    const sums = [0, 1, 2 ** 40 + 3].map((seed) => checksum({ pages: 2_000, sites: 30, seed }))
    expect(sums).toEqual([603938042, 2797122015, 1044711215])
    expect(checksum({ pages: 50_000 })).toBe(94989299)
  })

  test('gives a page the same links in any order of access', () => {
    const inOrder = linkLists(new SyntheticWeb({ pages: 20_000, seed: 3 }))
    const random = seededRandom(Number(process.env.SEED ?? 1))
    const some = Array.from({ length: 3_000 }, () => random.below(20_000))
    expect(linkLists(new SyntheticWeb({ pages: 20_000, seed: 3 }), some)).toEqual(
      some.map((page) => inOrder[page]),
    )
  })

  test('can be made at the far end of four thousand million pages as well', () => {
    const web = new SyntheticWeb({ pages: 0xffff_fffe, sites: 1_000 })
    const last = Array.from({ length: 1_000 }, (_, i) => web.pages - 1_000 + i)
    const lists = linkLists(web, last)
    expect(lists.flat().length).toBeGreaterThan(1_000)
    expect(Math.max(...lists.flat())).toBeLessThan(web.pages)
    expect(last.filter((page, i) => lists[i].includes(page))).toEqual([])
    expect(web.siteOf(web.pages - 1)).toBe(999)
  })

  test.each([1, 2, 3])(
    'is reached by more than 90% from the home page of its largest site: seed %i',
    (seed) => {
      const { graph, sites } = syntheticGraph({ pages: 30_000, seed })
      const sizes = new Uint32Array(sites.count)
      for (const site of sites.ofPage) sizes[site]++
      const home = sites.ofPage.indexOf(sizes.indexOf(Math.max(...sizes)))
      expect(reachableFrom(graph, [home]).count).toBeGreaterThan(27_000)
    },
  )
})

describe('for any options', () => {
  test('link lists ascend, without repeats, links to themselves or links out of the web', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        expect(faults(new SyntheticWeb(options))).toEqual([])
      }),
      seeded(40),
    )
  })

  test('sites are ranges of at least one page, and every page has an address of its own', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const web = new SyntheticWeb(options)
        const pages = Array.from({ length: web.pages }, (_, page) => page)
        const ofPage = sitesOfPages(web)
        expect(pages.map((page) => web.siteOf(page))).toEqual([...ofPage])
        expect(pages.filter((page) => page > 0 && ofPage[page] - ofPage[page - 1] > 1)).toEqual([])
        expect([ofPage[0], ofPage[web.pages - 1]]).toEqual([0, web.sites - 1])
        expect(new Set(pages.map((page) => web.urlOf(page))).size).toBe(web.pages)
      }),
      seeded(40),
    )
  })

  test.each<SyntheticWebOptions>([
    { pages: 1 },
    { pages: 2 },
    { pages: 2, sites: 2 },
    { pages: 3, sites: 2, danglingShare: 0 },
    { pages: 400, sites: 400 },
    { pages: 400, sites: 1 },
    { pages: 400, linksPerPage: 50 },
  ])('a web may be as small or as lopsided as %o', (options) => {
    expect(faults(new SyntheticWeb(options))).toEqual([])
  })

  test.each<[SyntheticWebOptions, number]>([
    [{ pages: 1, danglingShare: 0 }, 1],
    [{ pages: 2, danglingShare: 0 }, 0],
    [{ pages: 2_000, danglingShare: 0 }, 0],
    [{ pages: 300, sites: 300, danglingShare: 0 }, 0],
  ])('no page is dangling where none shall be, unless it is the only one: %o', (options, dangling) => {
    expect(linkLists(new SyntheticWeb(options)).filter((list) => list.length === 0).length).toBe(dangling)
  })

  test.each<[SyntheticWebOptions, string]>([
    [{ pages: 0 }, 'pages = 0: expected a whole number from 1 to 4294967294.'],
    [{ pages: 2.5 }, 'pages = 2.5'],
    [{ pages: Number.NaN }, 'pages = NaN'],
    [{ pages: 2 ** 32 }, 'pages = 4294967296'],
    [{ pages: 10, sites: 11 }, 'sites = 11: expected a whole number from 1 to 10, the number of pages.'],
    [{ pages: 10, sites: 0 }, 'sites = 0'],
    [{ pages: 10, seed: -1 }, 'seed = -1'],
    [{ pages: 10, linksPerPage: 1 }, 'linksPerPage = 1: expected a number from 3 to 50.'],
    [{ pages: 10, danglingShare: 0.5 }, 'danglingShare = 0.5: expected a number from 0 to 0.4.'],
    [{ pages: 10, inSiteShare: Number.NaN }, 'inSiteShare = NaN'],
    [{ pages: 10, siteSizeExponent: 0 }, 'siteSizeExponent = 0'],
  ])('what no web can be is refused in one line that says why: %o', (options, message) => {
    expect(() => new SyntheticWeb(options)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => new SyntheticWeb(options)).toThrow(message)
  })
})

test('the address of a home page is the root of its site, and of no other page', () => {
  const web = new SyntheticWeb({ pages: 5_000, sites: 120 })
  const urls = Array.from({ length: web.pages }, (_, page) => new URL(web.urlOf(page)))
  expect(web.urlOf(web.siteStart(7))).toBe('http://site-007.example/')
  expect(urls.filter((url) => url.pathname === '/').length).toBe(120)
  expect(urls.some((url) => url.search !== '')).toBe(true)
  const hosts = urls.map((_, page) => `site-${String(web.siteOf(page)).padStart(3, '0')}.example`)
  expect(urls.map((url) => url.host)).toEqual(hosts)
})
