/** Creates the engine of a crawl from its options, for a running session and for replays of its record. */
import { unprovenMaxOf } from '../../engine/connections.ts'
import { Engine } from '../../engine/engine.ts'
import type { EngineOptions } from '../../engine/engine-options.ts'
import type { FactWriter } from '../../engine/fact-writer.ts'
import type { Frontier } from '../../engine/frontier.ts'
import type { RecrawlOptions } from '../../engine/recrawl-options.ts'
import { frontierOf } from '../../engine/frontiers/index.ts'
import type { CrawlSettings, RecrawlSettings } from '../options/crawl-settings.ts'
import { recrawlPolicyOf } from '../../engine/recrawl/policies/index.ts'
import type { PageTable } from '../world/page-table.ts'
import { type InlineCode, inlineFrontier, isInline, missingCode } from '../../engine/user-code/inline-code.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { Strategy } from '../../engine/strategy.ts'
import { locationScore } from '../../webgraph/location.ts'
import { RankwardError } from '../../lib/errors.ts'
import { inlineStrategy, isModulePath, loadStrategyModule } from '../../engine/user-code/strategy-module.ts'
import { strategyOf, withSpamDemoted, type StrategySetting } from '../../engine/strategies/index.ts'
import { hashId, unit } from '../../lib/hash.ts'
import { trustOf } from '../../engine/mass/mass-walk.ts'

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
  { policy, restSeconds, cost = 'fetch', jump }: RecrawlSettings,
  connections: number,
): RecrawlOptions {
  const frontier = frontierOf('two-level', { connections })
  return { policy: recrawlPolicyOf(policy), frontier, restSeconds, cost, jump }
}

function crawlFrontier(folder: CrawlFolder, inline: InlineCode, ranksSites: boolean): Frontier {
  const settings = folder.file.options
  const { made, seed, frontier: name } = settings
  const options = { connections: made.connections, ranksSites, seed }
  if (!isInline(settings, 'frontier')) return frontierOf(name, options)
  if (inline.frontier === undefined) throw missingCode(folder.path, 'frontier', name)
  return inlineFrontier(name, inline.frontier, options)
}

/** Basis of the default recomputation intervals if there is no page budget. */
const webPagesGuess = 100_000

/**
 * The strategy of a crawl, with the inputs that the real web provides: trust and earlier scores by URL, and
 * the URLs themselves.
 */
export async function crawlStrategy(
  settings: CrawlSettings,
  pages: PageTable,
  folder: CrawlFolder,
  inline: InlineCode = {},
): Promise<Strategy> {
  const earlier = folder.readScores('historical-scores')
  const old = earlier === undefined ? [] : [...earlier.values()]
  const setting: StrategySetting = {
    damping: settings.damping,
    webPages: settings.made.pages ?? webPagesGuess,
    every: settings.every,
    // Each shard draws numbers of its own.
    seed: settings.seed + (folder.file.shard?.number ?? 0),
    // The goal of a shard is that of the whole crawl.
    coverage: folder.file.shard === undefined ? settings.made.coverage : undefined,
    demoteSpam: settings.demoteSpam,
    trust: trustedSeeds(folder),
    earlier: earlier && ((page) => earlier.get(pages.url(page))),
    drawn: earlier && ((page) => old[Math.floor(unit(hashId(page, 4)) * old.length)] ?? 0),
    location: (page) => locationScore(pages.url(page)),
    url: (page) => pages.url(page),
  }
  if (isInline(settings, 'strategy')) {
    if (inline.strategy === undefined) throw missingCode(folder.path, 'strategy', settings.strategy)
    return withSpamDemoted(inlineStrategy(settings.strategy, inline.strategy, setting), setting)
  }
  return isModulePath(settings.strategy)
    ? withSpamDemoted(await loadStrategyModule(settings.strategy, setting), setting)
    : strategyOf(settings.strategy, setting)
}

/** Seeds from sitemaps have no trust of their own. */
function trustedSeeds(folder: CrawlFolder): (seedIndex: number) => number {
  const { weights } = trustOf(folder)
  if (!weights.some((weight) => weight > 0)) {
    throw new RankwardError('BAD_SEED', 'No seed is trusted: the trust file names none of the seeds.')
  }
  return (seedIndex) => weights[seedIndex] ?? 0
}
