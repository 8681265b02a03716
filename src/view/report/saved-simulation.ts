/**
 * Reads the output of `rankward simulate --json`, as far as a report shows it. The file is untrusted:
 * anything unexpected is rejected with a message that says where.
 */
import { runName } from '../../engine/patience.ts'
import { RankwardError } from '../../lib/errors.ts'

export interface SavedRun {
  /** With its patience if several are compared. */
  readonly strategy: string
  readonly visited: number
  readonly averageCumulativePagerank: number
  readonly kendallTauA: number | null
  readonly curve: readonly number[]
  readonly pcs: readonly number[]
  readonly hot: readonly { readonly rule: string; readonly hot: number; readonly pst: readonly number[] }[]
  /** [downloads, guaranteed coverage]; empty if the strategy guarantees nothing. */
  readonly guaranteed: readonly (readonly [number, number])[]
  readonly downloadsGuaranteed: Readonly<Record<string, number | null>>
  readonly downloadsTrue: Readonly<Record<string, number | null>>
  readonly time: SavedTime | undefined
  /** Undefined if every page was fetched once. */
  readonly freshness: SavedFreshness | undefined
  readonly seconds: number
  /** The 95% bands of the means of repeated runs; absent for a single run. */
  readonly bands?: {
    readonly repeats: number
    readonly averageCumulativePagerank: SavedBand<number>
    readonly curve: SavedBand<readonly number[]>
    readonly pcs: SavedBand<readonly number[]>
    readonly pst: readonly SavedBand<readonly number[]>[]
  }
}

export interface SavedBand<T> {
  readonly low: T
  readonly high: T
}

/** Measures of a crawl that fetched pages again. Times are days. */
export interface SavedFreshness {
  readonly policy: string
  /** The duration of the crawl, and the day from which on it was measured. */
  readonly days: number
  readonly from: number
  readonly plain: number
  readonly weighted: number
  readonly age: number
  readonly weightedAge: number
  readonly yield: number | null
  readonly fetches: number
  readonly newPages: number
  readonly unseen: number
  readonly discoveryMean: number | null
  readonly discoveryMedian: number | null
  readonly regret: number | null
  /** Weighted freshness over equal parts of the time; null where no page counted. */
  readonly curve: readonly (number | null)[]
}

interface SavedTime {
  readonly total: number
  readonly bytes: number
  readonly activeConnections: readonly (readonly [number, number])[]
  readonly activeConnectionsMean: number | null
  readonly waitedForBetter: number | null
  /** [seconds, pages fetched]; empty in older files. */
  readonly course: readonly (readonly [number, number])[]
}

export interface SavedSimulation {
  /** The file it was read from. */
  readonly path: string
  /** The graph that was crawled, as named then. */
  readonly graphFile: string | undefined
  readonly graph: {
    readonly pages: number
    readonly links: number
    readonly sites: number
    readonly reachable: number
  }
  readonly damping: number | undefined
  readonly ideal: readonly number[] | undefined
  readonly runs: readonly SavedRun[]
}

type Fields = Record<string, unknown>

export function savedSimulation(path: string, text: string): SavedSimulation {
  const document = parsed(path, text)
  if (!isFields(document) || !isFields(document['graph']) || !Array.isArray(document['runs'])) {
    throw bad(path, 'this is JSON, but not of `rankward simulate --json`: there is no "graph" with "runs"')
  }
  const graph = document['graph']
  const ideal = isFields(document['ideal']) ? document['ideal']['curve'] : undefined
  const runs = Array.isArray(document['repeated'])
    ? document['repeated'].map((run: unknown, i) => repeatedRun(path, run, `repeated[${i}]`))
    : document['runs'].map((run: unknown, i) => savedRun(path, run, `runs[${i}]`))
  if (runs.length === 0) throw bad(path, 'it has no runs')
  const count = (name: string): number => numberIn(path, graph, name, 'graph')
  return {
    path,
    graphFile: typeof document['file'] === 'string' ? document['file'] : undefined,
    graph: {
      pages: count('pages'),
      links: count('links'),
      sites: count('sites'),
      reachable: count('reachable'),
    },
    damping: typeof document['damping'] === 'number' ? document['damping'] : undefined,
    ideal: ideal === undefined ? undefined : numbers(path, ideal, 'ideal.curve'),
    runs,
  }
}

