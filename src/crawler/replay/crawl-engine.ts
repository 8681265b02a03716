/** Creates the engine of a crawl from its options, for a running session and for replays of its record. */
import { unprovenMaxOf } from '../../engine/connections.ts'
import { Engine } from '../../engine/engine.ts'
import type { EngineOptions } from '../../engine/engine-options.ts'
import type { FactWriter } from '../../engine/fact-writer.ts'
import type { Frontier } from '../../engine/frontier.ts'
import type { RecrawlOptions } from '../../engine/recrawl-options.ts'
import { frontierOf } from '../../engine/frontiers/index.ts'
import type { RecrawlSettings } from '../options/crawl-settings.ts'
import { recrawlPolicyOf } from '../../engine/recrawl/policies/index.ts'
import type { PageTable } from '../world/page-table.ts'
import { type InlineCode, inlineFrontier, isInline, missingCode } from '../../engine/user-code/inline-code.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { crawlStrategy } from './crawl-strategy.ts'

interface CrawlEngineOptions {
  readonly folder: CrawlFolder
  /** Pages whose URLs the strategy may read. */
  readonly pages: PageTable
  /** Parts that a program passes as code. */
  readonly inline?: InlineCode | undefined
  readonly facts?: FactWriter | undefined
  readonly onTaken?: ((page: number, score: number, now: number) => void) | undefined
  readonly onOutOfReach?: ((reach: number) => void) | undefined
}

export async function crawlEngine(options: CrawlEngineOptions): Promise<Engine> {
  return new Engine(await crawlEngineOptions(options))
}

export async function crawlEngineOptions(options: CrawlEngineOptions): Promise<EngineOptions> {
  const { folder, pages, inline = {}, facts, onTaken, onOutOfReach } = options
  const settings = folder.file.options
  const { connections } = settings.made
  const { recrawl } = settings
  const strategy = await crawlStrategy(settings, pages, folder, inline)
  return {
    strategy,
    names: { urlOf: (page) => pages.url(page), anchorOf: (page) => pages.found(page).anchor ?? '' },
    frontier: crawlFrontier(folder, inline, strategy.ranksSites === true),
    connections,
    unprovenMax: unprovenMaxOf(connections),
    perConnection: settings.perConnection,
    patience: settings.patience,
    ...(recrawl === undefined ? {} : { recrawl: recrawlOf(recrawl, connections) }),
    ...(facts === undefined ? {} : { facts }),
    ...(onTaken === undefined ? {} : { onTaken }),
    ...(onOutOfReach === undefined ? {} : { onOutOfReach }),
    ...(folder.file.shard === undefined
      ? {}
      : { isShard: true, beganAt: Date.parse(folder.file.startedAt) / 1000 }),
  }
}

/** Rates are facts: without one, there is no limit. */
function recrawlOf(
  { policy, restSeconds, cost = 'fetch', horizonDays: horizon }: RecrawlSettings,
  connections: number,
): RecrawlOptions {
  const frontier = frontierOf('two-level', { connections })
  return { policy: recrawlPolicyOf(policy, { horizon }), frontier, restSeconds, cost }
}

function crawlFrontier(folder: CrawlFolder, inline: InlineCode, ranksSites: boolean): Frontier {
  const settings = folder.file.options
  const { made, seed, frontier: name } = settings
  const options = { connections: made.connections, ranksSites, seed }
  if (!isInline(settings, 'frontier')) return frontierOf(name, options)
  if (inline.frontier === undefined) throw missingCode(folder.path, 'frontier', name)
  return inlineFrontier(name, inline.frontier, options)
}
