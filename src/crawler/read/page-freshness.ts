/** How fresh the copy of one page is: the looks so far, the estimated change rate, and when it is due again. */
import type { Engine } from '../../engine/engine.ts'
import { heldPageView, pageDue, type HeldState } from '../../engine/recrawl-view.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'

/** Looks that are listed. */
const looksMax = 20

export interface PageLook {
  /** In ISO format. */
  readonly at: string
  readonly verdict: Verdict
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly error?: string | undefined
  /** True if the request was conditional (If-None-Match, If-Modified-Since). */
  readonly isConditional: boolean
  /** When the page changed, if a trusted Last-Modified says so. */
  readonly changedAt?: string | undefined
}

export interface PageFreshness {
  readonly state: HeldState
  /** Number of looks, and the newest of them first. */
  readonly lookCount: number
  readonly looks: readonly PageLook[]
  /** True if the page was looked at once: its change rate is not known yet. */
  readonly isUnknownYet: boolean
  /** Changes a day: the mean and standard deviation of the estimate. Undefined if it is not known yet, or the policy estimates none. */
  readonly changeRate: { readonly perDay: number; readonly deviation: number } | undefined
  /** Shape and rate, in days, of the Gamma distribution of the change rate. */
  readonly estimate: { readonly a: number; readonly b: number } | undefined
  /** Probability that the copy is the current version. */
  readonly freshProbability: number | undefined
  /** Importance of the page by the strategy, in its own unit. */
  readonly mass: number
  /** Speed of the site's time since the last look: above 1 if the site changes more than usual. */
  readonly siteSpeed: number
  /** Value of a fetch now, and the price: the average value at which pages were fetched lately. */
  readonly value: number
  readonly price: number
  /** When it is looked at again, by the time between its last two looks, in ISO format. Undefined: never, or not known yet. */
  readonly dueAt: string | undefined
}

/** Undefined if the crawl fetches every page once, or holds no copy of this page. */
export function pageFreshness(
  engine: Engine,
  record: CrawlRecord,
  page: number,
  nowMs: number,
): PageFreshness | undefined {
  if (engine.recrawl === undefined) return undefined
  const view = heldPageView(engine, page, nowMs / 1000)
  if (view === undefined) return undefined
  const { state, looks, isUnknownYet, a, b, survival, mass, siteSpeed, value, goingKey } = view
  const isEstimated = a !== undefined && b !== undefined && !isUnknownYet
  // As of the end of the record: the time since then is not known to be a wait.
  const due = pageDue(engine, page, engine.time)
  return {
    state,
    lookCount: looks,
    looks: newestLooks(record, page),
    changeRate: isEstimated ? { perDay: a / b, deviation: Math.sqrt(a) / b } : undefined,
    estimate: isEstimated ? { a, b } : undefined,
    freshProbability: isUnknownYet && state !== 'gone' ? undefined : survival,
    isUnknownYet: isUnknownYet && survival !== undefined,
    mass,
    siteSpeed,
    value,
    price: goingKey,
    dueAt: due === undefined || !(due < maxSeconds) ? undefined : new Date(due * 1000).toISOString(),
  }
}

/** The last time that a date can hold. */
const maxSeconds = 8.64e12

function newestLooks(record: CrawlRecord, page: number): PageLook[] {
  const looks: PageLook[] = []
  for (const { startMs, verdict, status, error, conditional, changedMs } of record.looks(page)) {
    looks.push({
      at: new Date(startMs).toISOString(),
      verdict,
      status,
      error,
      isConditional: conditional === true,
      changedAt: changedMs === undefined ? undefined : new Date(changedMs).toISOString(),
    })
    if (looks.length === looksMax) break
  }
  return looks
}
