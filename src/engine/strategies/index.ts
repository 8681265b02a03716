/**
 * The table of strategies. To add one, write its file and add a row here; the shared cases then test it.
 */
import type { Strategy } from '../strategy.ts'
import { RankwardError } from '../../lib/errors.ts'
import { nearest } from '../../lib/nearest.ts'
import { backlinkCount } from './backlink-count.ts'
import { breadthFirst } from './breadth-first.ts'
import { depthFirst } from './depth-first.ts'
import { exactRankMass } from './exact-rankmass.ts'
import { fixedScore } from './fixed-score.ts'
import { forwardLinks } from './forward-links.ts'
import { fractionalPageRank } from './fractional-pagerank.ts'
import { historicalPageRank, type NewPages } from './historical-pagerank.ts'
import { lNeighbor } from './l-neighbor.ts'
import { largerSitesFirst } from './larger-sites-first.ts'
import { correctedPageRank } from './corrected-pagerank.ts'
import { opic } from './opic.ts'
import { partialPageRank } from './partial-pagerank.ts'
import { random } from './random.ts'
import { rankMass } from './rankmass.ts'
import { batchPageRank, pageRank, partOf } from './recomputed-pagerank.ts'
import { topicalStrategies } from './topical.ts'
import { spamDemoted } from './spam-demotion.ts'
import { trustRank } from './trustrank.ts'
import { weighted } from './weighted.ts'
import { windowedRankMass } from './windowed-rankmass.ts'

/** All settings of strategies. Some depend on the world: only a stored web has true PageRank. */
export interface StrategySetting {
  readonly damping: number
  /** Number of pages of the web, as far as known; default intervals are a fraction of it. */
  readonly webPages: number
  /** Recompute after this many pages. */
  readonly every?: number | undefined
  /** Percent, for windowed RankMass. */
  readonly window?: number | undefined
  readonly seed: number
  readonly opicInitial?: 'pages' | 'seeds' | undefined
  /** Weight of the i-th seed in the trust vector. */
  readonly trust?: ((seedIndex: number) => number) | undefined
  /** Share of all mass that exact RankMass may leave on crawled pages. */
  readonly tolerance?: number | undefined
  /** The guaranteed coverage at which the crawl stops. */
  readonly coverage?: number | undefined
  /** Sites with more spam mass than this are crawled last. */
  readonly demoteSpam?: number | undefined
  /** True PageRank of a page. */
  readonly truth?: ((page: number) => number) | undefined
  /** Its score in an earlier crawl; undefined if that crawl did not have the page. */
  readonly earlier?: ((page: number) => number | undefined) | undefined
  /** A random score of the earlier crawl, drawn for this page. */
  readonly drawn?: ((page: number) => number) | undefined
  /** The score of its URL. */
  readonly location?: ((page: number) => number) | undefined
  /** The URL of a known page, for strategies of users. */
  readonly url?: ((page: number) => string) | undefined
}

/**
 * An input of a strategy besides the links: the words of pages and a topic or a scorer (`topic`), the scores
 * of an earlier crawl (`history`), the URLs of pages (`urls`), their true PageRank, which only a stored web
 * has (`oracle`).
 */
export type StrategyNeed = 'topic' | 'history' | 'urls' | 'oracle'

export interface StrategyEntry {
  readonly name: string
  readonly about: string
  readonly source: string
  /** Guarantees a coverage, so a crawl can stop at a coverage goal. */
  readonly guarantees?: boolean
  /** Inputs without which it cannot run. */
  readonly needs?: readonly StrategyNeed[]
  /** Reads the URLs of pages if the web has them. */
  readonly readsUrls?: boolean
  /** Its score is the mass that has reached a page. */
  readonly scoresMass?: boolean
  /** Orders sites instead of pages. */
  readonly ranksSites?: boolean
  /** Has scores that can be weighted and added. */
  readonly combines?: boolean
  make(setting: StrategySetting): Strategy
}

/** A row of the table; its key is the name. */
export type StrategyRow = Omit<StrategyEntry, 'name'>

const cho = 'Cho, Garcia-Molina, Page 1998'
const castillo = 'Castillo 2004'
const schonfeld = 'Cho, Schonfeld 2007'

function given<T>(value: T | undefined, strategy: string, what: string): T {
  if (value !== undefined) return value
  throw new RankwardError('USAGE', `Strategy ${strategy} needs ${what}.`)
}

