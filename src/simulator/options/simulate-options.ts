/** All options of a simulation, from rows. The types, the library's checks and the command line follow from them. */
import type { StrategyChoice } from '../../engine/user-code/inline-code.ts'
import { choiceChecks } from '../../engine/user-code/inline-code.ts'
import { anObject, callback, instanceOf, listOf, ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import { inLibrary, on, path, typed, value, type OptionsOf, type Rows } from '../../lib/option-rows.ts'
import { checksOf, objectCheck, type RowSet } from '../../lib/option-table.ts'
import type { Progress } from '../../lib/progress.ts'
import { atLeast, between, namesValue, whole } from '../../lib/value-kinds.ts'
import type { RunResult } from '../judgement.ts'
import { kindOf } from '../run-kind.ts'
import type { Looks } from '../look-log.ts'
import type { WebWords } from '../web-words.ts'
import { clusterSet, type ClusterOptions, type clusterRows } from './cluster-options.ts'
import { patienceSet, type patienceRows } from './patience-options.ts'
import { recrawlSet, type recrawlRows } from './recrawl-options.ts'
import { measureRows, orderRows, queueRows, runSets, stopRows } from './run-options.ts'
import { batchRows, timeRows, timeSets, type networkRows, type TimeOptions } from './time-options.ts'

/** The pages of a run in order. */
export interface Visits {
  /** Original ids. */
  readonly ids: Uint32Array
  /** Scores at selection. */
  readonly scores: Float64Array
  /** When each was fetched; only in a timed run. */
  readonly times: Float64Array | undefined
  /** All fetches of a crawl that fetches pages again, with the option `looks`. */
  readonly looks: Looks | undefined
}

const strategyRows = {
  /**
   * Names, weighted sums, module paths, or code: functions that make a strategy, which run in the main thread. `all` is every strategy
   * that this web has the inputs for; `ideal` the order by true importance. With `recrawl` the default is `omniscient`.
   */
  strategies: value(
    'names',
    namesValue,
    'strategies, separated by commas; a weighted sum; ./module.ts; or all (with --recrawl-policy default: omniscient)',
    {
      cli: 'strategy',
      level: 'common',
      check: typed<readonly (StrategyChoice | 'all' | 'ideal')[]>(listOf(choiceChecks.strategy)),
    },
  ),
  /** The damping factor of PageRank and RankMass, true and estimated. */
  damping: value('d', between(0, 1), 'damping factor of PageRank and RankMass, true and estimated', {
    level: 'common',
    default: 0.85,
  }),
  /** Scores of an earlier crawl by page of the stored web, NaN where there is none. */
  history: path('file', 'scores of an earlier crawl, "id<TAB>score" lines (default: generated)', {
    cli: 'historicalScores',
    check: typed<Float64Array>(instanceOf(Float64Array, 'a Float64Array')),
    isFile: true,
  }),
} satisfies Rows

const startRows = {
  /** Pages of the stored web to start from; the page that reaches most unless given. */
  seeds: inLibrary(typed<readonly number[]>(listOf(ofKind(whole(0))))),
  /** Weight of each seed. Default: equal. */
  trust: path('file', 'RankMass: "id<TAB>weight" lines; these pages are the seeds unless seeds are given', {
    check: typed<readonly number[]>(listOf(ofKind(atLeast(0)))),
    isFile: true,
  }),
  /** Count all pages as the web, not only those that the seeds reach. */
  wholeWeb: on('count all pages as the web, not only those that the seeds reach'),
} satisfies Rows

const wordRows = {
  /** What the pages say, for the strategies and rules that follow a topic. */
  words: inLibrary(typed<WebWords>(anObject)),
} satisfies Rows

const runningRows = {
  /**
   * Repeat every run this many times, with other random draws and, unless seeds are given, from other random starts. The
   * result then has all runs, and their means in `repeated`.
   */
  repeat: value(
    'n',
    whole(1, 1000),
    'repeat with other random starts (unless seeds are given) and draws; shows means with 95% bands',
    { level: 'common' },
  ),
  /** Number of threads. Default: one per core. */
  threads: value('n', whole(1, 256), 'strategies to run in parallel (default: one per core)', {
    level: 'common',
  }),
  signal: inLibrary(typed<AbortSignal>(instanceOf(AbortSignal, 'an AbortSignal'))),
  progress: inLibrary(typed<Progress>(callback)),
  /** Called with each run as it ends. */
  onRun: inLibrary(typed<(result: RunResult, visits: Visits) => void>(callback)),
} satisfies Rows

const runRows = { ...orderRows, ...stopRows, ...measureRows, ...queueRows, ...batchRows }
type SharedRows = typeof strategyRows &
  typeof patienceRows &
  typeof startRows &
  typeof wordRows &
  typeof networkRows &
  typeof recrawlRows &
  typeof runningRows

/** For the types of the command line. */
export type SimulateRows = typeof runRows & SharedRows & typeof timeRows & typeof clusterRows

/** The options that every run of a simulation has. */
export interface EachRunOptions extends OptionsOf<typeof runRows> {
  /** With these, the crawl runs under a virtual clock, and pages count in the order in which they were fetched. */
  readonly time?: TimeOptions | undefined
  /** Crawl on several shards, by the workers of a simulated cluster. */
  readonly cluster?: ClusterOptions | undefined
}

export interface SimulateOptions extends EachRunOptions, OptionsOf<SharedRows> {}

/** All options, by where they stand in the help. */
export const optionSets: readonly RowSet[] = [
  { heading: 'In what order:', rows: strategyRows },
  patienceSet,
  { heading: 'What to crawl:', rows: startRows },
  { heading: 'What to look for:', rows: wordRows },
  ...runSets,
  ...timeSets,
  clusterSet,
  recrawlSet,
  { heading: 'Running:', rows: runningRows },
]

/** Of one engine, or of another kind of run. */
const objectChecks: Record<'time' | 'cluster', OptionCheck> = {
  time: objectCheck('simulate: time', timeRows),
  cluster: (given) => kindOf('cluster').check(given),
}

export const optionChecks = Object.assign(
  { ...objectChecks },
  ...optionSets.filter(({ within }) => within === undefined).map(({ rows }) => checksOf(rows)),
) as Record<keyof SimulateOptions, OptionCheck>

const names = Object.keys(runRows) as (keyof typeof runRows)[]

/** The options that a run needs, without callbacks and large arrays, and with the defaults that do not depend on the web. */
export function eachRunOptions(options: SimulateOptions): EachRunOptions {
  const rows: Rows = runRows
  const { time, cluster } = options
  return {
    ...Object.fromEntries(names.map((name) => [name, options[name] ?? rows[name].default])),
    time,
    cluster,
  }
}
