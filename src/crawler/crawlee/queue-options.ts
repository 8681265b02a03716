/** The options of the queue for Crawlee. They have the names of the crawler's options. */
import type { Strategy } from '../../engine/strategy.ts'
import { locationScore } from '../../webgraph/location.ts'
import { RankwardError } from '../../lib/errors.ts'
import { callback, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { atLeast, between, share, whole } from '../../lib/value-kinds.ts'
import {
  entriesOf,
  strategyOf,
  withSpamDemoted,
  type StrategySetting,
} from '../../engine/strategies/index.ts'
import { choiceChecks, inlineName, type StrategyChoice } from '../../engine/user-code/inline-code.ts'
import { inlineStrategy, isModulePath } from '../../engine/user-code/strategy-module.ts'
import type { CrawleeRequest } from './crawlee-types.ts'

export interface ImportanceQueueOptions<R extends CrawleeRequest = CrawleeRequest> {
  /** Crawlee's class: `import { Request } from 'crawlee'`. */
  // Crawlee's constructor takes a union of its own types.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly Request: new (options: any) => R
  /** A name, a weighted sum, a function or an object. Default: `exact-rankmass`. */
  readonly strategy?: StrategyChoice | undefined
  /** Stop after this many pages. Default: no limit. */
  readonly pages?: number | undefined
  /** Stop when this share of the importance is certain. */
  readonly coverage?: number | undefined
  /**
   * Seconds between two requests to a site, and only one of them at a time. Default: 0, which leaves politeness to
   * Crawlee.
   */
  readonly wait?: number | undefined
  readonly damping?: number | undefined
  /** Pages between recomputations, for strategies that recompute. */
  readonly every?: number | undefined
  /** Fetch sites with more spam mass than this last. */
  readonly demoteSpam?: number | undefined
  /** Seed of the random strategy. */
  readonly seed?: number | undefined
}

export const queueChecks: OptionChecks<ImportanceQueueOptions> = {
  Request: callback,
  strategy: choiceChecks.strategy,
  pages: ofKind(whole(1)),
  coverage: ofKind(share),
  wait: ofKind(atLeast(0)),
  damping: ofKind(between(0, 1)),
  every: ofKind(whole(1)),
  demoteSpam: ofKind(share),
  seed: ofKind(whole(0)),
}

/** Basis of the default recomputation intervals if there is no page budget, as in a crawl. */
const webPagesGuess = 100_000

export function queueStrategy(options: ImportanceQueueOptions, url: (page: number) => string): Strategy {
  const { strategy: choice = 'exact-rankmass', damping = 0.85, pages = webPagesGuess, seed = 1 } = options
  const { every, coverage, demoteSpam } = options
  const setting: StrategySetting = {
    damping,
    webPages: pages,
    every,
    seed,
    coverage,
    demoteSpam,
    location: (page) => locationScore(url(page)),
    url,
  }
  if (typeof choice !== 'string')
    return withSpamDemoted(inlineStrategy(inlineName('strategy', choice), choice, setting), setting)
  if (isModulePath(choice))
    throw new RankwardError('USAGE', `The strategy ${choice} is a module: import it and pass its function.`)
  for (const { name, needs = [] } of entriesOf(choice)) {
    const lacking = needs.find((need) => need !== 'urls')
    if (lacking !== undefined)
      throw new RankwardError(
        'USAGE',
        `Strategy ${name} needs more than links and URLs (${lacking}), so it does not work with Crawlee.`,
      )
  }
  const strategy = strategyOf(choice, setting)
  if (coverage !== undefined && strategy.coverage === undefined)
    throw new RankwardError(
      'USAGE',
      `Strategy ${choice} guarantees no coverage: use exact-rankmass, or pages.`,
    )
  return strategy
}
