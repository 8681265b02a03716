import { readFileSync } from 'node:fs'
import { assert, asyncProperty, property } from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { linkLists, seeded } from '../../../test/arbitrary-graph.ts'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { seededRandom } from '../../lib/random.ts'
import { sharedUint32, toShared } from '../../lib/shared-memory.ts'
import { toCompressed } from '../compressed-graph.ts'
import { type CsrGraph, graphOf } from '../csr-graph.ts'
import type { Graph } from '../graph.ts'
import { layOutHere, layOutWeb } from './pagerank-in-links.ts'
import { PageRankKernel, startState } from './pagerank-kernel.ts'
import { laneBounds, readPart } from './pagerank-links.ts'
import { wasmBytesMax } from './pagerank-pass.ts'
import { pageRank, pageRanks, pageRankSync } from './pagerank.ts'
import { transpose } from '../transpose.ts'

/** Seven pages, nine links; solved by hand for d = 1/2. */
const thirteenOrders = graphOf([[2, 3, 4], [4], [0, 4, 5], [1], [6], [], []])

/** Enough links for WebAssembly and for several blocks; a hub, dangling pages and neighbours. */
function madeUpWeb(pages: number, seed = 1): CsrGraph {
  const random = seededRandom(seed)
  return graphOf(
    Array.from({ length: pages }, (_, page) => {
      if (random.below(5) === 0) return []
      const list = [0]
      for (let i = random.below(12); i > 0; i--) {
        list.push(random.below(3) > 0 ? (page + random.below(50)) % pages : random.below(pages))
      }
      return list
    }),
  )
}

/** The definition, word for word, on a dense matrix. */
function naive(lists: number[][], damping: number, trust?: Float64Array): Float64Array {
  const pages = lists.length
  const sum = trust?.reduce((a, b) => a + b, 0) ?? pages
  const jump = Array.from({ length: pages }, (_, page) => (trust?.[page] ?? 1) / sum)
  let scores = Float64Array.from(jump)
  for (let iteration = 0; iteration < 400; iteration++) {
    const next = Float64Array.from(jump, (share) => (1 - damping) * share)
    lists.forEach((list, page) => {
      if (list.length === 0) jump.forEach((share, to) => (next[to] += damping * scores[page] * share))
      for (const to of list) next[to] += (damping * scores[page]) / list.length
    })
    scores = next
  }
  return scores
}

function distance(a: Float64Array, b: ArrayLike<number>): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0)
}

const sumOf = (scores: Float64Array): number => scores.reduce((a, b) => a + b, 0)

