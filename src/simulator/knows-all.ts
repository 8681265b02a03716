/**
 * A bound for recrawl policies: fetches, at every token, the page whose copy is not current and whose next version gives
 * the most fresh importance × time, as far as a round. It sees the future. Values only fall until the next change of a
 * page, so that a heap of old values with lazy updates finds the largest: O(log n) per change and fetch.
 */
import { none, PageForest } from '../engine/page-forest.ts'
import type { LookWatch, PageChanges } from './worlds/changing-pages.ts'
import { livePages } from './changing-web.ts'
import type { SimulatedWeb } from './simulated-web.ts'

interface KnowsAllOptions {
  readonly days: number
  readonly rate: number | undefined
  readonly round: number | undefined
}

export function knowsAll(
  web: SimulatedWeb,
  changes: PageChanges,
  { days, rate, round }: KnowsAllOptions,
  look: LookWatch,
): void {
  const { pages, pageRank } = web
  const live = livePages(web)
  /** Stale pages by value, and all pages by the time of their next change. */
  const stale = new PageForest(pages)
  const calendar = new PageForest(pages)
  let best = none
  let soonest = none
  const isStale = new Uint8Array(pages)
  const isHeld = new Uint8Array(pages)
  const next = new Float64Array(pages)
  let roundDays = 1
  const valueOf = (page: number, day: number): number =>
    pageRank[page] * Math.max(0, Math.min(next[page] - day, roundDays))
  const enter = (page: number, day: number): void => {
    if (isStale[page] === 0) best = stale.add(best, page, valueOf(page, day))
    else best = stale.update(best, page, valueOf(page, day))
    isStale[page] = 1
  }
  const remove = (page: number): void => {
    if (isStale[page] === 1) best = stale.remove(best, page)
    isStale[page] = 0
  }
  const schedule = (page: number, day: number): void => {
    next[page] = Math.min(changes.goneAt(page), changes.nextChange(page, day))
    if (next[page] < days) soonest = calendar.add(soonest, page, -next[page])
  }
  for (let page = 0; page < pages; page++) {
    next[page] = changes.bornAt(page)
    if (next[page] < days) soonest = calendar.add(soonest, page, -next[page])
  }
  const advance = (day: number): void => {
    while (soonest !== none && -calendar.key(soonest) <= day) {
      const page = soonest
      soonest = calendar.pop(page)
      const at = next[page]
      if (at >= changes.goneAt(page)) {
        remove(page)
        // Deletions are known at once: the copy is dropped without a fetch.
        if (isHeld[page] === 1) look(page, at, 'gone', NaN)
        continue
      }
      schedule(page, at)
      enter(page, at)
    }
  }
  let at = 0
  for (let day = 0; day < days;) {
    while (at + 1 < live.days.length && live.days[at + 1] <= day) at++
    const count = Math.max(1, live.counts[at])
    const perDay = rate ?? count / round!
    roundDays = count / perDay
    advance(day)
    const page = largest()
    if (page !== none) {
      remove(page)
      look(page, day, isHeld[page] === 1 ? 'changed' : 'first', next[page])
      isHeld[page] = 1
    }
    day += 1 / perDay

    function largest(): number {
      while (best !== none) {
        const top = best
        const value = valueOf(top, day)
        if (value >= stale.key(top)) return top
        best = stale.update(best, top, value)
        if (best === top) return top
      }
      return none
    }
  }
}
