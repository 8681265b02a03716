import { describe, expect, it, vi } from 'vitest'
import { KnownLinks } from '../known-links.ts'
import type { StrategyServices } from '../strategy.ts'
import { seededRandom } from '../../lib/random.ts'
import { restoreState, savedState } from '../../lib/state.ts'
import { KnownPageRank } from './known-pagerank.ts'

/** Pages with up to ten links, most of them to pages nearby; every fifth has none. */
function randomLinks(pages = 2000): Uint32Array[] {
  const random = seededRandom(3)
  return Array.from({ length: pages }, (_, page) => {
    if (page % 5 === 0) return new Uint32Array(0)
    const target = (): number =>
      random.below(8) === 0 ? random.below(pages) : (page + pages - 10 + random.below(20)) % pages
    return Uint32Array.from({ length: 1 + random.below(10) }, target)
  })
}

it.each([
  { damping: 0.85, most: 0.9 },
  { damping: 0.5, most: 1.1 },
  { damping: 0.1, most: 1.1 },
])('d = $damping: every x is exact, for $most of the links that plain sweeps read', ({ damping, most }) => {
  const lists = randomLinks()
  const pages = lists.length
  const rank = new KnownPageRank(damping)
  const links = new KnownLinks()
  let read = 0
  const counted = {
    get targets() {
      return links.targets
    },
    get start() {
      return links.start
    },
    get end() {
      return links.end
    },
    seek(page: number) {
      links.seek(page)
      read += links.end - links.start
    },
  }
  rank.start({ links: counted } as Partial<StrategyServices> as StrategyServices)
  lists.forEach((list, page) => {
    rank.discovered(page)
    rank.visited(page)
    links.append(page, list, list.length)
  })
  rank.update()

  const plain = plainSweeps(lists, damping)
  for (let page = 0; page < pages; page++)
    expect(Math.abs(rank.unscaled(page) / plain.x[page] - 1)).toBeLessThan(1e-11)
  expect(read).toBeLessThan(most * plain.read)
})

it('if x is never exact, it is that of PageRank with a damping within the tolerance of d, though crawled pages pass on at once', () => {
  const [damping, tolerance] = [0.85, 2 ** -8]
  const lists = randomLinks()
  const rank = new KnownPageRank(damping, { tolerance, exactPages: 0 })
  const links = new KnownLinks()
  rank.start({ links } as Partial<StrategyServices> as StrategyServices)
  lists.forEach((_, page) => rank.discovered(page))
  lists.forEach((list, page) => {
    rank.visited(page)
    links.append(page, list, list.length)
    const share = rank.passOn(page, list.length)
    for (const to of list) rank.receive(to, share)
    if (page % 100 === 99) rank.update()
  })
  const low = plainSweeps(lists, damping * (1 - tolerance)).x
  const high = plainSweeps(lists, damping * (1 + tolerance)).x
  const rounding = 1e-5
  lists.forEach((_, page) => {
    expect(rank.unscaled(page)).toBeGreaterThan(low[page] * (1 - rounding))
    expect(rank.unscaled(page)).toBeLessThan(high[page] * (1 + rounding))
  })
})

describe('of a web with more than 4096 pages', () => {
  const damping = 0.85
  const lists = randomLinks(6000)
  const links = new KnownLinks({ isReplaceable: true })
  const rankOf = (options: { tolerance?: number } = {}): KnownPageRank => {
    const rank = new KnownPageRank(damping, options)
    rank.start({ links } as Partial<StrategyServices> as StrategyServices)
    lists.forEach((_, page) => rank.discovered(page))
    return rank
  }
  const crawled = (rank: KnownPageRank, from: number, to: number): void => {
    for (let page = from; page < to; page++) rank.visited(page)
    rank.update()
  }
  lists.forEach((list, page) => links.append(page, list, list.length))

  it.each([{ tolerance: 2 ** -10 }, { tolerance: 1e-5 }])(
    'every x is that of PageRank with a damping within $tolerance of d, however many updates there were',
    ({ tolerance }) => {
      const rank = rankOf({ tolerance })
      for (let page = 0; page < lists.length; page += 100) crawled(rank, page, page + 100)
      const low = plainSweeps(lists, damping * (1 - tolerance)).x
      const high = plainSweeps(lists, damping * (1 + tolerance)).x
      const rounding = 1e-9
      for (let page = 0; page < lists.length; page++) {
        expect(rank.unscaled(page)).toBeGreaterThan(low[page] * (1 - rounding))
        expect(rank.unscaled(page)).toBeLessThan(high[page] * (1 + rounding))
      }
    },
  )

  it('an update after a single page reads few links', () => {
    const rank = rankOf()
    crawled(rank, 0, lists.length - 1)
    let read = 0
    const seek = vi.spyOn(links, 'seek')
    crawled(rank, lists.length - 1, lists.length)
    for (const [page] of seek.mock.calls) read += lists[page].length
    seek.mockRestore()
    expect(read).toBeLessThan(0.1 * links.count)
  })

  it('is the same after a snapshot, with links that were replaced', () => {
    const [live, before] = [rankOf(), rankOf()]
    for (const rank of [live, before]) crawled(rank, 0, 5000)
    for (let page = 1; page < 200; page++) {
      for (const rank of [live, before]) rank.relinking(page)
      links.replace(page, lists[page + 1], lists[page + 1].length)
    }
    const restored = new KnownPageRank(damping)
    restored.start({ links } as Partial<StrategyServices> as StrategyServices)
    restoreState([restored], savedState([before]))
    for (const rank of [live, restored]) crawled(rank, 5000, lists.length)
    const scores = (rank: KnownPageRank): number[] => lists.map((_, page) => rank.score(page))
    expect(scores(restored)).toEqual(scores(live))
    const exact = plainSweeps(
      lists.map((_, page) => {
        links.seek(page)
        return links.targets.slice(links.start, links.end)
      }),
      damping,
    )
    lists.forEach((_, page) => expect(Math.abs(live.unscaled(page) / exact.x[page] - 1)).toBeLessThan(0.01))
  })
})

it('trust is within the tolerance however little of it reaches a page', () => {
  const [depth, known, damping] = [16, 5000, 0.85]
  const rank = new KnownPageRank(damping, { ownOfPage: 0 })
  const links = new KnownLinks()
  rank.start({ links } as Partial<StrategyServices> as StrategyServices)
  for (let page = 0; page < known; page++) rank.discovered(page)
  rank.own(0, 1)
  for (let page = 0; page < depth; page++) {
    const others = Array.from({ length: 9 }, (_, i) => 100 + 9 * page + i)
    links.append(page, Uint32Array.from([page + 1, ...others]), 10)
    rank.visited(page)
  }
  rank.update()
  expect(rank.unscaled(depth) / (damping / 10) ** depth).toBeCloseTo(1, 1)
})

/** Every page passes on all that it has, sweep by sweep, until no page has more than 1e-12. */
function plainSweeps(lists: readonly Uint32Array[], damping: number): { x: Float64Array; read: number } {
  const x = new Float64Array(lists.length).fill(1)
  const rest = new Float64Array(lists.length).fill(1)
  let read = 0
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    lists.forEach((list, page) => {
      if (rest[page] <= 1e-12) return
      const share = (damping * rest[page]) / list.length
      rest[page] = 0
      read += list.length
      if (list.length > 0) isSettled = false
      for (const to of list) {
        x[to] += share
        rest[to] += share
      }
    })
  }
  return { x, read }
}