const historical = (newPages: NewPages, about: string): StrategyRow => ({
  about: `PageRank of an earlier crawl; new pages ${about}`,
  source: castillo,
  needs: newPages === 'omniscient' ? ['history', 'oracle'] : ['history'],
  combines: true,
  make: ({ earlier, drawn, truth }) => {
    const name = `historical-pagerank-${newPages}`
    return historicalPageRank({
      newPages,
      earlier: given(earlier, name, 'the scores of an earlier crawl'),
      drawn: drawn ?? (() => 0),
      truth:
        newPages === 'omniscient'
          ? given(truth, name, 'a stored web, whose true PageRank is known')
          : () => 0,
    })
  },
})

const table = {
  random: { about: 'a random waiting page, all equally likely', source: 'baseline', make: random },
  'breadth-first': { about: 'the page found first', source: 'Najork, Wiener 2001', make: breadthFirst },
  'depth-first': { about: 'the page found last', source: 'IIR ch. 20', make: depthFirst },
  'backlink-count': {
    about: 'the page that most crawled pages link to',
    source: cho,
    combines: true,
    make: backlinkCount,
  },
  pagerank: {
    about: 'PageRank of the known graph, recomputed after every 1% of the web (every)',
    source: cho,
    combines: true,
    make: ({ damping, tolerance, every, webPages }) =>
      pageRank({ damping, tolerance, every: every ?? partOf(webPages, 100) }),
  },
  'batch-pagerank': {
    about: 'repeatedly, the best K pages by PageRank of the known graph',
    source: castillo,
    make: ({ damping, tolerance, every, webPages }) =>
      batchPageRank({ damping, tolerance, every: every ?? partOf(webPages, 35) }),
  },
  'partial-pagerank': {
    about: 'as pagerank; new pages get a score from their parents',
    source: castillo,
    combines: true,
    make: ({ damping, tolerance, every, webPages }) =>
      partialPageRank({ damping, tolerance, every: every ?? partOf(webPages, 35) }),
  },
  opic: {
    about: 'the page that has received the most cash',
    source: 'Abiteboul, Preda, Cobena 2003',
    combines: true,
    make: ({ opicInitial = 'pages' }) => opic({ initial: opicInitial }),
  },
  'larger-sites-first': {
    about: 'the site with the most waiting pages',
    source: 'Castillo, Marin, Rodríguez, Baeza-Yates 2004',
    ranksSites: true,
    make: largerSitesFirst,
  },
  'historical-pagerank-omniscient': historical('omniscient', 'get their true PageRank'),
  'historical-pagerank-random': historical('random', 'get a random earlier score'),
  'historical-pagerank-zero': historical('zero', 'have none'),
  'historical-pagerank-parent': historical('parent', 'get a share of their parent’s score'),
  omniscient: {
    about: 'the true PageRank: an upper bound for any crawl',
    source: castillo,
    needs: ['oracle'],
    combines: true,
    make: ({ truth }) =>
      fixedScore('omniscient', given(truth, 'omniscient', 'a stored web, whose true PageRank is known'), {
        isImportance: true,
      }),
  },
  'l-neighbor': {
    about: 'level by level from the seeds, with a guarantee for each level',
    source: schonfeld,
    guarantees: true,
    make: lNeighbor,
  },
  rankmass: {
    about: 'the page with the most mass, with a guaranteed coverage',
    source: schonfeld,
    guarantees: true,
    scoresMass: true,
    combines: true,
    make: rankMass,
  },
  'windowed-rankmass': {
    about: 'the best 10% (window) by mass, then one sweep',
    source: schonfeld,
    guarantees: true,
    scoresMass: true,
    make: (setting) => windowedRankMass({ ...setting, window: setting.window ?? 10 }),
  },
  'exact-rankmass': {
    about: 'RankMass with the tightest guarantee possible for the crawled pages',
    source: 'Rankward',
    guarantees: true,
    scoresMass: true,
    combines: true,
    make: ({ damping, trust, tolerance = 1e-9, coverage }) =>
      exactRankMass({ damping, trust, tolerance, target: coverage }),
  },
  'fractional-pagerank': {
    about: 'mass passed on once, when a page is downloaded',
    source: 'Alam, Ha, Lee 2012',
    guarantees: true,
    scoresMass: true,
    combines: true,
    make: fractionalPageRank,
  },
  trustrank: {
    about: 'PageRank of the known graph with jumps only to the seeds (trust)',
    source: 'Gyöngyi, Garcia-Molina, Pedersen 2004',
    combines: true,
    make: ({ damping, trust, tolerance, every, webPages }) =>
      trustRank({ damping, trust, tolerance, every: every ?? partOf(webPages, 100) }),
  },
  location: {
    about: 'by the URL alone: shallow pages first',
    source: cho,
    needs: ['urls'],
    combines: true,
    make: ({ location }) => fixedScore('location', given(location, 'location', 'URLs (--urls)')),
  },
  'forward-links': {
    about: 'pages whose parents have many links',
    source: cho,
    combines: true,
    make: forwardLinks,
  },
  'corrected-pagerank': {
    about: 'PageRank of the known graph, corrected for links not seen yet',
    source: 'Rankward',
    readsUrls: true,
    make: ({ damping, every, tolerance }) => correctedPageRank({ damping, every, tolerance }),
  },
  ...topicalStrategies,
} satisfies Readonly<Record<string, StrategyRow>>

