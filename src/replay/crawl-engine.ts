/** The engine of a crawl as its options say: the same for a session and for whoever tells its journal again. */
import { Engine } from '../engine/engine.ts'
import type { FactWriter } from '../engine/fact-writer.ts'
import { frontierOf } from '../frontiers/index.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { crawlStrategy } from './crawl-strategy.ts'

export interface CrawlEngineOptions {
  readonly folder: CrawlFolder
  /** Pages that the strategy may ask the URL of. */
  readonly pages: PageTable
  readonly facts?: FactWriter | undefined
  readonly onTaken?: ((page: number, score: number, now: number) => void) | undefined
  readonly onOutOfReach?: ((reach: number) => void) | undefined
}

export async function crawlEngine(options: CrawlEngineOptions): Promise<Engine> {
  const { folder, pages, facts, onTaken, onOutOfReach } = options
  const settings = folder.file.options
  const strategy = await crawlStrategy(settings, pages, folder)
  return new Engine({
    strategy,
    frontier: frontierOf(settings.frontier, {
      robots: settings.robots,
      ranksSites: strategy.ranksSites === true,
      seed: settings.seed,
    }),
    robots: settings.robots,
    // Crawls of earlier versions have no such setting, and are told again as they were.
    ...(settings.slowSeconds === undefined
      ? {}
      : { unprovenMax: Math.max(1, Math.floor(settings.robots / 2)) }),
    perConnection: settings.perConnection,
    ...(facts === undefined ? {} : { facts }),
    ...(onTaken === undefined ? {} : { onTaken }),
    ...(onOutOfReach === undefined ? {} : { onOutOfReach }),
  })
}
