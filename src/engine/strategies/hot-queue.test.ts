import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../../test/arbitrary-graph.ts'
import { Engine } from '../engine.ts'
import { crawl } from '../loop.ts'
import type { Reading } from '../reading.ts'
import { TwoLevelFrontier } from '../frontiers/two-level.ts'
import { graphOf } from '../../webgraph/csr-graph.ts'
import { InstantWorld } from '../../simulator/worlds/instant-world.ts'
import { VirtualPageTable } from '../../simulator/worlds/page-table.ts'
import { strategyOf } from './index.ts'

/** A web whose links mention a topic or not, and whose pages are hot or not. */
interface TopicalLists {
  readonly lists: readonly (readonly number[])[]
  readonly hot: readonly boolean[]
  /** By page and link. */
  readonly mentions: readonly (readonly boolean[])[]
}

function readingOf({ lists, hot, mentions }: TopicalLists, node: number): Reading {
  return {
    relevance: hot[node] ? 1 : 0,
    isHot: hot[node],
    similarity: Float32Array.from(mentions[node], (does) => (does ? 0.5 : 0)),
    mentions: Uint8Array.from(mentions[node], Number),
    ends: Uint32Array.from(lists[node], (_, i) => 2 * (i + 1)),
    clues: Uint16Array.from(lists[node].flatMap((target, i) => [mentions[node][i] ? 7 : 8, 100 + target])),
  }
}

async function crawled(
  web: TopicalLists,
  spec: string,
  read = (node: number): Reading => readingOf(web, node),
): Promise<{ order: number[]; engine: Engine }> {
  const graph = graphOf(web.lists)
  const table = new VirtualPageTable(graph.pages, new Uint32Array(graph.pages), 1)
  const order: number[] = []
  const engine = new Engine({
    strategy: strategyOf(spec, { damping: 0.9, webPages: graph.pages, seed: 1, every: 1 }),
    frontier: new TwoLevelFrontier({ ranksSites: false }),
    onTaken: (page) => order.push(table.nodeOf(page)),
  })
  engine.seed(table.siteOf(table.pageOf(0)))
  await crawl(engine, new InstantWorld(graph, table, read))
  return { order, engine }
}

/** Figures 4 and 5, line by line, with lists; the queues in order of discovery or of backlinks seen. */
function printed(web: TopicalLists, options: { nearHot: boolean; byBacklinks: boolean }): number[] {
  const { lists, hot, mentions } = web
  let hotQueue: number[] = []
  let urlQueue = [0]
  const crawledPages: number[] = []
  const links: [from: number, to: number][] = []
  const isHot = new Set<number>()
  const found = [0]
  const distanceFromHotPage = (u: number): number => {
    if (isHot.has(u)) return 0
    const into = (page: number): number[] => links.filter(([, to]) => to === page).map(([from]) => from)
    if (into(u).some((v) => isHot.has(v))) return 1
    if (into(u).some((w) => into(w).some((v) => isHot.has(v)))) return 2
    return 3
  }
  const reorder = (queue: number[]): number[] => {
    const seen = (page: number): number => links.filter(([, to]) => to === page).length
    return queue.toSorted((a, b) =>
      options.byBacklinks
        ? seen(b) - seen(a) || found.indexOf(a) - found.indexOf(b)
        : found.indexOf(a) - found.indexOf(b),
    )
  }
  while (hotQueue.length > 0 || urlQueue.length > 0) {
    const url = hotQueue.length > 0 ? hotQueue.shift()! : urlQueue.shift()!
    if (options.nearHot && hot[url]) isHot.add(url)
    crawledPages.push(url)
    lists[url].forEach((u, i) => {
      links.push([url, u])
      if (urlQueue.includes(u) || hotQueue.includes(u) || crawledPages.includes(u)) return
      found.push(u)
      if (mentions[url][i] || (options.nearHot && distanceFromHotPage(u) < 3)) hotQueue.push(u)
      else urlQueue.push(u)
    })
    urlQueue = reorder(urlQueue)
    hotQueue = reorder(hotQueue)
  }
  return crawledPages
}

const topicalLists: fc.Arbitrary<TopicalLists> = cleanLists(24, 5).chain((lists) =>
  fc.record({
    lists: fc.constant(lists),
    hot: fc.array(
      fc.integer({ min: 0, max: 3 }).map((x) => x === 0),
      { minLength: lists.length, maxLength: lists.length },
    ),
    mentions: fc.tuple(
      ...lists.map((list) =>
        fc.array(
          fc.integer({ min: 0, max: 4 }).map((x) => x === 0),
          { minLength: list.length, maxLength: list.length },
        ),
      ),
    ),
  }),
)