function savedRun(path: string, run: unknown, where: string): SavedRun {
  if (!isFields(run)) throw bad(path, `${where} is not an object`)
  if (typeof run['strategy'] !== 'string') throw bad(path, `${where}.strategy is not a string`)
  const mass = isFields(run['rankMass']) ? run['rankMass'] : {}
  return {
    strategy: nameOf(run['strategy'], run['patience']),
    visited: numberIn(path, run, 'visited', where),
    averageCumulativePagerank: numberIn(path, run, 'averageCumulativePagerank', where),
    kendallTauA: numberOrNull(run['kendallTauA']),
    curve: numbers(path, run['curve'], `${where}.curve`),
    pcs: run['pcs'] === undefined ? [] : numbers(path, run['pcs'], `${where}.pcs`),
    hot: list(path, run['hot'] ?? [], `${where}.hot`).map((hot, i) =>
      savedHot(path, hot, `${where}.hot[${i}]`),
    ),
    guaranteed: pairs(path, mass['guaranteed'] ?? [], `${where}.rankMass.guaranteed`),
    downloadsGuaranteed: downloads(mass['downloadsGuaranteed']),
    downloadsTrue: downloads(mass['downloadsTrue']),
    time: isFields(run['time']) ? savedTime(path, run['time'], `${where}.time`) : undefined,
    freshness: isFields(run['freshness']) ? savedFreshness(path, run, run['freshness'], where) : undefined,
    seconds: numberOrNull(run['seconds']) ?? NaN,
  }
}

/** The means of repeated runs, with their bands. */
function repeatedRun(path: string, run: unknown, where: string): SavedRun {
  if (!isFields(run)) throw bad(path, `${where} is not an object`)
  if (typeof run['strategy'] !== 'string') throw bad(path, `${where}.strategy is not a string`)
  const band = (name: string): SavedBand<number> & { mean: number } => {
    const fields = fieldsIn(path, run, name, where)
    const end = (which: string): number => numberIn(path, fields, which, `${where}.${name}`)
    return { mean: end('mean'), low: end('low'), high: end('high') }
  }
  const hot = list(path, run['hot'] ?? [], `${where}.hot`).map((each, i) => {
    const at = `${where}.hot[${i}]`
    if (!isFields(each) || typeof each['rule'] !== 'string')
      throw bad(path, `${at} is not a rule with its results`)
    const count = numberIn(path, fieldsIn(path, each, 'hot', at), 'mean', `${at}.hot`)
    return { rule: each['rule'], hot: Math.round(count), band: curveBand(path, each, 'pst', at) }
  })
  const curve = curveBand(path, run, 'curve', where)
  const pcs = curveBand(path, run, 'pcs', where)
  const average = band('averageCumulativePagerank')
  return {
    strategy: nameOf(run['strategy'], run['patience']),
    visited: band('visited').mean,
    averageCumulativePagerank: average.mean,
    kendallTauA: band('kendallTauA').mean,
    curve: curve.mean,
    pcs: pcs.mean,
    hot: hot.map(({ rule, hot: count, band: { mean } }) => ({ rule, hot: count, pst: mean })),
    guaranteed: [],
    downloadsGuaranteed: {},
    downloadsTrue: {},
    time: undefined,
    freshness: undefined,
    seconds: band('seconds').mean,
    bands: {
      repeats: numberIn(path, run, 'repeats', where),
      averageCumulativePagerank: average,
      curve,
      pcs,
      pst: hot.map(({ band: pst }) => pst),
    },
  }
}

function fieldsIn(path: string, fields: Fields, name: string, where: string): Fields {
  const value = fields[name]
  if (isFields(value)) return value
  throw bad(path, `${where}.${name} is not an object`)
}