export type StrategyName = keyof typeof table

/**
 * A name, a weighted sum such as `opic*0.5+location*0.5`, or the path of a module. Editors offer the names.
 */
// oxlint-disable-next-line typescript/ban-types
export type StrategySpec = StrategyName | (string & {})

export const strategyNames = Object.keys(table) as readonly StrategyName[]

export const strategies: readonly StrategyEntry[] = strategyNames.map((name) => ({ name, ...table[name] }))

/** Returns the strategy with this name, or a weighted sum such as `backlink-count*0.3+location*0.7`. */
export function strategyOf(spec: string, setting: StrategySetting): Strategy {
  return withSpamDemoted(namedStrategy(spec, setting), setting)
}

/** Returns the strategy unchanged, or with spam demotion if the settings say so. */
export function withSpamDemoted(strategy: Strategy, setting: StrategySetting): Strategy {
  const { demoteSpam: massMax, every = partOf(setting.webPages, 100) } = setting
  if (massMax === undefined) return strategy
  if (strategy.ranksSites === true) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${strategy.name} orders sites by size, not pages by score, so it does not support spam demotion.`,
    )
  }
  return spamDemoted(strategy, { ...setting, every, massMax })
}

function namedStrategy(spec: string, setting: StrategySetting): Strategy {
  if (!/[+*]/.test(spec)) return entryOf(spec).make(setting)
  const parts = partsOf(spec).map((part) => {
    const [name, weight = '1', ...rest] = part.split('*').map((piece) => piece.trim())
    const value = Number(weight)
    if (rest.length > 0 || weight === '' || !(value > 0) || !Number.isFinite(value)) {
      throw new RankwardError(
        'USAGE',
        `"${part.trim()}" is not a valid part of a combination: expected NAME*WEIGHT with a weight above 0.`,
      )
    }
    const entry = entryOf(name)
    if (entry.combines !== true) {
      const known = strategies.filter(({ combines }) => combines === true).map((other) => other.name)
      throw new RankwardError(
        'USAGE',
        `Strategy ${name} has no scores to add. Strategies with scores: ${known.join(', ')}.`,
      )
    }
    return { strategy: entry.make(setting), weight: value }
  })
  return weighted(spec, parts, { every: setting.every ?? partOf(setting.webPages, 100) })
}

/** The parts of a weighted sum, such as `location*0.7`; a single strategy is its own part. */
function partsOf(spec: string): string[] {
  return spec.split('+')
}

/** The entries of a strategy or of the parts of a weighted sum. Refuses unknown names. */
export function entriesOf(spec: string): StrategyEntry[] {
  return partsOf(spec).map((part) => entryOf(part.split('*')[0].trim()))
}

/** Whether a strategy, or a part of a weighted sum, needs this input. */
export function needsInput(spec: string, need: StrategyNeed): boolean {
  return entriesOf(spec).some(({ needs }) => needs?.includes(need) === true)
}

/** The entry with this name; undefined for weighted sums, modules and unknown names. */
export function findEntry(name: string): StrategyEntry | undefined {
  return strategies.find((candidate) => candidate.name === name)
}

/** Not a strategy, since no crawl can follow it: an upper bound for comparison in the simulator. */
export const ideal = {
  name: 'ideal',
  about: 'all pages by true importance: an upper bound, not a crawl',
  source: 'Castillo 2004',
} as const

export function entryOf(name: string): StrategyEntry {
  const entry = findEntry(name)
  if (entry !== undefined) return entry
  const meant = nearest(
    name,
    strategies.map((candidate) => candidate.name),
  )
  const advice = meant === undefined ? 'See `rankward strategies` for all of them' : `Did you mean ${meant}`
  throw new RankwardError(
    'USAGE',
    `There is no strategy "${name}". ${advice}${meant === undefined ? '.' : '?'}`,
  )
}

/** The strategies that run on several shards, with these inputs besides the links. */
export function shardedStrategies(setting: StrategySetting, inputs: readonly StrategyNeed[] = []): string[] {
  return strategies
    .filter(({ needs = [] }) => needs.every((need) => inputs.includes(need)))
    .filter((entry) => entry.make(setting).sharding !== undefined)
    .map(({ name }) => name)
}
