/** Time in a simulation: the options that make a run timed, and the world they create. */
import type { EngineOptions } from '../engine/engine-options.ts'
import type { Graph } from '../webgraph/graph.ts'
import { networkModel } from './worlds/network-model.ts'
import type { VirtualPageTable } from './worlds/page-table.ts'
import { TimedWorld, type TimedWorldOptions } from './worlds/timed-world.ts'
import type { SimulatedWeb } from './simulated-web.ts'

export interface TimeOptions {
  /** Connections at a time; 1 unless given. */
  readonly connections?: number | undefined
  /** Seconds between the end of a connection to a site and the next one; 0 unless given. */
  readonly wait?: number | undefined
  /** A site rests at least this many times as long as its last download took; 0 unless given. */
  readonly waitFactor?: number | undefined
  /** The same for sites with fewer than 100 pages. */
  readonly smallSiteWait?: number | undefined
  /** Pages on one connection; 1 unless given. */
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
  /** Turns that may be skipped for each page fetched, so that better pages are taken; 0 unless given. */
  readonly patience?: number | undefined
}

export function timedWorld(
  web: SimulatedWeb,
  graph: Graph,
  table: VirtualPageTable,
  options: TimeOptions,
  parts: Pick<TimedWorldOptions, 'readingOf' | 'source' | 'ending'>,
): TimedWorld {
  const { failureRate, slowRate, slowFactor } = options
  const { ids, siteKeys, pageBytes, latencies, speeds, crawlDelays } = web
  return new TimedWorld({
    graph,
    table,
    ...parts,
    network: networkModel({ ids, siteKeys, pageBytes, latencies, speeds, failureRate, slowRate, slowFactor }),
    connections: options.connections ?? 1,
    perConnection: options.perConnection ?? 1,
    waitSeconds: options.wait ?? 0,
    waitFactor: options.waitFactor,
    crawlDelays,
    smallSiteWaitSeconds: options.smallSiteWait,
    bandwidth: options.bandwidth,
    latencyPerPage: options.latencyPerPage,
    holdsRobot: options.hold,
    robotsTxt: options.robotsTxt,
  })
}

/** The timing options that concern the engine. */
export function timedEngineOptions(
  options: TimeOptions,
): Pick<EngineOptions, 'connections' | 'perConnection' | 'patience'> {
  const { connections = 1, perConnection = 1, patience } = options
  return { connections, perConnection, patience }
}

/** The seconds that each page of the web takes alone on a connection of its own: its site's latency, and with the transfer. */
export function downloadSeconds(web: SimulatedWeb): { latency: Float64Array; total: Float64Array } {
  const { pages, siteOf } = web
  const network = networkModel(web)
  const latency = Float64Array.from({ length: pages }, (_, page) => network.latency(siteOf[page]))
  const total = latency.map(
    (seconds, page) => seconds + network.pageBytes(page) / network.speed(siteOf[page]),
  )
  return { latency, total }
}
