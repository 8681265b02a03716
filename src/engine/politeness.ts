/** The arithmetic of politeness: how long a site rests after a request, and how long after a failed one. Pure. */

export interface GapOptions {
  /** Seconds between two requests to a site. */
  readonly wait: number
  /** The gap is at least this many times the duration of the last download. */
  readonly waitFactor: number
  readonly tookSeconds: number
  /** The site's own crawl-delay; 0: none. */
  readonly crawlDelaySeconds: number
  /** A back-off or a Retry-After; 0: none. */
  readonly restSeconds: number
}

/** Seconds from the end of a request to the start of the next one. */
export function gapSeconds(options: GapOptions): number {
  const { wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds } = options
  return Math.max(wait, waitFactor * tookSeconds, crawlDelaySeconds, restSeconds)
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

/** A number in [0, 1) that looks random. */
function fraction(site: number, failures: number): number {
  let hash = Math.imul(site + 1, 0x9e3779b1) ^ Math.imul(failures, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
