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
 * | no connection | the site is tried again, a few times; then it is given up |
 * | a wrong certificate | the page is unreachable; nothing is sent |
 * | silence, a reset, bad HTTP | again, a few times |
 * | a body that breaks off | again, a few times; then the page is there, as far as it came |
 */
import type { Came, FetchFailure } from './messages.ts'

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

/** The longest rest that a site may ask for. */
const restSecondsMax = 3600
/** The first rest of a site that fails; it doubles with every failure. */
const restSecondsMin = 1

export function consequenceOf(came: Came, attempt: number, attemptsMax: number): Consequence {
  if (came.failure !== undefined) return consequenceOfFailure(came.failure, attempt, attemptsMax)
  const { status } = came
  if (came.broken !== undefined && attempt < attemptsMax) {
    return { kind: 'again', restSeconds: backOffSeconds(attempt), spent: true }
  }
  if ((status >= 200 && status < 300 && status !== 206) || status === 304) return { kind: 'fetched' }
  if (redirects.has(status) && came.location !== undefined) return { kind: 'fetched' }
  if (!mayPass(came) || attempt >= attemptsMax) return { kind: 'failed' }
  const asked = patience.has(status) ? retryAfterSeconds(came.retryAfter, came.startMs) : undefined
  return { kind: 'again', restSeconds: asked ?? backOffSeconds(attempt), spent: true }
}

/** Is it an error that a later attempt may not meet? Others are for good. */
export function mayPass({ failure, status }: Pick<Came, 'failure' | 'status'>): boolean {
  return failure !== undefined || patience.has(status) || passing.has(status) || status >= 500
}

function consequenceOfFailure(failure: FetchFailure, attempt: number, attemptsMax: number): Consequence {
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
      return attempt >= attemptsMax
        ? { kind: 'failed' }
        : { kind: 'again', restSeconds: backOffSeconds(attempt), spent: true }
  }
}

/** Rest before the next attempt, after so many. */
export function backOffSeconds(attempt: number): number {
  return Math.min(restSecondsMax, restSecondsMin * 2 ** (attempt - 1))
}

/** A number of seconds or a date; undefined: neither. */
export function retryAfterSeconds(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(restSecondsMax, Math.max(0, seconds))
}

/** What an error is counted as: `http-404`, `timeout`. */
export function errorName(came: Came): string {
  return came.failure ?? came.broken ?? `http-${came.status}`
}
