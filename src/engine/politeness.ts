/**
 * Politeness: how long a site, and an address that sites share, rests between two requests. Both worlds compute every
 * rest here, so that a simulated crawl rests as a real one does. Pure: seconds in, seconds out.
 *
 * | rest | length |
 * | --- | --- |
 * | after every request | the longest of: the wait, `waitFactor` times the last download, the site's crawl-delay, a back-off (`gapSeconds`) |
 * | a crawl-delay above 10 minutes and above the wait | not waited for: one page of the site is requested, the others are refused (`isTooSlow`) |
 * | after a 429 or 503 with Retry-After | that long, up to an hour (`retryAfterSeconds`), instead of a back-off |
 * | after any other temporary failure | exponential back-off with jitter, capped (`backOffSeconds`) |
 * | of an address that sites share | `waitPerAddress` after each request; the sites take turns (`addressTurn`) |
 *
 * docs/guide/politeness.md explains these rules to site owners.
 */

/** The waits that the user sets. */
export interface Waits {
  /** Seconds between two requests to a site. */
  readonly wait: number
  /** The gap is at least this many times the duration of the last download. */
  readonly waitFactor: number
}

export interface GapOptions extends Waits {
  readonly tookSeconds: number
  /** The crawl-delay of the site as its robots.txt gives it; 0: none. */
  readonly crawlDelaySeconds: number
  /** A back-off or a Retry-After; 0: none. */
  readonly restSeconds: number
}

/** Seconds from the end of a request to the start of the next one. */
export function gapSeconds(options: GapOptions): number {
  const { wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds } = options
  const delay = isTooSlow(crawlDelaySeconds, wait) ? 0 : crawlDelaySeconds
  return Math.max(wait, waitFactor * tookSeconds, delay, restSeconds)
}

/** Slow sites are requested less often by default, except where the user disables waiting. */
export function defaultWaitFactor(wait: number): number {
  return wait === 0 ? 0 : 1
}

/** The default rest of an address that sites share. */
export function defaultWaitPerAddress(wait: number): number {
  return Math.min(0.5, wait)
}

const crawlDelaySecondsMax = 600

/** Is this crawl-delay too long to wait for? Such a site is requested for one page. */
export function isTooSlow(crawlDelaySeconds: number, wait: number): boolean {
  return crawlDelaySeconds > Math.max(crawlDelaySecondsMax, wait)
}

const retryAfterSecondsMax = 3600

/** The rest that a Retry-After of so many seconds gives. A date in the past gives none. */
export function retryAfterSeconds(requestedSeconds: number): number {
  return Math.min(retryAfterSecondsMax, Math.max(0, requestedSeconds))
}

export interface BackOff {
  /** The longest first wait. It doubles with every failure in a row. */
  readonly firstSeconds: number
  readonly maxSeconds: number
}

/**
 * Exponential back-off with jitter: after `failures` in a row, between half and all of firstSeconds · 2^(failures - 1),
 * capped. The jitter spreads sites that failed together. It depends on the site and the count alone, so that a crawl
 * can be repeated.
 */
export function backOffSeconds(
  failures: number,
  site: number,
  { firstSeconds, maxSeconds }: BackOff,
): number {
  const longest = Math.min(maxSeconds, firstSeconds * 2 ** (failures - 1))
  return longest * (0.5 + 0.5 * fraction(site, failures))
}

/** When an address is free again after a request that ended at `end`. */
export function addressFreeAt(end: number, waitPerAddress: number): number {
  return end + waitPerAddress
}

interface AddressTurn {
  /** When the address is free; Infinity: a request to it is under way. */
  readonly freeAt: number
  readonly now: number
  /** Sites before this one in line. */
  readonly ahead: number
  readonly waitPerAddress: number
}

/** When a site that waits in line for an address is due. A busy address is free a gap from now at the earliest. */
export function addressTurn({ freeAt, now, ahead, waitPerAddress }: AddressTurn): number {
  const first = freeAt === Infinity ? addressFreeAt(now, waitPerAddress) : Math.max(freeAt, now)
  return first + ahead * waitPerAddress
}

/** A number in [0, 1) that looks random. */
function fraction(site: number, failures: number): number {
  let hash = Math.imul(site + 1, 0x9e3779b1) ^ Math.imul(failures, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