describe('PageRank', () => {
  it('gives the exact fractions of a web that was solved by hand', async () => {
    const { scores } = await pageRank(thirteenOrders, { damping: 0.5 })
    const exact = [12, 16, 12, 12, 22, 12, 21].map((part) => part / 107)
    expect(distance(scores, exact)).toBeLessThan(1e-12)
  })

  it('gives the exact fractions of the same web when one page has all the trust', async () => {
    const { scores } = await pageRank(thirteenOrders, {
      damping: 0.5,
      trust: Float64Array.of(3, 0, 0, 0, 0, 0, 0),
    })
    const exact = [144, 12, 24, 24, 34, 4, 17].map((part) => part / 259)
    expect(distance(scores, exact)).toBeLessThan(1e-12)
  })

  it('sends the score of a dangling page to the trusted page', () => {
    const { scores } = pageRankSync(graphOf([[1], []]), { damping: 0.5, trust: Float64Array.of(1, 0) })
    expect(distance(scores, [2 / 3, 1 / 3])).toBeLessThan(1e-12)
  })

  it('agrees with the definition on random graphs', async () => {
    await assert(
      asyncProperty(linkLists(30, 8), async (lists) => {
        const { scores } = await pageRank(graphOf(lists), { tolerance: 1e-14 })
        expect(distance(scores, naive(lists, 0.85))).toBeLessThan(1e-12)
        expect(sumOf(scores)).toBeCloseTo(1, 12)
      }),
      seeded(200),
    )
  })

  it('agrees with the definition when personalised', () => {
    assert(
      property(linkLists(30, 8), (lists) => {
        const trust = Float64Array.from(lists, (list, page) => (page === 0 ? 1 : list.length % 3))
        const { scores } = pageRankSync(graphOf(lists), { damping: 0.9, trust, tolerance: 1e-14 })
        expect(distance(scores, naive(lists, 0.9, trust))).toBeLessThan(1e-12)
      }),
      seeded(200),
    )
  })

  it('sums to 1', async () => {
    const { scores } = await pageRank(madeUpWeb(20_000))
    expect(Math.abs(sumOf(scores) - 1)).toBeLessThan(1e-12)
  })

  it('stops when the change is below the tolerance, and says by how much', () => {
    const graph = madeUpWeb(3000)
    const loose = pageRankSync(graph, { tolerance: 1e-4 })
    const tight = pageRankSync(graph)
    expect(loose.residual).toBeLessThan(1e-4)
    expect(loose.iterations).toBeLessThan(tight.iterations)
    expect(tight.residual).toBeLessThan(1e-12)
    expect(pageRankSync(graph, { iterationsMax: 3 }).iterations).toBe(3)
  })

  it('tells its progress after each iteration', () => {
    const notes: string[] = []
    const { iterations } = pageRankSync(thirteenOrders, {
      progress: (done, total, note) => notes.push(`${done} ${total} ${note}`),
    })
    expect(notes.filter((note) => note.includes('residual'))).toHaveLength(iterations)
    expect(notes.at(-1)).toMatch(/^\d+ undefined residual \d\.\de-\d+$/)
  })
})

describe('the number of threads and the form of the graph', () => {
  const graph = madeUpWeb(12_345)
  const expected = pageRankSync(graph)

  it.each([1, 2, 3, 5])('do not change a bit of the scores: %i threads', async (threads) => {
    const { scores, iterations, residual } = await pageRank(graph, { threads })
    expect({ iterations, residual }).toEqual({ iterations: expected.iterations, residual: expected.residual })
    expect(scores).toEqual(expected.scores)
  })

  it('do not change a bit of the scores: several threads with trust', async () => {
    const trust = Float64Array.from({ length: graph.pages }, (_, page) => (page % 7 === 0 ? page + 1 : 0))
    const one = pageRankSync(graph, { trust })
    expect((await pageRank(graph, { trust, threads: 3 })).scores).toEqual(one.scores)
  })

  it('do not change a bit of the scores: compressed, one thread and two', async () => {
    const compressed = toCompressed(graph)
    expect(pageRankSync(compressed).scores).toEqual(expected.scores)
    expect((await pageRank(compressed, { threads: 2 })).scores).toEqual(expected.scores)
  })

  it('do not change a bit of the scores: several lanes', async () => {
    const lists = Array.from({ length: 36_000 }, (_, page) =>
      Array.from({ length: page % 9 === 0 ? 0 : 70 }, (__, i) => (page + (i < 60 ? i : 977 * i)) % 36_000),
    )
    const wide = graphOf(lists)
    expect(laneBounds(wide)).toHaveLength(3)
    const one = pageRankSync(wide, { tolerance: 1e-9 })
    for (const threads of [1, 3])
      expect((await pageRank(wide, { threads, tolerance: 1e-9 })).scores).toEqual(one.scores)
  })

  it('do not change a bit of the scores: in-links given, plain and compressed', () => {
    expect(pageRankSync(graph, { transposed: transpose(graph) }).scores).toEqual(expected.scores)
    const compressed = transpose(graph, { form: 'compressed' })
    expect(pageRankSync(graph, { transposed: compressed }).scores).toEqual(expected.scores)
  })
})

