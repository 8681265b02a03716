/** Creates the engine of a crawl from its options, for a running session and for replays of its journal. */
import { Engine } from '../engine/engine.ts'
import type { FactWriter } from '../engine/fact.ts'
import { frontierOf } from '../frontiers/index.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { crawlStrategy } from './crawl-strategy.ts'

export interface CrawlEngineOptions {
  readonly folder: CrawlFolder
  /** Pages whose URLs the strategy may read. */
  readonly pages: PageTable
  readonly facts?: FactWriter | undefined
  readonly onTaken?: ((page: number, score: number, now: number) => void) | undefined
  readonly onOutOfReach?: ((reach: number) => void) | undefined
}

/** At least half of the connections stay free for proven sites. */
export function unprovenMaxOf(connections: number): number {
  return Math.max(1, Math.floor(connections / 2))
}

export async function crawlEngine(options: CrawlEngineOptions): Promise<Engine> {
  const { folder, pages, facts, onTaken, onOutOfReach } = options
  const settings = folder.file.options
  const { robots } = settings.made
  const strategy = await crawlStrategy(settings, pages, folder)
  return new Engine({
    strategy,
    frontier: frontierOf(settings.frontier, {
      robots,
      ranksSites: strategy.ranksSites === true,
      seed: settings.seed,
    }),
    robots,
    unprovenMax: unprovenMaxOf(robots),
    perConnection: settings.perConnection,
    ...(facts === undefined ? {} : { facts }),
    ...(onTaken === undefined ? {} : { onTaken }),
    ...(onOutOfReach === undefined ? {} : { onOutOfReach }),
  })
}
