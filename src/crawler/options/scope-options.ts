/** What is crawled, in what order, and when the crawl stops. */
import { bytesText, durationText, percentText, plural } from '../../lib/amounts.ts'
import { checkOptions, flag, instanceOf, type OptionChecks } from '../../lib/option-checks.ts'
import { RankwardError } from '../../lib/errors.ts'
import { anyText, between, durationValue, oneOf, share, sizeValue, whole } from '../../lib/value-kinds.ts'
import { frontiers } from '../../engine/frontiers/index.ts'
import { lastOnly, patienceValue } from '../../engine/patience.ts'
import { findEntry } from '../../engine/strategies/index.ts'
import { choiceChecks, inlineCodeOf, inlineKinds, inlineName } from '../../engine/user-code/inline-code.ts'
import type { FrontierChoice, InlineKind, StrategyChoice } from '../../engine/user-code/inline-code.ts'
import { isModulePath } from '../../engine/user-code/strategy-module.ts'
import { isRegion } from '../../web/html/link-filter.ts'
import { defaultRules, type CanonicalRules } from '../../web/url/canonical-rules.ts'
import { isContentRule } from '../../web/url/content-rules.ts'
import { scopeKinds } from '../../web/url/scope.ts'
import type { CrawlOptions, CrawlSettings } from './crawl-options.ts'
import { inLibrary, list, on, path, typed, value, type OptionSet, type Rows } from './option-row.ts'
import { allParts, listed, patternValue } from './value-kinds.ts'

const contentValue = listed(
  isContentRule,
  'media types such as text/html or image/*, or file extensions such as .pdf',
)
const relValue = listed((word) => /^[a-z][a-z0-9-]*$/i.test(word), 'words of rel such as nofollow or ugc')
const elementValue = listed(
  isRegion,
  'names of elements with start and end tags, such as main, article or div',
)

/** Also of each seed's weight, and of the scores of an earlier crawl. */
const urlNumbers = typed<ReadonlyMap<string, number>>(instanceOf(Map, 'a Map from URLs to numbers'))

export const scopeRows = {
  /** The crawl's folder; without it the crawl writes nothing to disk. */
  out: path('folder', "the crawl's folder (default: crawl-HOST, after the first seed)", {
    level: 'common',
    later: 'both',
    isSetting: false,
    example: 'crawl',
  }),
  /**
   * Let a later crawl replace this one in the same folder, including its pages. By default only a crawl
   * without pages is replaced.
   */
  replaceable: inLibrary(typed<boolean>(flag), { isSetting: false }),
  /** Links that are followed; default host. */
  scope: value('what', oneOf(scopeKinds), 'follow links to: host (default), domain, prefix, any', {
    level: 'common',
    later: 'both',
    default: 'host',
  }),
  /** Follow only links that match one of these patterns. */
  include: list('pattern', patternValue, "follow only matching links, such as '/docs/**'", {
    level: 'common',
    later: 'both',
    default: [],
    example: ['/docs/**'],
  }),
  /** Follow no links that match one of these patterns. */
  exclude: list('pattern', patternValue, 'follow no matching links', {
    level: 'common',
    later: 'both',
    default: [],
    example: ['/calendar/**'],
  }),
  /** Take only content of these media types and file extensions: `text/html`, `image/*`, `.pdf`. */
  accept: list('kinds', contentValue, 'take only these media types and extensions: text/html,.pdf', {
    level: 'common',
    later: 'both',
    becomes: allParts,
    example: ['text/html', '.pdf'],
  }),
  /** Take no content of these media types and file extensions. */
  reject: list('kinds', contentValue, 'take no content of these media types and extensions: image/*,.zip', {
    level: 'common',
    later: 'both',
    becomes: allParts,
    example: ['image/*'],
  }),
  /** Follow no links with one of these words in rel. */
  ignoreRel: list('words', relValue, 'follow no links with these words in rel: ugc,sponsored', {
    later: 'both',
    becomes: allParts,
    example: ['ugc', 'sponsored'],
  }),
  /** Follow only links inside of these elements, such as `main`. */
  linksFrom: list('elements', elementValue, 'follow only links inside of these elements: main,article', {
    later: 'both',
    becomes: allParts,
    example: ['main', 'article'],
  }),
  /** At most this many links from a seed. */
  maxDepth: value('n', whole(0), 'maximum number of links from a seed to a page', {
    level: 'common',
    later: 'both',
    example: 5,
  }),
  /** At most this many pages of a host. */
  maxPagesPerSite: value('n', whole(1), 'maximum number of pages per host', {
    later: 'both',
    example: 1000,
  }),
} satisfies Rows

export const scopeCliRows = {
  seedsFile: path('file', 'more seeds, one per line; # starts a comment', {
    level: 'common',
    example: 'seeds.txt',
  }),
} satisfies Rows

export const scopeOptions: OptionSet = {
  heading: 'What to crawl:',
  rows: scopeRows,
  cliRows: scopeCliRows,
}

