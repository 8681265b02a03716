/**
 * A web on which orders differ: a hub links to homes, each on a site of its own. The homes have different numbers of pages, each of
 * which links to pages one level deeper on its site, and to pages of other sites.
 */
import { seededRandom } from '../../src/lib/random.ts'

export interface HubWeb {
  readonly lists: readonly (readonly number[])[]
  readonly sites: readonly number[]
  /** Links from the hub, page 0. */
  readonly depths: readonly number[]
}

export interface HubShape {
  readonly homes: number
  /** The homes have from 1 up to this many pages. */
  readonly pagesMax: number
  /** Links of each page to the pages below it, and to pages of other sites. */
  readonly down: number
  readonly across: number
}

export function hubWeb({ homes, pagesMax, down, across }: HubShape): HubWeb {
  const random = seededRandom(5)
  const lists: number[][] = [[]]
  const sites = [0]
  const depths = [0]
  const add = (site: number, parent: number): number => {
    const page = lists.push([]) - 1
    sites.push(site)
    depths.push(depths[parent] + 1)
    lists[parent].push(page)
    return page
  }
  const pages: number[] = []
  for (let home = 1; home <= homes; home++) add(home, 0)
  for (let home = 1; home <= homes; home++) {
    const count = 1 + ((7 * home) % pagesMax)
    for (let i = 0; i < count; i++) pages.push(add(home, home))
  }
  for (const page of pages) {
    for (let i = 0; i < down; i++) add(sites[page], page)
    const others = new Set<number>()
    while (others.size < across) others.add(pages[random.below(pages.length)])
    lists[page].push(...others)
  }
  return { lists, sites, depths }
}

/** How many of these pages are how deep. */
export function countByDepth({ depths }: HubWeb, pages: Iterable<number>): number[] {
  const counts: number[] = [0, 0, 0, 0]
  for (const page of pages) counts[depths[page]]++
  return counts
}
