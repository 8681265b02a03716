/** Time in a simulation: the world of a timed run. */
import type { EngineOptions } from '../engine/engine-options.ts'
import type { Graph } from '../webgraph/graph.ts'
import { networkModel } from './worlds/network-model.ts'
import type { VirtualPageTable } from './worlds/page-table.ts'
import { TimedWorld, type TimedWorldOptions } from './worlds/timed-world.ts'
import type { TimeOptions } from './options/time-options.ts'
import type { SimulatedWeb } from './simulated-web.ts'

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
): Pick<EngineOptions, 'connections' | 'perConnection'> {
  const { connections = 1, perConnection = 1 } = options
  return { connections, perConnection }
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