function curveBand(
  path: string,
  fields: Fields,
  name: string,
  where: string,
): SavedBand<readonly number[]> & { mean: readonly number[] } {
  const curve = fieldsIn(path, fields, name, where)
  const part = (which: string): number[] => numbers(path, curve[which], `${where}.${name}.${which}`)
  return { mean: part('mean'), low: part('low'), high: part('high') }
}

function savedFreshness(path: string, run: Fields, freshness: Fields, runWhere: string): SavedFreshness {
  const where = `${runWhere}.freshness`
  const options = isFields(run['options']) ? run['options'] : {}
  const discovery = isFields(freshness['discovery']) ? freshness['discovery'] : {}
  const number = (name: string): number => numberIn(path, freshness, name, where)
  const days = numberIn(path, options, 'days', `${runWhere}.options`)
  return {
    policy: typeof run['recrawl'] === 'string' ? run['recrawl'] : '',
    days,
    from: numberOrNull(options['from']) ?? 0.9 * days,
    plain: number('plain'),
    weighted: number('weighted'),
    age: number('age'),
    weightedAge: number('weightedAge'),
    yield: numberOrNull(freshness['yield']),
    fetches: number('fetches'),
    newPages: numberIn(path, discovery, 'pages', `${where}.discovery`),
    unseen: numberIn(path, discovery, 'unseen', `${where}.discovery`),
    discoveryMean: numberOrNull(discovery['mean']),
    discoveryMedian: numberOrNull(discovery['median']),
    regret: numberOrNull(freshness['regret']),
    curve: list(path, freshness['curve'], `${where}.curve`).map(numberOrNull),
  }
}

function savedHot(path: string, hot: unknown, where: string): SavedRun['hot'][number] {
  if (!isFields(hot) || typeof hot['rule'] !== 'string')
    throw bad(path, `${where} is not a rule with its results`)
  return {
    rule: hot['rule'],
    hot: numberIn(path, hot, 'hot', where),
    pst: numbers(path, hot['pst'], `${where}.pst`),
  }
}

function nameOf(strategy: string, patience: unknown): string {
  return runName({ strategy, patience: typeof patience === 'number' ? patience : undefined })
}

function savedTime(path: string, time: Fields, where: string): SavedTime {
  return {
    total: numberIn(path, time, 'total', where),
    bytes: numberIn(path, time, 'bytes', where),
    activeConnections: pairs(path, time['activeConnections'] ?? [], `${where}.activeConnections`),
    activeConnectionsMean: numberOrNull(time['activeConnectionsMean']),
    waitedForBetter: numberOrNull(time['waitedForBetter']),
    course: pairs(path, time['course'] ?? [], `${where}.course`).map(([pages, seconds]) => [seconds, pages]),
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw bad(path, 'it is not JSON', error)
  }
}

function bad(path: string, why: string, cause?: unknown): RankwardError {
  return new RankwardError(
    'BAD_REPORT_INPUT',
    `${path} cannot be reported on: ${why}. Expected the output of \`rankward simulate … --json > FILE\`.`,
    { cause },
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numberIn(path: string, fields: Fields, name: string, where: string): number {
  const value = fields[name]
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw bad(path, `${where}.${name} is not a number`)
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function list(path: string, value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value
  throw bad(path, `${where} is not a list`)
}

function numbers(path: string, value: unknown, where: string): number[] {
  const values = list(path, value, where)
  if (values.every((each): each is number => typeof each === 'number')) return values
  throw bad(path, `${where} is not a list of numbers`)
}

function pairs(path: string, value: unknown, where: string): [number, number][] {
  return list(path, value, where).map((pair, i) => {
    const both = numbers(path, pair, `${where}[${i}]`)
    if (both.length !== 2) throw bad(path, `${where}[${i}] is not a pair of numbers`)
    return [both[0], both[1]]
  })
}

function downloads(value: unknown): Record<string, number | null> {
  if (!isFields(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([level, count]) => [level, numberOrNull(count)]))
}
