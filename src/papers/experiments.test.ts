import { describe, expect, it } from 'vitest'
import { CsrGraph } from '../webgraph/csr-graph.ts'
import { webOf } from '../webgraph/web.ts'
import { toShared } from '../lib/shared-memory.ts'
import { prepareWeb } from '../simulator/simulated-web.ts'
import { duel, listed, meanSteps, percentReaching, shareBelow } from './curves.ts'
import { earlierWeb } from './castillo.ts'
import { experimentsNamed, experiments } from './index.ts'
import { depthsInSites, noDepth } from './castillo-crawls.ts'
import { levelEnds, windowCount } from './crawl-steps.ts'
import { downloadSeconds } from '../simulator/time.ts'
import { movedRemark, thresholdsFor } from './threshold.ts'

/** 0 → 1, 2; 1 → 3, 4; 2 → 5, 6 and so on: a binary tree. */
function tree(pages: number): CsrGraph {
  const links = Array.from({ length: pages }, (_, page) =>
    [2 * page + 1, 2 * page + 2].filter((to) => to < pages),
  )
  const offsets = new Uint32Array(pages + 1)
  links.forEach((targets, page) => (offsets[page + 1] = offsets[page] + targets.length))
  return new CsrGraph(toShared(offsets), toShared(Uint32Array.from(links.flat())))
}

describe('thresholds', () => {
  const backlinks = Uint32Array.from({ length: 1000 }, (_, i) => Math.floor(1000 / (i + 1)))

  it('the paper’s is kept where it tells pages apart', () => {
    const [threshold] = thresholdsFor(backlinks, [{ published: 10, wantedShare: 0.1 }])
    expect(threshold).toMatchObject({ value: 10, hot: 100, share: 0.1 })
    expect(movedRemark('Backlinks', [threshold])).toEqual([])
  })

  it('it is changed, with a remark, if no page or every page would be hot', () => {
    const moved = thresholdsFor(backlinks, [
      { published: 1, wantedShare: 0.5 },
      { published: 5000, wantedShare: 0.01 },
    ])
    expect(moved.map(({ hot }) => hot)).toEqual([500, 10])
    expect(movedRemark('Backlinks', moved)[0]).toMatch(
      /1 became 2 \(500 hot pages\); 5000 became 100 \(10 hot pages\)/,
    )
  })

  it('each is stricter than the one before it', () => {
    const counts = thresholdsFor(
      Uint32Array.from({ length: 100 }, () => 7),
      [
        { published: 3, wantedShare: 0.5 },
        { published: 5, wantedShare: 0.1 },
      ],
    )
    expect(counts).toHaveLength(2)
  })
})

describe('steps inferred from an order', () => {
  it('levels end where breadth-first levels do', async () => {
    const truth = await prepareWeb(webOf({ graph: tree(15) }), { seeds: [0], damping: 0.85 })
    expect(
      levelEnds(
        truth,
        Uint32Array.from({ length: 15 }, (_, i) => i),
      ),
    ).toEqual([1, 3, 7, 15])
  })

  it('a window of 100% is a level, and a tiny one is a page', async () => {
    const truth = await prepareWeb(webOf({ graph: tree(15) }), { seeds: [0], damping: 0.85 })
    const order = Uint32Array.from({ length: 15 }, (_, i) => i)
    expect(windowCount(truth, order, 100)).toBe(4)
    expect(windowCount(truth, order, 0.1)).toBe(15)
  })
})

it('the earlier web has 55% of the pages, and is the same for the same seed', async () => {
  const web = webOf({ graph: tree(4000) })
  const [one, same, other] = await Promise.all(
    [1, 1, 2].map((seed) => earlierWeb(web, { damping: 0.85, seed })),
  )
  expect(one.oldPages / 4000).toBeCloseTo(0.55, 1)
  expect(one.scores).toEqual(same.scores)
  expect(one.scores).not.toEqual(other.scores)
  const known = one.scores.filter((score) => !Number.isNaN(score))
  expect(known).toHaveLength(one.oldPages)
  expect(known.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 9)
})

it('words about curves', () => {
  expect(listed(['a'])).toBe('a')
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
  expect(duel([1, 2, 3], [0, 2, 4])).toEqual({ ahead: 1, behind: 1 })
  expect(percentReaching([0.2, 0.5, 0.9], 0.5)).toBe(2)
  expect(percentReaching([0.2], 0.5)).toBeUndefined()
})

it('steps over time have means that keep their area, and a share below a limit', () => {
  const steps = [
    [0, 4],
    [1, 0],
    [3, 2],
  ] as const
  expect(meanSteps(steps, 4, 2)).toEqual([
    [0, 2],
    [2, 1],
  ])
  expect(meanSteps(steps, 4, 4).map(([, value]) => value)).toEqual([4, 0, 0, 2])
  expect(shareBelow(steps, 4, 2)).toBe(0.5)
  expect(shareBelow(steps, 4, 3)).toBe(0.75)
})

it('an experiment is found by its name, and a slip of the pen is told', () => {
  expect(experimentsNamed('all')).toEqual(experiments)
  expect(experimentsNamed('cho').map(({ name }) => name)).toEqual(['cho'])
  expect(() => experimentsNamed('castilo')).toThrow(/Did you mean castillo/)
})

it('the depth of a page counts links within its site, from the page that others link to most', async () => {
  // Site 0: pages 0 to 4, site 1: pages 5 and 6. Two links from site 1 lead to page 1, one to page 4, which no page of its site links to.
  const links = [[1], [2, 5], [3], [], [6], [1, 4], [1]]
  const offsets = new Uint32Array(links.length + 1)
  links.forEach((targets, page) => (offsets[page + 1] = offsets[page] + targets.length))
  const graph = new CsrGraph(toShared(offsets), toShared(Uint32Array.from(links.flat())))
  const givenSites = {
    count: 2,
    ofPage: toShared(Uint32Array.of(0, 0, 0, 0, 0, 1, 1)),
    keys: Uint32Array.of(0, 1),
  }
  const web = webOf({ graph, givenSites })
  const truth = await prepareWeb(web, { seeds: [0], damping: 0.85 })
  expect([...depthsInSites(truth)]).toEqual([noDepth, 0, 1, 2, noDepth, 0, noDepth])
})

it('a page takes the latency of its site and the time of its transfer', async () => {
  const web = webOf({ graph: tree(15) })
  const latencies = new Float64Array(web.sites.count).fill(2)
  const speeds = new Float64Array(web.sites.count).fill(100)
  const pageBytes = Float64Array.from({ length: 15 }, (_, page) => 10 * page)
  const simulated = await prepareWeb(web, { seeds: [0], damping: 0.85, latencies, speeds, pageBytes })
  const { latency, total } = downloadSeconds(simulated)
  expect(new Set(latency)).toEqual(new Set([2]))
  expect([...total]).toEqual(Array.from({ length: 15 }, (_, page) => 2 + page / 10))
})
