/** Crawls a literal graph in the timed virtual world and records when everything happened. */
import { Engine } from '../src/engine/engine.ts'
import type { EngineOptions } from '../src/engine/engine-options.ts'
import { crawl } from '../src/engine/loop.ts'
import type { World, WorldListener } from '../src/engine/world.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { sitesFromNumbers } from '../src/webgraph/sites.ts'
import { strategyOf, type StrategySetting } from '../src/engine/strategies/index.ts'
import { networkModel, type NetworkOptions } from '../src/simulator/worlds/network-model.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import type { TimeLog } from '../src/simulator/worlds/time-log.ts'
import { TimedWorld, type TimedWorldOptions } from '../src/simulator/worlds/timed-world.ts'

type EngineSetting = Partial<Omit<EngineOptions, 'strategy' | 'frontier'>>
type WorldSetting = Partial<
  Omit<TimedWorldOptions, 'graph' | 'table' | 'network' | 'connections' | 'perConnection'>
>

export interface TimedSetting extends EngineSetting, WorldSetting {
  readonly lists: readonly (readonly number[])[]
  readonly seeds?: readonly number[]
  /** The site of each node: any numbers. */
  readonly sites?: readonly number[]
  readonly network?: Omit<NetworkOptions, 'siteKeys'>
  /** Nodes that the world puts last when they are requested for the first time. One page per connection only. */
  readonly putLast?: ReadonlySet<number>
  readonly strategy?: string
  readonly strategySetting?: Partial<StrategySetting>
  /** Called with each page that is requested, before its connection is in the record. */
  readonly onRequest?: (
    page: number,
    now: number,
    record: Pick<TimedRecord, 'engine' | 'connections'>,
  ) => void
  /** Called when all pages that are due have been requested. */
  readonly onWait?: (now: number, record: Pick<TimedRecord, 'engine' | 'connections'>) => void
}

export interface Connection {
  readonly site: number
  readonly opened: number
  readonly nodes: readonly number[]
  freeAt: number
}

export interface TimedRecord {
  readonly completions: [node: number, seconds: number][]
  readonly connections: Connection[]
  readonly failed: number[]
  readonly log: TimeLog
  readonly engine: Engine
}

export function engineOf(setting: TimedSetting): Engine {
  const { strategy: spec = 'breadth-first', strategySetting } = setting
  const strategy = strategyOf(spec, {
    damping: 0.85,
    webPages: setting.lists.length,
    seed: 1,
    ...strategySetting,
  })
  return new Engine({
    ...setting,
    strategy,
    frontier: new TwoLevelFrontier({ ranksSites: strategy.ranksSites === true }),
  })
}

export async function timedCrawl(setting: TimedSetting): Promise<TimedRecord> {
  const { lists, seeds = [0], sites = lists.map(() => 0), network } = setting
  const graph = graphOf(lists)
  const { ofPage, count, keys } = sitesFromNumbers(sites)
  const table = new VirtualPageTable(graph.pages, ofPage, count)
  const engine = engineOf(setting)
  const world = new TimedWorld({
    waitSeconds: 0,
    ...setting,
    graph,
    table,
    network: networkModel({ ...network, siteKeys: keys }),
    connections: setting.connections ?? 1,
    perConnection: setting.perConnection ?? 1,
  })
  for (const seed of seeds) engine.seed(table.siteOf(table.pageOf(seed)))
  const connections: Connection[] = []
  const failed: number[] = []
  const listener = watched(engine, connections, (page) => failed.push(table.nodeOf(page)))
  const unasked = new Set(setting.putLast)
  let told: ((listener: WorldListener) => void)[] = []
  await crawl(engine, {
    now: () => world.now(),
    fetch(site, pages, count) {
      const [page] = pages
      if (unasked.delete(table.nodeOf(page))) {
        told.push((to) => {
          to.postponed(page, 'last')
          to.closed(site, world.now())
        })
        return
      }
      setting.onRequest?.(page, world.now(), { engine, connections })
      const nodes = Array.from(pages.subarray(0, count), (page) => table.nodeOf(page))
      connections.push({ site, opened: world.now(), nodes, freeAt: Infinity })
      world.fetch(site, pages, count)
    },
    deliver() {
      const now = told
      told = []
      for (const tell of now) tell(listener)
      world.deliver(listener)
    },
    wait(due) {
      if (told.length > 0) return undefined
      setting.onWait?.(world.now(), { engine, connections })
      return world.wait(due)
    },
  } satisfies World)
  const { log } = world
  const completions = Array.from({ length: log.pages }, (_, i): [number, number] => [
    table.nodeOf(log.pageAt(i)),
    log.secondsAt(i),
  ])
  return { completions, connections, failed, log, engine }
}

/** The engine, with a note of what it is told. */
function watched(engine: Engine, connections: Connection[], onFailed: (page: number) => void): WorldListener {
  return {
    fetched: (page, links, linkCount, newSites) => engine.fetched(page, links, linkCount, newSites),
    failed(page, cause) {
      onFailed(page)
      engine.failed(page, cause)
    },
    postponed: (page, why) => engine.postponed(page, why),
    proven: (site) => engine.proven(site),
    slow: (site) => engine.slow(site),
    closed(site, freeAt) {
      const connection = connections.findLast((candidate) => candidate.site === site)
      if (connection !== undefined) connection.freeAt = freeAt
      engine.closed(site, freeAt)
    },
  }
}