const ruleChecks: OptionChecks<CanonicalRules> = {
  sessionIds: flag,
  trackingParameters: flag,
  indexPages: flag,
  sortedQuery: flag,
}

/** Which URLs are the same page. */
export const urlRows = {
  /** The rules by which two URLs are the same page. */
  canonicalRules: inLibrary(
    typed<CanonicalRules>((given) =>
      checkOptions('crawl: canonicalRules', given as CanonicalRules, ruleChecks),
    ),
    { default: defaultRules, becomes: (given: CanonicalRules) => ({ ...defaultRules, ...given }) },
  ),
} satisfies Rows

export const urlCliRows = {
  keepSessionIds: on('keep session ids in URLs', { level: 'config' }),
  keepTracking: on('keep tracking parameters such as utm_source', { level: 'config' }),
  mergeIndexPages: on('treat /a/index.html as /a/', { level: 'config' }),
  sortQuery: on('ignore the order of query parameters', { level: 'config' }),
} satisfies Rows

export const urlOptions: OptionSet = {
  heading: 'Duplicate URLs and pages:',
  rows: urlRows,
  cliRows: urlCliRows,
}

export const stopRows = {
  /** Budgets. The first one reached ends the crawl. `pages` counts pages fetched with content. */
  pages: value('n', whole(1), 'after exactly this many pages with content', {
    level: 'common',
    later: 'both',
    live: {
      label: 'Pages at most',
      said: (most: number) => `at most ${plural(most, 'page')}`,
      unlimited: 'pages',
    },
    example: 10_000,
  }),
  /** Failed requests. Default: ten times `pages` and at least 10,000; no limit without `pages`. */
  failures: value(
    'n',
    whole(1),
    'after this many failed requests (default: 10 times --pages, at least 10,000; without --pages no limit)',
    {
      later: 'resume',
      live: {
        label: 'Failures at most',
        said: (most: number) => `at most ${plural(most, 'failure')}`,
        unlimited: 'failures',
      },
      example: 100_000,
    },
  ),
  /** The share of the obtainable importance that is certain. */
  coverage: value('x', share, 'when this much of the obtainable importance is certain: 0.95 or 95%', {
    level: 'common',
    later: 'resume',
    live: {
      label: 'Coverage, %',
      factor: 100,
      said: (least: number) => `coverage ${percentText(least)}`,
      unlimited: 'coverage',
    },
    example: '95%',
  }),
  /** Whether coverage is relative to the pages in scope or to all linked pages; default scope. */
  coverageOf: value(
    'web',
    oneOf(['scope', 'web'] as const),
    '--coverage is a share of: scope (default, links out of scope do not count), web (they count)',
    { level: 'config', default: 'scope' },
  ),
  /** Time since the crawl began. */
  seconds: value('t', durationValue, 'after 90, 90s, 15m, 2h, 1d', {
    cli: 'time',
    level: 'common',
    later: 'both',
    live: {
      label: 'Time, minutes',
      factor: 1 / 60,
      said: (seconds: number) => `time ${durationText(seconds)}`,
      unlimited: 'time',
    },
    example: '2h',
  }),
  /** Bytes of bodies. */
  bytes: value('b', sizeValue, 'after 1000000, 500MB, 2GiB', {
    level: 'common',
    later: 'resume',
    live: {
      label: 'Bytes, MB',
      factor: 1e-6,
      said: (most: number) => `at most ${bytesText(most)}`,
      unlimited: 'bytes',
    },
    example: '10GB',
  }),
} satisfies Rows

export const stopOptions: OptionSet = {
  heading: 'When to stop (at the first limit reached):',
  rows: stopRows,
}

export const orderRows = {
  /** A name, a weighted sum, the path of a module, or code; default exact-rankmass; of a continuous crawl without a coverage, pagerank. */
  strategy: value(
    'name',
    anyText('a strategy'),
    'see `rankward strategies` (default: exact-rankmass; with a topic learned-topic; with --continuous, without --coverage, pagerank)',
    {
      level: 'common',
      check: typed<StrategyChoice>(choiceChecks.strategy),
      isSetting: false,
      example: 'exact-rankmass',
    },
  ),
  /** Default two-level. */
  frontier: value(
    'name',
    oneOf(frontiers.map(({ name }) => name)),
    'two-level (default), mercator, webbase',
    {
      level: 'config',
      check: typed<FrontierChoice>(choiceChecks.frontier),
      isSetting: false,
      example: 'two-level',
    },
  ),
  /** The damping factor of PageRank and RankMass. */
  damping: value('d', between(0, 1), 'damping factor of PageRank and RankMass', {
    level: 'config',
    default: 0.85,
  }),
  /** Pages between two recomputations, for the strategies that recompute. */
  every: value('k', whole(1), 'pages between recomputations, for strategies that recompute', {
    level: 'config',
    example: 1000,
  }),
  /** Sites with more spam mass than this, from 0 to 1, are fetched last; by default none. */
  demoteSpam: value('m', share, 'fetch sites with more spam mass than this last, such as 0.9', {
    level: 'config',
    notOnShards: 'it needs the links of all shards in one place',
    example: 0.9,
  }),
  /**
   * Take a page only if its score is at least this share of that of the best page that waits for politeness, from 0 (whatever is free) to
   * 1 (the order without politeness). Default: `defaultPatience`.
   */
  patience: value(
    'x',
    patienceValue,
    'fetch a page only if it is worth this share of the best page that waits for its site: fewer downloads, more time; last: only pages put last wait (default: 0.03 with --coverage or --pages, without --time and --continuous, if the strategy guarantees a coverage, otherwise last)',
    { level: 'common', default: defaultPatience, example: 0.1 },
  ),
  /** Seed of the random strategy. */
  seed: value('x', whole(0), 'seed of the random strategy', { level: 'config', default: 1 }),
  /** Weights of the seeds, by URL. */
  trust: path('file', '"URL<TAB>weight" lines: seeds with the trust in each', {
    check: urlNumbers,
    isFile: true,
    isSetting: false,
    example: 'trust.tsv',
  }),
  /** Scores of an earlier crawl, by URL. */
  historicalScores: path('file', '"URL<TAB>score" lines of an earlier crawl, for historical-pagerank-…', {
    level: 'config',
    check: urlNumbers,
    isFile: true,
    isSetting: false,
    example: 'scores.tsv',
  }),
} satisfies Rows

