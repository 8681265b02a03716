/** Every real graph of shared/data against the counts of its README, and through every writer and back. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strongComponents } from '../src/webgraph/components.ts'
import { toCsr, type CsrGraph } from '../src/webgraph/csr-graph.ts'
import { inDegrees, outDegrees } from '../src/webgraph/degrees.ts'
import { readGraph, writeGraph } from '../src/webgraph/formats/index.ts'
import { reachableFrom } from '../src/webgraph/reachability.ts'
import type { Web } from '../src/webgraph/web.ts'
import { absent, sharedPath } from './shared-data.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const reason = '(skipped where shared/data is not beside the checkout)'
const edgesOf = (name: string): string => `data/${name}.edges.tsv.gz`
const urlsOf = (name: string): string => `data/${name}.urls.txt.gz`

interface Counts {
  readonly name: string
  readonly pages: number
  readonly links: number
  readonly selfLinks: number
  /** Hosts where there are URLs. */
  readonly sites?: number
  readonly weak: number
  readonly strong: number
  readonly dangling: number
  readonly withoutInLinks: number
  readonly inMax: number
  readonly outMax: number
}

const counts = (
  name: string,
  pages: number,
  links: number,
  selfLinks: number,
  sites: number | undefined,
  rest: string,
): Counts => {
  const [weak, strong, dangling, withoutInLinks, inMax, outMax] = rest.split(' ').map(Number)
  const shape = { weak, strong, dangling, withoutInLinks, inMax, outMax }
  return { name, pages, links, selfLinks, ...(sites === undefined ? {} : { sites }), ...shape }
}

/** Weak and strong component, no out-links, no in-links, most in, most out. */
const graphs: readonly Counts[] = [
  counts('cnr-2000', 325_557, 3_216_152, 87_442, undefined, '325557 112023 78056 0 18235 2716'),
  counts('uci-ics', 53_765, 574_548, 0, 88, '51054 26095 10073 1785 11150 726'),
  counts('uci-ics-open', 202_012, 1_111_050, 0, 9_575, '201289 26095 157169 1785 11150 1708'),
  // Its README counts 5,856 hosts; some of its addresses are broken, such as http:resource, and have sites here too.
  counts('california', 9_664, 16_150, 0, 5_868, '5925 31 4637 7565 199 164'),
  counts('hollins', 6_012, 23_875, 0, 4, '6012 1426 3189 2 829 184'),
  counts('wikispeedia', 4_604, 119_882, 110, 1, '4589 4051 17 469 1551 294'),
]

/** Each is read once; it is never modified. */
const loaded = new Map<string, Promise<Web>>()

function load(name: string, sites: number | undefined, keepSelf: boolean): Promise<Web> {
  const key = `${name} ${sites} ${keepSelf}`
  const web =
    loaded.get(key) ??
    readGraph(sharedPath(edgesOf(name)), {
      keepSelf,
      urls: sites === undefined ? undefined : sharedPath(urlsOf(name)),
    })
  loaded.set(key, web)
  return web
}

function largestWeakComponent(graph: CsrGraph): number {
  const parent = Uint32Array.from({ length: graph.pages }, (_, page) => page)
  const root = (page: number): number => {
    while (parent[page] !== page) page = parent[page] = parent[parent[page]]
    return page
  }
  for (let page = 0; page < graph.pages; page++)
    for (let i = graph.offsets[page]; i < graph.offsets[page + 1]; i++)
      parent[root(graph.targets[i])] = root(page)
  const sizes = new Uint32Array(graph.pages)
  for (let page = 0; page < graph.pages; page++) sizes[root(page)]++
  return sizes.reduce((most, size) => Math.max(most, size), 0)
}

const zeros = (degrees: Uint32Array): number =>
  degrees.reduce((sum, degree) => sum + (degree === 0 ? 1 : 0), 0)
const most = (degrees: Uint32Array): number => degrees.reduce((max, degree) => Math.max(max, degree), 0)

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

function same(one: CsrGraph, other: CsrGraph): boolean {
  return (
    bytesOf(one.offsets).equals(bytesOf(other.offsets)) && bytesOf(one.targets).equals(bytesOf(other.targets))
  )
}

