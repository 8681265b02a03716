/**
 * Held pages that robots.txt has come to disallow. They are not requested, so nothing would fetch their robots.txt again:
 * each origin with such pages is due once its rules are a day old. Pages that the new rules allow are fetched again.
 */
import type { RobotsRules } from '../robots/robots-rules.ts'

/** Rules of robots.txt hold for this long (RFC 9309). */
const daySeconds = 86_400

interface Origin {
  readonly dueAt: number
  readonly pages: Set<number>
}

export class ForbiddenPages {
  /** In the order in which they are due. */
  readonly #origins = new Map<string, Origin>()

  /** A page was not requested, because the rules of its origin disallow it. */
  add(page: number, origin: string, now: number): void {
    const known = this.#origins.get(origin)
    if (known === undefined) this.#origins.set(origin, { dueAt: now + daySeconds, pages: new Set([page]) })
    else known.pages.add(page)
  }

  /** When the first origin is due; Infinity: none is. */
  get nextDue(): number {
    const [first] = this.#origins.values()
    return first?.dueAt ?? Infinity
  }

  /** An origin whose rules are to be fetched again; it is next due a day later. */
  take(now: number): string | undefined {
    const [first] = this.#origins
    if (first === undefined || first[1].dueAt > now) return undefined
    const [origin, entry] = first
    this.#origins.delete(origin)
    this.#origins.set(origin, { ...entry, dueAt: now + daySeconds })
    return origin
  }

  /** A page of this origin, by which its site is known. */
  pageOf(origin: string): number {
    const [page = -1] = this.#origins.get(origin)?.pages ?? []
    return page
  }

  /** The rules of an origin were fetched: returns the pages that they allow now. */
  allowed(origin: string, rules: RobotsRules, pathOf: (page: number) => string): number[] {
    const entry = this.#origins.get(origin)
    if (entry === undefined) return []
    const pages = [...entry.pages].filter((page) => rules.allows(pathOf(page)))
    for (const page of pages) entry.pages.delete(page)
    if (entry.pages.size === 0) this.#origins.delete(origin)
    return pages
  }
}
