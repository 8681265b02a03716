/** The engine of a crawl by its settings: the same one for a session and for a replay of its record. */
import { Engine } from '../engine/engine.ts'
import type { FactWriter } from '../engine/fact.ts'
import type { Frontier } from '../engine/frontier.ts'
import { frontierOf } from '../frontiers/index.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { inlineFrontier } from '../user-code/inline-frontier.ts'
import { isInline, missingCode, type InlineCode } from '../user-code/inline-code.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { crawlStrategy } from './crawl-strategy.ts'

export interface CrawlEngineOptions {
  readonly folder: CrawlFolder
  /** Pages that the strategy may ask the URL of. */
  readonly pages: PageTable
  /** Parts that a program passes as code. */
  readonly inline?: InlineCode | undefined
  readonly facts?: FactWriter | undefined
  readonly onTaken?: ((page: number, score: number, now: number) => void) | undefined
  readonly onOutOfReach?: ((reach: number) => void) | undefined
}

export async function crawlEngine(options: CrawlEngineOptions): Promise<Engine> {
  const { folder, pages, inline = {}, facts, onTaken, onOutOfReach } = options
  const settings = folder.file.options
  const strategy = await crawlStrategy(settings, pages, folder, inline)
  return new Engine({
    strategy,
    frontier: crawlFrontier(folder, inline, strategy.ranksSites === true),
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

function crawlFrontier(folder: CrawlFolder, inline: InlineCode, ranksSites: boolean): Frontier {
  const settings = folder.file.options
  const { robots, seed, frontier: name } = settings
  const options = { robots, ranksSites, seed }
  if (!isInline(settings, 'frontier')) return frontierOf(name, options)
  if (inline.frontier === undefined) throw missingCode(folder.path, 'frontier', name)
  return inlineFrontier(name, inline.frontier, options)
}
