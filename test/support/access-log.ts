/**
 * What politeness means, checked on what a server saw: never two requests to a site at once, and a gap after each. Both
 * give the offending pairs, so that a failing test shows them. Accesses may come in any order.
 */
export interface TimedAccess {
  readonly site: number | string
  readonly startMs: number
  readonly endMs: number
}

export interface AccessPair<A extends TimedAccess> {
  /** Of all that started before `next`, the one that ended last. */
  readonly previous: A
  readonly next: A
  /** From the end of the one to the start of the other; below 0 where they overlap. */
  readonly gapMs: number
}

/** Accesses to one site that start before an earlier one has ended. A start at the very end of another is none. */
export function overlaps<A extends TimedAccess>(
  accesses: readonly A[],
  { toleranceMs = 0 }: { toleranceMs?: number } = {},
): AccessPair<A>[] {
  return consecutive(accesses).filter(({ gapMs }) => gapMs < -toleranceMs)
}

/** Accesses to one site that start less than so many seconds after the end of those before. */
export function gapsBelow<A extends TimedAccess>(
  accesses: readonly A[],
  seconds: number,
  { toleranceMs = 0 }: { toleranceMs?: number } = {},
): AccessPair<A>[] {
  return consecutive(accesses).filter(({ gapMs }) => gapMs < seconds * 1000 - toleranceMs)
}

/** Each access but the first of its site, with the one before it that ended last. */
export function consecutive<A extends TimedAccess>(accesses: readonly A[]): AccessPair<A>[] {
  const lastOfSite = new Map<number | string, A>()
  const pairs: AccessPair<A>[] = []
  for (const next of accesses.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)) {
    const previous = lastOfSite.get(next.site)
    if (previous !== undefined) pairs.push({ previous, next, gapMs: next.startMs - previous.endMs })
    if (previous === undefined || next.endMs > previous.endMs) lastOfSite.set(next.site, next)
  }
  return pairs
}
