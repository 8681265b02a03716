/**
 * What follows from each outcome of a fetch. Outcomes are values; this table is the only place that judges them.
 *
 * | what came | what follows |
 * | --- | --- |
 * | 2xx but 206, 304 | the page is there |
 * | 301, 302, 303, 307, 308 with a place | the page is there, and its one link is that place; ten in a row (redirect-chains.ts) |
 * | 429, 503 | the site asks for patience: again after its Retry-After, or ever longer gaps |
 * | other 5xx, 408, 425 | again, a few times |
 * | other 4xx, other 3xx, a part that nobody asked for (206) | an error for good |
 * | no connection | the site is tried again: for as long as the crawl runs if it responded before, else a few times |
 * | a wrong certificate | the page is unreachable; nothing is sent |
 * | silence, a reset, bad HTTP | again, a few times |
 * | a body that breaks off | again, a few times; then the page is there, as far as it came |
 *
 * A page that failed has failed for good, or for a temporary reason: then `resume` requests it again (`isTemporary`).
 */
import { failureRestSeconds, retryAfterSeconds, type BackOff } from '../../engine/politeness.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FetchFailure } from './messages.ts'

export type Consequence =
  | { readonly kind: 'fetched' }
  /** Not now; the site rests at least so long. `spent`: it counts as an attempt. */
  | { readonly kind: 'again'; readonly restSeconds: number; readonly spent: boolean }
  /** The site could not be reached: the page waits, and the site's own count says when to give up. */
  | { readonly kind: 'missed' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unreachable' }

const redirects = new Set([301, 302, 303, 307, 308])
const patience = new Set([429, 503])
const passing = new Set([408, 425])

export interface RetryRules extends BackOff {
  /** Requests for a page that fails, and for a site that never responded. */
  readonly attempts: number
}

export function consequenceOf(result: FetchResult, attempt: number, rules: RetryRules): Consequence {
  const restSeconds = failureRestSeconds(attempt, result.site, rules, requestedRest(result))
  if (result.failure !== undefined) {
    return consequenceOfFailure(result.failure, attempt, rules.attempts, restSeconds)
  }
  const { status } = result
  if (result.broken !== undefined && attempt < rules.attempts) {
    return { kind: 'again', restSeconds, spent: true }
  }
  if ((status >= 200 && status < 300 && status !== 206) || status === 304) return { kind: 'fetched' }
  if (redirects.has(status) && result.location !== undefined) return { kind: 'fetched' }
  const retries = patience.has(status) || passing.has(status) || status >= 500
  if (!retries || attempt >= rules.attempts) return { kind: 'failed' }
  return { kind: 'again', restSeconds, spent: true }
}

/** Seconds that a 429 or 503 asks for by Retry-After; undefined: it does not. */
export function requestedRest(result: FetchResult): number | undefined {
  return result.failure === undefined && patience.has(result.status)
    ? parsedRetryAfter(result.retryAfter, result.startMs)
    : undefined
}

function consequenceOfFailure(
  failure: FetchFailure,
  attempt: number,
  attemptsMax: number,
  restSeconds: number,
): Consequence {
  switch (failure) {
    case 'aborted':
      return { kind: 'again', restSeconds: 0, spent: false }
    case 'tls':
      return { kind: 'unreachable' }
    case 'connect-refused':
    case 'connect-timeout':
    case 'connect-failed':
      return { kind: 'missed' }
    default:
      return attempt >= attemptsMax ? { kind: 'failed' } : { kind: 'again', restSeconds, spent: true }
  }
}

/** True if no connection was opened: the site or the network is away. */
export function isNoConnection(failure: FetchFailure): boolean {
  return failure === 'connect-refused' || failure === 'connect-timeout' || failure === 'connect-failed'
}

/**
 * The errors that may pass, by the names that outcomes are recorded under:
 *
 * | error | why it may pass |
 * | --- | --- |
 * | http-5xx, http-408, http-425, http-429 | the server had trouble, or asked for patience |
 * | connect-refused, connect-timeout, connect-failed | no connection: an outage, there or on the way |
 * | no-answer | no DNS server responded; a name that does not exist is `no-address`, and permanent |
 * | timeout, slow, reset, bad-http | the connection broke or was cut off, or the response was unusable |
 * | robots-… | robots.txt could not be fetched, for one of these reasons |
 *
 * Everything else is permanent until the crawl is started with other options: 4xx, certificates, private addresses.
 */
const temporary =
  /^(http-(5\d\d|408|425|429)|connect-(refused|timeout|failed)|no-answer|timeout|slow|reset|bad-http|robots-.+)$/

export function isTemporary(error: string | undefined): boolean {
  return error !== undefined && temporary.test(error)
}

/** The rest in seconds that a Retry-After header gives: a number of seconds or a date; undefined: neither. */
export function parsedRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000
  return Number.isNaN(seconds) ? undefined : retryAfterSeconds(seconds)
}

/** What an error is counted as: `http-404`, `timeout`. */
export function errorName(result: FetchResult): string {
  return result.failure ?? result.broken ?? `http-${result.status}`
}
