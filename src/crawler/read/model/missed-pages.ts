/** The pages that were not fetched: the best of them, and their sums by cause. */
import { stateOf, type PageState } from '../../../engine/page-totals.ts'
import type { KnownCrawl } from './known-crawl.ts'
import { TopList } from './top-list.ts'

interface MissedOptions {
  readonly limit: number
  /** Only pages in this state. */
  readonly state?: PageState | undefined
  /** Only pages with more mass. */
  readonly massMin?: number | undefined
}

interface MissedPages {
  /** Those on which the most mass rests, the best first. */
  readonly best: readonly number[]
  /** Number of pages that could be in the list if it had no limit. */
  readonly total: number
  /** Of all pages that were not fetched, the one for the outside included. */
  readonly causes: ReadonlyMap<PageState, { readonly pages: number; readonly mass: number }>
}

export function missedPages(
  { pages, outside }: Pick<KnownCrawl, 'pages' | 'outside'>,
  massOf: (page: number) => number,
  { limit, state: only, massMin = -1 }: MissedOptions,
): MissedPages {
  const causes = new Map<PageState, { pages: number; mass: number }>()
  const best = new TopList<number>(limit, massOf)
  let total = 0
  for (let page = 0; page < pages.known; page++) {
    if (pages.isCrawled(page)) continue
    const state = stateOf(pages, page)
    const mass = massOf(page)
    const sum = causes.get(state) ?? { pages: 0, mass: 0 }
    sum.pages++
    sum.mass += mass
    causes.set(state, sum)
    if (page === outside || (only !== undefined && state !== only) || mass <= massMin) continue
    total++
    best.add(page)
  }
  return { best: best.items, total, causes }
}