describe('the hot queues of Cho et al.', () => {
  it.each([
    ['hot-queue-breadth-first', { nearHot: false, byBacklinks: false }],
    ['hot-queue-backlink-count', { nearHot: false, byBacklinks: true }],
    ['near-hot-breadth-first', { nearHot: true, byBacklinks: false }],
    ['near-hot-backlink-count', { nearHot: true, byBacklinks: true }],
  ])('%s takes pages as the printed program does', async (name, options) => {
    await fc.assert(
      fc.asyncProperty(topicalLists, async (web) => {
        expect((await crawled(web, name)).order).toEqual(printed(web, options))
      }),
      seeded(300),
    )
  })

  it('serve the hot one first, by PageRank inside each', async () => {
    // 1 and 2 are mentioned; 2 has two links by the time both wait. 3 waits in the other queue, with more
    // links still.
    const web: TopicalLists = {
      lists: [[4, 1, 3], [], [], [], [2, 3, 1], []],
      hot: Array(6).fill(false),
      mentions: [[true, false, false], [], [], [], [true, false, true], []],
    }
    expect((await crawled(web, 'hot-queue-pagerank')).order).toEqual([0, 4, 2, 1, 3])
  })
})

describe('a topic', () => {
  const spread: TopicalLists = {
    // A hub leads to ten folders; those whose links are mentioned by clue 7 lead to hot pages.
    lists: [
      Array.from({ length: 40 }, (_, i) => i + 1),
      ...Array.from({ length: 40 }, (_, i) => [41 + i]),
      ...Array.from({ length: 40 }, () => []),
    ],
    hot: Array.from({ length: 81 }, (_, page) => page > 40 && page % 4 === 1),
    mentions: [
      Array<boolean>(40).fill(false),
      ...Array.from({ length: 40 }, (_, i) => [(41 + i) % 4 === 1]),
      ...Array.from({ length: 40 }, () => []),
    ],
  }

  it('by anchors takes those first that are like it', async () => {
    const { order } = await crawled(spread, 'anchor-similarity')
    const places = order.flatMap((page, place) => (page > 40 && page % 4 === 1 ? [place] : []))
    // Each comes as soon as its only parent has.
    expect(places.every((place) => order[place - 1] === order[place] - 40)).toBe(true)
  })

  it('is learned from clues while it crawls, alike every time', async () => {
    // A directory of 200 pages of which every fifth is hot. Nothing says so but a word that their anchors
    // share.
    const children = Array.from({ length: 200 }, (_, i) => i + 1)
    const web: TopicalLists = {
      lists: [children, ...children.map(() => [])],
      hot: [false, ...children.map((page) => page % 5 === 0)],
      mentions: [children.map(() => false), ...children.map(() => [])],
    }
    const signs = (node: number): Reading => ({
      ...readingOf(web, node),
      clues: Uint16Array.from(web.lists[node].flatMap((page) => [page % 5 === 0 ? 7 : 8, 1000 + page])),
    })
    const one = await crawled(web, 'learned-topic', signs)
    const found = one.order.slice(0, 80).filter((page) => web.hot[page]).length
    expect(found).toBe(40)
    expect((await crawled(web, 'learned-topic', signs)).order).toEqual(one.order)
    const without = await crawled(web, 'learned-topic')
    expect(without.order.slice(0, 80).filter((page) => web.hot[page]).length).toBeLessThan(30)
  })

  it('is followed breadth-first where nothing is known, and by mentions where links have them', async () => {
    // Three levels of a tree without a hot page, all clues alike; page 9 is mentioned.
    const lists = [[1, 2, 3], [4, 5], [6, 7], [8, 9], ...Array.from({ length: 6 }, () => [])]
    const plain: TopicalLists = {
      lists,
      hot: lists.map(() => false),
      mentions: lists.map((list) => list.map(() => false)),
    }
    const alike = (web: TopicalLists) => (node: number) => ({
      ...readingOf(web, node),
      clues: new Uint16Array(2 * web.lists[node].length).fill(8),
    })
    expect((await crawled(plain, 'learned-topic', alike(plain))).order).toEqual([...lists.keys()])
    const mentioned = {
      ...plain,
      mentions: lists.map((list) => list.map((page) => page === 3 || page === 9)),
    }
    const { order } = await crawled(mentioned, 'learned-topic', alike(mentioned))
    expect(order.slice(0, 3)).toEqual([0, 3, 9])
  })

  it('is not unlearned by pages that say nothing about it', async () => {
    // 300 cold pages, then a directory in which the links that mention the topic lead to the hot pages.
    const cold = Array.from({ length: 300 }, (_, i) => i + 1)
    const last = 300
    const entries = Array.from({ length: 40 }, (_, i) => 301 + i)
    const lists = [cold, ...cold.map((page) => (page === last ? entries : [])), ...entries.map(() => [])]
    const isHot = (page: number): boolean => page > last && page % 4 === 0
    const web: TopicalLists = {
      lists,
      hot: lists.map((_, page) => isHot(page)),
      mentions: lists.map((list) => list.map(isHot)),
    }
    const { order } = await crawled(web, 'learned-topic')
    const at = order.indexOf(last)
    expect(order.slice(at + 1, at + 11).every(isHot)).toBe(true)
  })
})
