/**
 * The virtual network: the size of each page, the latency and speed of each site, failures and slow sites.
 * Values are given, or drawn by a hash of the original id or of the site's key (SEMANTICS S7, S32), so that
 * they are equal in all implementations and runs. No memory per page, 16 bytes per site.
 *
 *   drawn from        salt   distribution
 *   page bytes   id      6   log-normal, median 8,000, sigma 1.3, within 200..400,000, rounded
 *   latency      site    7   log-normal, median 0.25 s, sigma 0.9, at most 30 s, rounded to milliseconds
 *   speed        site    8   log-normal, median 80,000 B/s, sigma 1.0, at least 500, rounded
 *   robots.txt   site    9   log-normal, median 600, sigma 1.0, within 20..500,000, rounded
 *   fails        id     10   unit(h) < failureRate
 *   slow         site   11   unit(h) < slowRate: the speed is divided by slowFactor, rounded, at least 1
 */
import { assert } from '../../lib/assert.ts'
import { hashId, unit } from '../../lib/hash.ts'
import { normalQuantile } from '../../lib/normal-quantile.ts'

/** Nodes and sites are those of the stored web, not the crawl's page and site numbers. */
export interface NetworkModel {
  pageBytes(node: number): number
  /** Whether fetching this page fails, after its latency. */
  fails(node: number): boolean
  /** Seconds from the opening of a connection to its first byte. */
  latency(site: number): number
  /** Maximum bytes per second. */
  speed(site: number): number
  robotsTxtBytes(site: number): number
}

export interface NetworkOptions {
  /** The original id of each node; undefined where node n simply has id n. */
  readonly ids?: Uint32Array | undefined
  /** The key of each site in hashes (S32). */
  readonly siteKeys: Uint32Array
  /** Replaces drawn values, by node or by site; NaN: draw it. */
  readonly pageBytes?: Float64Array | undefined
  readonly latencies?: Float64Array | undefined
  readonly speeds?: Float64Array | undefined
  /** Share of pages whose fetch fails. Default: 0. */
  readonly failureRate?: number | undefined
  /** Share of slow sites, and by which factor they are slower. Defaults: 0 and 10. */
  readonly slowRate?: number | undefined
  readonly slowFactor?: number | undefined
}

const networkSalts = {
  pageBytes: 6,
  latency: 7,
  speed: 8,
  robotsTxt: 9,
  failure: 10,
  slow: 11,
} as const

export function networkModel(options: NetworkOptions): NetworkModel {
  const { ids, siteKeys, pageBytes, failureRate = 0 } = options
  const latencies = siteValues(siteKeys, options.latencies, drawnLatency)
  const speeds = siteValues(siteKeys, options.speeds, drawnSpeed)
  slowDown(speeds, options)
  assert(
    latencies.every((latency) => latency >= 0) && speeds.every((speed) => speed > 0),
    'a site has no latency or speed',
  )
  const idOf = (node: number): number => (ids === undefined ? node : ids[node])
  return {
    pageBytes: (node) => pageBytesOf(node, ids, pageBytes),
    fails: (node) => failureRate > 0 && unit(hashId(idOf(node), networkSalts.failure)) < failureRate,
    latency: (site) => latencies[site],
    speed: (site) => speeds[site],
    robotsTxtBytes: (site) => drawnRobotsTxtBytes(siteKeys[site]),
  }
}

/** The size of a page: given, or drawn by its original id. */
export function pageBytesOf(
  node: number,
  ids: Uint32Array | undefined,
  given: Float64Array | undefined,
): number {
  const bytes = given === undefined ? Number.NaN : given[node]
  return bytes >= 0 ? bytes : drawnPageBytes(ids === undefined ? node : ids[node])
}

export function drawnPageBytes(id: number): number {
  return Math.round(within(200, 400_000, logNormal(8000, 1.3, hashId(id, networkSalts.pageBytes))))
}

/** Seconds. */
export function drawnLatency(siteKey: number): number {
  return Math.round(Math.min(30, logNormal(0.25, 0.9, hashId(siteKey, networkSalts.latency))) * 1000) / 1000
}

/** Bytes a second. */
export function drawnSpeed(siteKey: number): number {
  return Math.round(Math.max(500, logNormal(80_000, 1, hashId(siteKey, networkSalts.speed))))
}

/** Most robots.txt files are a few lines, or the page for a 404. */
export function drawnRobotsTxtBytes(siteKey: number): number {
  return Math.round(within(20, 500_000, logNormal(600, 1, hashId(siteKey, networkSalts.robotsTxt))))
}

function logNormal(median: number, sigma: number, hash: number): number {
  return median * Math.exp(sigma * normalQuantile(unit(hash)))
}

function within(least: number, most: number, value: number): number {
  return Math.min(most, Math.max(least, value))
}

function siteValues(
  siteKeys: Uint32Array,
  given: Float64Array | undefined,
  drawn: (siteKey: number) => number,
): Float64Array {
  return Float64Array.from(siteKeys, (key, site) => {
    const value = given === undefined ? Number.NaN : given[site]
    return value >= 0 ? value : drawn(key)
  })
}

function slowDown(speeds: Float64Array, { siteKeys, slowRate = 0, slowFactor = 10 }: NetworkOptions): void {
  if (slowRate <= 0) return
  siteKeys.forEach((key, site) => {
    if (unit(hashId(key, networkSalts.slow)) >= slowRate) return
    speeds[site] = Math.max(1, Math.round(speeds[site] / slowFactor))
  })
}
