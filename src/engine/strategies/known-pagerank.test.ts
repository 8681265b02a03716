import { expect, it } from 'vitest'
import { KnownLinks } from '../known-links.ts'
import type { StrategyServices } from '../strategy.ts'
import { seededRandom } from '../../lib/random.ts'
import { KnownPageRank } from './known-pagerank.ts'

const pages = 2000

/** Pages with up to ten links, most of them to pages nearby; every fifth has none. */
function randomLinks(): Uint32Array[] {
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

it('with a rest of 0.005 allowed, no x lacks more than 0.005 of what links carry to its page', () => {
  const [damping, restMax] = [0.85, 0.005]
  const lists = randomLinks()
  const rank = new KnownPageRank(damping, { restMax })
  const links = new KnownLinks()
  rank.start({ links } as Partial<StrategyServices> as StrategyServices)
  lists.forEach((list, page) => {
    rank.discovered(page)
    rank.visited(page)
    links.append(page, list, list.length)
  })
  rank.update()

  const { x } = plainSweeps(lists, damping)
  for (let page = 0; page < pages; page++) {
    const lack = x[page] - rank.unscaled(page)
    const rounding = 1e-5 * x[page]
    expect(lack).toBeGreaterThan(-rounding)
    expect(lack).toBeLessThan(restMax * (x[page] - 1) + rounding)
  }
})

/** Every page passes on all that it has, sweep by sweep, until no page has more than 1e-12. */
function plainSweeps(lists: readonly Uint32Array[], damping: number): { x: Float64Array; read: number } {
  const x = new Float64Array(pages).fill(1)
  const rest = new Float64Array(pages).fill(1)
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
