/** Time in a simulation: the options that make a run timed, and the world they create. */
import type { EngineOptions } from '../engine/engine-options.ts'
import type { Graph } from '../graph/graph.ts'
import { networkModel } from '../worlds/virtual/network-model.ts'
import type { ReadingOf } from '../worlds/virtual/page-links.ts'
import type { VirtualPageTable } from '../worlds/virtual/page-table.ts'
import { TimedWorld } from '../worlds/virtual/timed-world.ts'
import type { SimulatedWeb } from './simulated-web.ts'

export interface TimeOptions {
  /** Concurrent connections. Default: 1. */
  readonly robots?: number | undefined
  /** Seconds that a site rests after a connection ends. Default: 0. */
  readonly waitSeconds?: number | undefined
  /** Seconds that sites with fewer than 100 pages rest. */
  readonly smallSiteWaitSeconds?: number | undefined
  /** Pages per connection. Default: 1. */
  readonly perConnection?: number | undefined
  /** Bandwidth of the crawler in bytes per second. Default: unlimited. */
  readonly bandwidth?: number | undefined
  readonly latencyPerPage?: boolean | undefined
  /** Connections stay with their site while it rests. */
  readonly hold?: boolean | undefined
  /** Fetch the robots.txt of a site before its first page. */
  readonly robotsTxt?: boolean | undefined
  readonly failureRate?: number | undefined
  readonly slowRate?: number | undefined
  readonly slowFactor?: number | undefined
}

export function timedWorld(
  web: SimulatedWeb,
  graph: Graph,
  table: VirtualPageTable,
  options: TimeOptions,
  readingOf?: ReadingOf,
): TimedWorld {
  const { failureRate, slowRate, slowFactor } = options
  const { ids, siteKeys, pageBytes, latencies, speeds } = web
  return new TimedWorld({
    graph,
    table,
    readingOf,
    network: networkModel({ ids, siteKeys, pageBytes, latencies, speeds, failureRate, slowRate, slowFactor }),
    robots: options.robots ?? 1,
    perConnection: options.perConnection ?? 1,
    waitSeconds: options.waitSeconds ?? 0,
    smallSiteWaitSeconds: options.smallSiteWaitSeconds,
    bandwidth: options.bandwidth,
    latencyPerPage: options.latencyPerPage,
    holdsRobot: options.hold,
    robotsTxt: options.robotsTxt,
  })
}

/** The timing options that concern the engine. */
export function timedEngineOptions(options: TimeOptions): Pick<EngineOptions, 'robots' | 'perConnection'> {
  return { robots: options.robots ?? 1, perConnection: options.perConnection ?? 1 }
}