describe('several surfers on one web', () => {
  const graph = madeUpWeb(12_345)
  const trust = new Float64Array(graph.pages)
  trust.set([3, 0, 1], 77)
  const surfers = [{}, { trust }, { start: trust }, { danglingWeights: trust }]
  const alone = surfers.map((surfer) => pageRankSync(graph, surfer))

  it.each([1, 2, 3])('have the scores that each has alone, to the last bit: %i threads', async (threads) => {
    expect(await pageRanks(graph, surfers, { threads })).toEqual(alone)
  })

  it('have the scores that each has alone without threads, with and without WebAssembly', async () => {
    const small = madeUpWeb(300)
    expect(graph.links).toBeGreaterThan(4096)
    expect(small.links).toBeLessThan(4096)
    const other = { trust: trust.subarray(0, 300) }
    expect(await pageRanks(graph, surfers)).toEqual(alone)
    expect(await pageRanks(small, [{}, other])).toEqual([pageRankSync(small), pageRankSync(small, other)])
  })

  it('read the in-links once', async () => {
    const notes: string[] = []
    const progress: Progress = (done, total, note) => note === 'in-links' && notes.push(`${done}/${total}`)
    await pageRanks(graph, surfers, { threads: 2, progress })
    expect(notes).toEqual(['12345/24690', '24690/24690'])
  })

  it('of an empty web have no scores', async () => {
    const results = await pageRanks(graphOf([]), [{}, {}])
    expect(results.map(({ scores }) => scores.length)).toEqual([0, 0])
  })
})

describe('the loop in WebAssembly', () => {
  // Several lanes, links that are too far for 16 bits, and a page with more links than a chunk.
  const far = seededRandom(3)
  const graph = graphOf(
    Array.from({ length: 90_000 }, (_, page) => [
      ...(page % 2 === 0 ? [50_000] : []),
      ...(page % 3 === 0 ? [(page + 1 + far.below(100)) % 90_000, far.below(90_000)] : []),
    ]),
  )
  const lanes = sharedUint32(4)
  lanes.set([0, 20_000, 80_000, 90_000])
  const trust = Float64Array.from(graph.offsets.subarray(1), (end, page) => (end + page) % 5)

  it.each(['one chunk after the other', 'with trust'])(
    'gives the same bits as the one by cursor: %s',
    (how) => {
      const results = [0, Infinity].map((wasmLinksMin) => {
        const web = layOutHere(graph, { lanes, wasmLinksMin, progress: silent })
        const { inLinks } = web
        const start = toShared(new Float64Array(graph.pages).fill(1 / graph.pages))
        const weights = how === 'with trust' ? toShared(trust) : undefined
        const jumps = { trust: weights, danglingWeights: undefined }
        const state = startState(web, { damping: 0.85, start, ...jumps })
        const kernel = new PageRankKernel(state, 0)
        for (let sweep = 0; sweep < 3; sweep++) {
          for (let lane = 0; lane < 3; lane++) kernel.keep(lane)
          for (let lane = 0; lane < 3; lane++)
            kernel.sweep(lane, 0.2, { repeatAbove: sweep === 0 ? Infinity : 1e-5, isShifted: sweep === 1 })
        }
        const changes = [...state.changes]
        for (let lane = 0; lane < 3; lane++) kernel.check(lane, 0.2, 0.9)
        return {
          isInWasm: inLinks.split !== undefined,
          changes,
          checked: [...state.changes],
          given: [...inLinks.given],
          totals: state.totals,
          dangling: state.dangling,
        }
      })
      expect(results.map(({ isInWasm }) => isInWasm)).toEqual([true, false])
      expect({ ...results[0], isInWasm: false }).toEqual(results[1])
    },
  )
})