describe.each(graphs)(`$name ${reason}`, ({ name, sites, ...expected }) => {
  const gone = absent(edgesOf(name)) || (sites !== undefined && absent(urlsOf(name)))

  it.skipIf(gone)('has the counts of its README', async () => {
    const web = await load(name, sites, true)
    const graph = toCsr(web.graph)
    const into = inDegrees(graph)
    const out = outDegrees(graph)
    expect({
      pages: graph.pages,
      links: graph.links,
      selfLinks: web.counts.selfLinks,
      weak: largestWeakComponent(graph),
      strong: most(strongComponents(graph).sizes),
      dangling: zeros(out),
      withoutInLinks: zeros(into),
      inMax: most(into),
      outMax: most(out),
    }).toEqual(expected)
    if (sites !== undefined) expect(web.sites.count).toBe(sites)
    expect(web.counts).toMatchObject({ linksInFile: expected.links, repeatedLinks: 0 })
  })

  it.skipIf(gone)('loses its self-links unless they are kept, and nothing else', async () => {
    const { graph, counts: dropped } = await load(name, undefined, false)
    expect(graph.links).toBe(expected.links - expected.selfLinks)
    expect(dropped).toEqual({
      linksInFile: expected.links,
      selfLinks: expected.selfLinks,
      repeatedLinks: 0,
    })
  })

  // Both edge lists come from one writer; packing the largest takes seconds.
  const endings = ['.tsv', '.tsv.gz', '.graph', '.rwg'].filter(
    (ending) => ending !== '.tsv.gz' || expected.links < 1e6,
  )
  it.skipIf(gone).each(endings)('comes back from %s link for link', async (ending) => {
    const web = await load(name, sites, true)
    const path = join(folder, `${name}${ending}`)
    await writeGraph({ ...web, urls: undefined }, path)
    const back = await readGraph(path, { keepSelf: true })
    expect(same(toCsr(back.graph), toCsr(web.graph))).toBe(true)
  })
})

describe.each(graphs.filter(({ sites }) => sites !== undefined))(
  `$name with its URLs ${reason}`,
  ({ name, sites }) => {
    it.skipIf(absent(edgesOf(name), urlsOf(name)))('comes back from .rwg with every URL', async () => {
      const web = await load(name, sites, true)
      const path = join(folder, `${name}-urls.rwg`)
      await writeGraph(web, path)
      const { urls } = await readGraph(path)
      expect(urls!.length).toBe(web.urls!.length)
      let different = 0
      for (let page = 0; page < urls!.length; page++) if (urls!.at(page) !== web.urls!.at(page)) different++
      expect(different).toBe(0)
    })
  },
)

describe(`the BV copies of cnr-2000 ${reason}`, () => {
  const old = 'data/cnr-2000-bv-old/cnr-2000.graph'
  const recent = 'data/cnr-2000-bv/cnr-2000.graph'
  const bv = async (path: string): Promise<CsrGraph> =>
    toCsr((await readGraph(sharedPath(path), { keepSelf: true })).graph)

  it.skipIf(absent(old, edgesOf('cnr-2000')))('of 2006 is the edge list, arc for arc', async () => {
    const { graph } = await load('cnr-2000', undefined, true)
    expect(same(await bv(old), toCsr(graph))).toBe(true)
  })

  it.skipIf(absent(old, recent))('of 2010 is the same graph numbered otherwise: equal degrees', async () => {
    const [one, other] = [await bv(old), await bv(recent)]
    for (const numbers of [inDegrees, outDegrees, (graph: CsrGraph) => strongComponents(graph).sizes])
      expect(Buffer.compare(bytesOf(numbers(other).sort()), bytesOf(numbers(one).sort()))).toBe(0)
  })

  it.skipIf(absent(old))('has as many strong components as published', async () => {
    expect(strongComponents(await bv(old)).count).toBe(100_977)
  })
})

describe(`other published counts ${reason}`, () => {
  it.skipIf(absent(edgesOf('california')))('california has 9,450 strong components', async () => {
    expect(strongComponents((await load('california', 5_868, true)).graph).count).toBe(9_450)
  })

  it.skipIf(absent(edgesOf('uci-ics'), urlsOf('uci-ics')))(
    'four home pages of uci-ics reach 36,222 pages',
    async () => {
      const { graph, urls } = await load('uci-ics', 88, true)
      const homes = Array.from({ length: graph.pages }, (_, page) => page).filter((page) =>
        /^https?:\/\/www\.(ics|cs|informatics|stat)\.uci\.edu\/?$/.test(urls!.at(page)),
      )
      expect(homes).toHaveLength(4)
      expect(reachableFrom(graph, homes).count).toBe(36_222)
    },
  )

  it.skipIf(absent('data/uk-hosts-1996.tsv.gz'))(
    'uk-hosts-1996 has 58,842 hosts and 184,433 links of 10,635 of them',
    async () => {
      const { graph, counts: read } = await readGraph(sharedPath('data/uk-hosts-1996.tsv.gz'), {
        keepSelf: true,
      })
      expect(graph.pages).toBe(58_842)
      expect(read.linksInFile).toBe(184_433)
      expect(graph.pages - zeros(outDegrees(graph))).toBe(10_635)
    },
  )
})
