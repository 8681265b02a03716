/**
 * The consequences of each outcome of a request. Outcomes are values; only the table `judgements` judges them. A failed page has
 * failed for good, or for a temporary reason: then `resume` requests it again (`isTemporary`).
 */
import type { BackOff } from '../../engine/politeness.ts'
import { rests } from '../desk/rules.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FetchFailure } from '../../web/http/fetch-failure.ts'
import { writtenSeconds } from '../../web/html/written-date.ts'

export type Consequence =
  | { readonly kind: 'fetched' }
  /** Retry later; the site rests at least this long. `spent`: it counts as an attempt. */
  | { readonly kind: 'again'; readonly restSeconds: number; readonly spent: boolean }
  /**
   * The site could not be reached: the page waits, and the site's own count decides when to stop retrying.
   */
  | { readonly kind: 'missed' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unreachable' }

const redirects = new Set([301, 302, 303, 307, 308])
const patience = new Set([429, 503])
const passing = new Set([408, 425])

/** `retry`: after a rest, until the attempts are used up. `repeat`: at once, as an attempt. `resend`: nothing was wrong with the page. */
type Judgement = 'fetched' | 'failed' | 'unreachable' | 'missed' | 'retry' | 'repeat' | 'resend'

/** The first row that applies counts. `isLast`: no attempts are left. */
const judgements: readonly (readonly [Judgement, (result: FetchResult, isLast: boolean) => boolean])[] = [
  // No connection to the proxy: another one is used, or the same when it works again.
  ['resend', ({ proxyFailed }) => proxyFailed === true],
  ['resend', ({ failure }) => failure === 'aborted'],
  // An invalid certificate. Nothing was sent.
  ['unreachable', ({ failure }) => failure === 'tls'],
  // Retried while the crawl runs if the site responded before, else a few times.
  ['missed', ({ failure }) => failure !== undefined && isNoConnection(failure)],
  // Timeout, reset, bad HTTP.
  ['retry', ({ failure }) => failure !== undefined],
  // The response is that of a wall before the site: the page may be there.
  ['retry', ({ blocked }) => blocked !== undefined],
  // A redirect with the first cookies of a site, if cookies are kept: requested again with them.
  ['repeat', ({ beginsSession }, isLast) => beginsSession === true && !isLast],
  // Content of a type that the user does not take; the body is not read.
  ['failed', ({ rejected }) => rejected === true],
  // A truncated body. After the last attempt, the page is fetched as far as it was received.
  ['retry', ({ broken }, isLast) => broken !== undefined && !isLast],
  ['fetched', ({ status }) => (status >= 200 && status < 300 && status !== 206) || status === 304],
  // The page has one link; ten in a row (redirect-chains.ts).
  ['fetched', ({ status, location }) => redirects.has(status) && location !== undefined],
  ['retry', ({ status }) => status >= 500 || patience.has(status) || passing.has(status)],
  // Other 4xx, other 3xx, 206.
  ['failed', () => true],
]

export interface RetryRules extends BackOff {
  /** Requests for a page that fails, and for a site that never responded. */
  readonly attempts: number
}

export function consequenceOf(result: FetchResult, attempt: number, rules: RetryRules): Consequence {
  const isLast = attempt >= rules.attempts
  const [judgement] = judgements.find(([, applies]) => applies(result, isLast))!
  switch (judgement) {
    case 'resend':
      return { kind: 'again', restSeconds: 0, spent: false }
    case 'repeat':
      return { kind: 'again', restSeconds: 0, spent: true }
    case 'retry': {
      if (isLast) return { kind: 'failed' }
      const restSeconds = rests.afterFailure(attempt, result.site, rules, requestedRest(result))
      return { kind: 'again', restSeconds, spent: true }
    }
    default:
      return { kind: judgement }
  }
}

/** Whether the page has its content by this result: a redirect has none, and a truncated body may be retried. */
export function isContent(result: FetchResult, attempt: number, rules: RetryRules): boolean {
  const hasBody = result.location === undefined && result.status !== 304
  return hasBody && consequenceOf(result, attempt, rules).kind === 'fetched'
}

/** Seconds requested by the Retry-After of a 429 or 503; undefined without one. */
export function requestedRest(result: FetchResult): number | undefined {
  return result.failure === undefined && patience.has(result.status)
    ? parsedRetryAfter(result.retryAfter, result.startMs)
    : undefined
}

/** True if no connection was opened: the site or the network is away. */
export function isNoConnection(failure: FetchFailure): boolean {
  return failure === 'connect-refused' || failure === 'connect-timeout' || failure === 'connect-failed'
}

/**
 * Temporary errors, by their recorded names:
 *
 *   | error | why it is temporary |
 *   | --- | --- |
 *   | http-5xx, http-408, http-425, http-429 | the server had a problem or was overloaded |
 *   | connect-refused, connect-timeout, connect-failed | no connection: an outage at the site or in between |
 *   | no-answer | no DNS server responded; a name that does not exist is `no-address`, and permanent |
 *   | timeout, slow, reset, bad-http | the connection broke or was aborted, or the response was unusable |
 *   | blocked | a wall before the site answered in its place |
 *   | robots-… | robots.txt could not be fetched, for one of these reasons |
 *
 * All other errors are permanent: 4xx, certificates, private addresses.
 */
const temporary =
  /^(http-(5\d\d|408|425|429)|blocked|connect-(refused|timeout|failed)|no-answer|timeout|slow|reset|bad-http|robots-.+)$/

/** Whether a page was refused by trap detection. */
export function isTrap(error: string | undefined): boolean {
  return error?.startsWith('trap-') === true
}

export function isTemporary(error: string | undefined): boolean {
  return error !== undefined && temporary.test(error)
}

/**
 * The rest in seconds of a Retry-After header: a number of seconds or a date; undefined for anything else.
 */
export function parsedRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return rests.retryAfter(Number(text))
  const date = writtenSeconds(text)
  return date === undefined ? undefined : rests.retryAfter(date - nowMs / 1000)
}

/** The name under which an error is counted: `http-404`, `timeout`. */
export function errorName(result: FetchResult): string {
  if (result.proxyFailed === true) return 'proxy'
  if (result.blocked !== undefined) return 'blocked'
  if (result.rejected === true) return 'content-type'
  return result.failure ?? result.broken ?? `http-${result.status}`
}
