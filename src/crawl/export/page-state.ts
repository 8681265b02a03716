/** What became of a page, in one word for those who look at a crawl from outside. */
import type { PageStates } from '../../engine/page-states.ts'
import type { FailureCause } from '../../engine/world.ts'

/** A page that was under way when the crawl was cut off waits: it is asked for again. */
export type PageState = 'fetched' | 'waiting' | FailureCause

export function stateOf(pages: PageStates, page: number): PageState {
  return pages.isCrawled(page) ? 'fetched' : (pages.failureOf(page) ?? 'waiting')
}

/** Was it asked for, and did something come of it? */
export function wasAsked(state: PageState): boolean {
  return state === 'fetched' || state === 'failed' || state === 'temporary'
}