describe('in-links', () => {
  const random = seededRandom(5)
  const graph = graphOf(
    Array.from({ length: 80_000 }, (_, page) =>
      Array.from({ length: page % 4 }, (__, i) => (i === 0 ? page + 1 : random.below(80_000)) % 80_000),
    ),
  )
  const lanes = sharedUint32(6)
  lanes.set([0, 10_000, 50_000, 55_000, 78_000, 80_000])

  it.each([undefined, transpose(graph)])('are the same when several threads read the links', (transposed) => {
    const [one, two, four, nine] = [1, 2, 4, 9].map((threads) => {
      const passes = layOutWeb(graph, { lanes, threads, transposed, progress: silent })
      const parts: number[] = []
      for (;;) {
        const { done, value } = passes.next()
        if (done === true) return { parts, links: value.inLinks.split!.links, degrees: value.degrees }
        parts.push(value.far.length)
        // Threads may be done in any order.
        for (let part = value.far.length; part-- > 0;) readPart(transposed ?? graph, value, part, () => {})
      }
    })
    expect([one, two, four, nine].map(({ parts }) => parts)).toEqual([
      [1, 1],
      [2, 2],
      [4, 4],
      [4, 4],
    ])
    for (const { links, degrees } of [two, four, nine])
      expect({ links, degrees }).toEqual({ links: one.links, degrees: one.degrees })
  })
})

it('the loop in WebAssembly leaves room behind the last link: it looks for three more before it reads them', () => {
  expect(wasmBytesMax + 3 * Uint32Array.BYTES_PER_ELEMENT).toBeLessThan(2 ** 32)
})

describe('a recomputation', () => {
  it('from converged scores ends at once with the same scores', () => {
    const graph = madeUpWeb(3000)
    const first = pageRankSync(graph)
    const again = pageRankSync(graph, { start: first.scores })
    expect(again.iterations).toBeLessThan(3)
    expect(distance(again.scores, first.scores)).toBeLessThan(1e-12)
  })

  it('may begin with the scores of a smaller web', () => {
    let start = new Float64Array(0)
    for (const pages of [1000, 2000, 3000, 9000]) {
      const graph = madeUpWeb(pages)
      const { scores } = pageRankSync(graph, { start })
      expect(distance(scores, pageRankSync(graph).scores)).toBeLessThan(1e-11)
      start = Float64Array.from(scores)
    }
  })
})

describe('special graphs', () => {
  it('an empty graph has no scores', async () => {
    expect(pageRankSync(graphOf([]))).toMatchObject({ iterations: 0, residual: 0 })
    expect((await pageRank(graphOf([]), { threads: 2 })).scores).toHaveLength(0)
  })

  it('a single page has the score 1, with and without a link to itself', () => {
    expect(pageRankSync(graphOf([[]])).scores[0]).toBe(1)
    expect(pageRankSync(graphOf([[0]])).scores[0]).toBe(1)
  })

  it('pages without links share evenly, or by trust', () => {
    const graph = graphOf([[], [], [], []])
    expect(distance(pageRankSync(graph).scores, [0.25, 0.25, 0.25, 0.25])).toBeLessThan(1e-15)
    const { scores } = pageRankSync(graph, { trust: Float64Array.of(1, 0, 3, 0) })
    expect(distance(scores, [0.25, 0, 0.75, 0])).toBeLessThan(1e-15)
  })
})

describe('wrong options', () => {
  const graph = graphOf([[1], [0], []])
  const usage = expect.objectContaining({ code: 'USAGE' })

  it.each([0, 1, -0.5, 1.5, NaN])('damping %d is refused', async (damping) => {
    await expect(pageRank(graph, { damping })).rejects.toEqual(usage)
    expect(() => pageRankSync(graph, { damping })).toThrow(/damping/)
  })

  it.each([[[1, -1, 1]], [[1, NaN, 1]], [[0, 0, 0]], [[1, Infinity, 1]], [[1, 1]]])(
    'trust %j is refused',
    async (trust) => {
      await expect(pageRank(graph, { trust: Float64Array.from(trust) })).rejects.toEqual(usage)
      expect(() => pageRankSync(graph, { danglingWeights: Float64Array.from(trust) })).toThrow(
        /danglingWeights/,
      )
    },
  )

  it.each([0, 1.5, -1, 1000])('%d threads are refused', async (threads) => {
    await expect(pageRank(graph, { threads })).rejects.toEqual(usage)
  })

  it('in-links of another graph are refused', () => {
    expect(() => pageRankSync(graph, { transposed: graphOf([[1]]) })).toThrow(/transposed/)
  })
})

