/** Crawls a literal graph in the instant virtual world and records what the engine did. */
import { Engine } from '../src/engine/engine.ts'
import type { EngineOptions } from '../src/engine/engine-options.ts'
import { crawl } from '../src/engine/loop.ts'
import type { Strategy } from '../src/engine/strategy.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { InstantWorld } from '../src/simulator/worlds/instant-world.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'

export interface CrawlRecord {
  /** Nodes in the order they were taken. */
  order: number[]
  /** Each one's score when it was selected. */
  scores: number[]
  /** Guaranteed coverage after 0, 1, 2 … downloads. */
  guaranteed: number[]
  engine: Engine
}

export interface CrawlSetting extends Partial<Omit<EngineOptions, 'strategy' | 'frontier'>> {
  lists: readonly (readonly number[])[] | Graph
  seeds: readonly number[]
  sites?: readonly number[]
  /** By node. */
  urls?: readonly string[]
}

/** `strategyOf` is given the page table, to look behind page numbers as oracles do. */
export async function simulatedCrawl(
  setting: CrawlSetting,
  strategyOf: (table: VirtualPageTable) => Strategy,
): Promise<CrawlRecord> {
  const { lists, seeds, sites, urls, ...options } = setting
  const graph = 'cursor' in lists ? lists : graphOf(lists)
  const siteOf = Uint32Array.from({ length: graph.pages }, (_, node) => sites?.[node] ?? 0)
  const table = new VirtualPageTable(graph.pages, siteOf, siteOf.reduce((a, b) => Math.max(a, b), 0) + 1)
  const strategy = strategyOf(table)
  const record: Omit<CrawlRecord, 'engine'> = { order: [], scores: [], guaranteed: [] }
  const engine = new Engine({
    ...(urls && { names: { urlOf: (page) => urls[table.nodeOf(page)], anchorOf: () => '' } }),
    ...options,
    strategy,
    frontier: new TwoLevelFrontier({ ranksSites: strategy.ranksSites === true }),
    onTaken(page, score, now) {
      record.guaranteed.push(strategy.coverage?.() ?? 0)
      record.order.push(table.nodeOf(page))
      record.scores.push(score)
      options.onTaken?.(page, score, now)
    },
  })
  for (const seed of seeds) engine.seed(table.siteOf(table.pageOf(seed)))
  await crawl(engine, new InstantWorld(graph, table))
  record.guaranteed.push(strategy.coverage?.() ?? 0)
  return { ...record, engine }
}
