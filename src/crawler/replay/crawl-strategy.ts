/**
 * The strategy of a crawl, with the inputs that the real web provides: trust and earlier scores by URL, and
 * the URLs themselves.
 */
import type { Strategy } from '../../engine/strategy.ts'
import { locationScore } from '../../webgraph/location.ts'
import { RankwardError } from '../../lib/errors.ts'
import { isInline, missingCode, type InlineCode } from '../../engine/user-code/inline-code.ts'
import { inlineStrategy, isModulePath, loadStrategyModule } from '../../engine/user-code/strategy-module.ts'
import { strategyOf, withSpamDemoted, type StrategySetting } from '../../engine/strategies/index.ts'
import { hashId, unit } from '../../lib/hash.ts'
import type { PageTable } from '../world/page-table.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { trustOf } from '../../engine/mass/mass-walk.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'

/** Basis of the default recomputation intervals if there is no page budget. */
const webPagesGuess = 100_000

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