function throwOnResidual(_done: number, _total?: number, note?: string): void {
  if (note?.startsWith('residual') === true) throw new Error('no')
}

describe('an interrupted computation', () => {
  const graph = madeUpWeb(5000)

  it('rejects with the reason of the signal, before and during the work', async () => {
    const reason = new Error('enough')
    await expect(pageRank(graph, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    for (const threads of [1, 2]) {
      const controller = new AbortController()
      const running = pageRank(graph, {
        threads,
        tolerance: 0,
        iterationsMax: 1_000_000,
        signal: controller.signal,
        progress: (done) => done === 20 && controller.abort(reason),
      })
      await expect(running).rejects.toBe(reason)
    }
  })

  it('rejects when a thread dies while the others wait for it', async () => {
    // So few links are read by cursor, from a graph that is shared with each thread.
    const graph = madeUpWeb(500)
    const transposed = transpose(graph, { form: 'compressed' })
    // There is one lane: the thread that takes it fails.
    const unreadable: Graph = {
      pages: transposed.pages,
      links: transposed.links,
      byteLength: transposed.byteLength,
      outDegree: (page) => transposed.outDegree(page),
      cursor: () => transposed.cursor(),
      share: () => ({ ...transposed.share(), segments: [] }),
    }
    const running = pageRank(graph, { threads: 3, transposed: unreadable })
    await expect(running).rejects.toMatchObject({ code: 'BUG', message: /thread failed/ })
  })

  it('rejects when the receiver of its progress throws', async () => {
    await expect(pageRank(graph, { threads: 2, progress: throwOnResidual })).rejects.toThrow('no')
  })
})

interface NetworkxCase {
  readonly name: string
  readonly damping: number
  readonly nodes: string[]
  readonly edges: [string, string][]
  readonly teleport?: Record<string, number>
  readonly danglingWeights?: Record<string, number>
  readonly rank: Record<string, number>
  readonly tolerance: number
}

const networkx = 'conformance/pagerank/networkx.json'
describe.skipIf(absent(networkx))(`the cases of networkx (skipped without ../shared/${networkx})`, () => {
  const cases = absent(networkx)
    ? []
    : (JSON.parse(readFileSync(sharedPath(networkx), 'utf8')) as NetworkxCase[])

  it.each(cases)('$name', async ({ damping, nodes, edges, teleport, danglingWeights, rank, tolerance }) => {
    const pageOf = new Map(nodes.map((node, page) => [node, page]))
    const lists: number[][] = nodes.map(() => [])
    for (const [from, to] of edges) lists[pageOf.get(from)!].push(pageOf.get(to)!)
    const weights = (given: Record<string, number>): Float64Array =>
      Float64Array.from(nodes, (node) => given[node] ?? 0)
    const { scores } = await pageRank(graphOf(lists), {
      damping,
      ...(teleport === undefined ? {} : { trust: weights(teleport) }),
      ...(danglingWeights === undefined ? {} : { danglingWeights: weights(danglingWeights) }),
    })
    nodes.forEach((node, page) => expect(Math.abs(scores[page] - rank[node])).toBeLessThan(tolerance))
  })
})

describe('PageRank without WebAssembly memory', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('is computed in other memory, with the same result', () => {
    const graph = madeUpWeb(3000)
    const { scores } = pageRankSync(graph)
    const Memory = vi.fn(function refused() {
      throw new RangeError('WebAssembly.Memory(): could not allocate memory')
    })
    vi.stubGlobal('WebAssembly', { Memory })
    expect(pageRankSync(graph).scores).toEqual(scores)
    expect(Memory).toHaveBeenCalledOnce()
  })
})