/** Settings that follow from the choice of strategy and frontier. */
export interface OrderSettings {
  readonly strategy: string
  readonly frontier: string
  /** Which of strategy, frontier and scorer were passed as code; their options then have the names of that code. */
  readonly inline?: readonly InlineKind[] | undefined
  /** The options of engine, frontier and strategy when the crawl began: later sessions may have other budgets and connections. */
  readonly made: {
    readonly pages?: number | undefined
    readonly coverage?: number | undefined
    readonly connections: number
  }
}

export const orderOptions: OptionSet = {
  heading: 'In what order:',
  rows: orderRows,
  settings: (options): OrderSettings => {
    const code = inlineCodeOf(options)
    const inline = inlineKinds.filter((kind) => code[kind] !== undefined)
    const { pages, coverage, connections = 64 } = options
    return {
      strategy: codeName('strategy', options.strategy) ?? defaultStrategy(options),
      frontier: codeName('frontier', options.frontier) ?? 'two-level',
      inline: inline.length === 0 ? undefined : inline,
      made: { pages, coverage, connections },
    }
  },
  check: (options: CrawlOptions): void => {
    const { strategy, patience = 0, frontier = 'two-level' } = options
    if (patience > 0 && typeof frontier === 'string' && frontier !== 'two-level')
      throw new RankwardError(
        'USAGE',
        `The frontier ${frontier} does not know the best page of all sites, so it cannot wait for it: use two-level, or a patience of 0.`,
      )
    if (typeof strategy === 'string') checkStrategy(strategy, options)
  },
}

/** RankMass proves coverage, but it refreshes pages near the seeds and finds few others (docs/guide/freshness.md). */
function defaultStrategy({ continuous, coverage }: CrawlOptions): string {
  return continuous === true && coverage === undefined ? 'pagerank' : 'exact-rankmass'
}

/** The name of a choice, also of one that is code. */
function codeName(kind: InlineKind, choice: string | object | undefined): string | undefined {
  return choice === undefined || typeof choice === 'string' ? choice : inlineName(kind, choice)
}

/**
 * A crawl that ends at a number of pages or at a coverage has better uses for its requests than pages that are only free; one that ends
 * at a time has not, and one that refetches pages spends a rate. Only the scores of strategies that guarantee a coverage are shares of one mass, so that their ratios say what a page
 * adds; with others, patience costs time and saves hardly anything (docs/theory/findings.md), so only pages put last wait.
 */
export function defaultPatience(options: Partial<CrawlOptions>): number {
  const {
    pages,
    coverage,
    seconds,
    continuous,
    strategy = 'exact-rankmass',
    frontier = 'two-level',
  } = options
  const isCounted = (pages !== undefined || coverage !== undefined) && seconds === undefined
  if (!isCounted || continuous === true || frontier !== 'two-level') return 0
  return typeof strategy === 'string' && findEntry(strategy)?.guarantees === true ? 0.03 : lastOnly
}

function checkStrategy(spec: string, { coverage }: CrawlOptions): void {
  if (isModulePath(spec) || /[+*]/.test(spec)) return
  if (findEntry(spec)?.guarantees !== true && coverage !== undefined) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${spec} guarantees no coverage, so the crawl could not stop at ${coverage}. Use exact-rankmass, or a page budget instead.`,
    )
  }
}

/** True if both sessions take the same pages. */
export function isSameScope(before: CrawlSettings, after: CrawlSettings): boolean {
  return (['scope', 'include', 'exclude', 'maxDepth', 'accept', 'reject'] as const).every(
    (name) => JSON.stringify(before[name]) === JSON.stringify(after[name]),
  )
}
