/** The options of webs that change: with `recrawl`, pages are fetched again. Times are days, unless they say otherwise. */
import { estimatorNames } from '../../engine/recrawl/estimators.ts'
import { recrawlPolicies } from '../../engine/recrawl/policies/index.ts'
import { fetchCosts } from '../../engine/recrawl-options.ts'
import { anObject, flag, instanceOf, ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import { inLibrary, off, on, path, typed, value, type OptionsOf, type Rows } from '../../lib/option-rows.ts'
import type { RowSet } from '../../lib/option-table.ts'
import {
  aboveZero,
  atLeast,
  between,
  durationOrZero,
  namesValue,
  oneOf,
  rateValue,
  ValueError,
  type ValueKind,
} from '../../lib/value-kinds.ts'
import type { RecordedSite } from '../../webgraph/recorded-site.ts'

/** The policy that looks into the future: an upper bound. It is no policy of the engine. */
export const knowsAllName = 'knows-all'

interface Prior {
  readonly a: number
  readonly b: number
}

const priorValue: ValueKind<Prior> = {
  read: (text) => {
    const [a, b, ...rest] = text.split(',').map(Number)
    if (a > 0 && b > 0 && Number.isFinite(a + b) && rest.length === 0) return { a, b }
    throw new ValueError('two numbers above 0 such as 1,15')
  },
  json: ['string'],
}

const isPrior: OptionCheck = (given) => {
  anObject(given)
  const { a, b } = given as { a?: unknown; b?: unknown }
  for (const number of [a, b])
    if (!(typeof number === 'number' && number > 0 && number < Infinity))
      throw new ValueError('two numbers above 0, a and b')
}

const arePolicies: OptionCheck = (given) => {
  const list: unknown[] = Array.isArray(given) ? given : [given]
  if (list.length === 0 || !list.every((name) => typeof name === 'string'))
    throw new ValueError('the name of a recrawl policy, or an array of names')
}

const needs = 'recrawlPolicy'

/** The options of a run that fetches pages again. */
const recrawlRunRows = {
  /** Fetches per day. */
  rate: value('R', rateValue, 'recrawl: fetches per day, such as 1000, 1000/h or 5/min', {
    level: 'common',
    check: typed<number>(ofKind(aboveZero)),
    needs,
  }),
  /** Instead of a rate: as many fetches as fetch every live page once in this many days. */
  round: value(
    'days',
    aboveZero,
    'recrawl: instead of --rate, fetch every live page once in this many days',
    { needs },
  ),
  days: value('T', aboveZero, 'recrawl: duration (default: that of the recorded changes)', {
    level: 'common',
    needs,
  }),
  /** The measures are those from this day on. Default: the last tenth. */
  from: value('s', atLeast(0), 'recrawl: measure from this day on (default: the last tenth)', { needs }),
  /** The days over which a first fetch counts. Default: 3 rounds. */
  horizon: value('days', aboveZero, 'recrawl: over which a first fetch counts (default: 3 rounds)', {
    level: 'config',
    needs,
  }),
  /** Shape and rate of the Gamma distribution of change rates before any look. */
  prior: value('a,b', priorValue, 'recrawl: Gamma distribution of change rates before any look, b in days', {
    level: 'config',
    check: typed<Prior>(isPrior),
    needs,
  }),
  /** The policy knows the true change rates. */
  knownRates: on('recrawl: the policy knows the true change rates', { level: 'config', needs }),
  siteClock: off('recrawl: do not measure time by the activity of each site', { level: 'config', needs }),
  sitePrior: on('recrawl: learn the prior of each site', { level: 'config', needs }),
  /** Learn how the prior depends on importance. Default: true, unless `prior` or `sitePrior` is given. */
  massPrior: off('recrawl: do not learn how the prior depends on importance', { level: 'config', needs }),
  estimator: value(
    'name',
    oneOf(estimatorNames),
    `recrawl: how greedy estimates change rates: ${estimatorNames.join(', ')}`,
    { level: 'config', needs },
  ),
  adaptive: value(
    'rule',
    oneOf(['nutch', 'storm'] as const),
    'recrawl: how intervals of adaptive change: nutch, storm',
    { level: 'config', needs },
  ),
  /** Seconds for which a page is not fetched again. Default: 0. */
  rest: value('time', durationOrZero, 'recrawl: a page is not fetched again for this long (default: 0)', {
    check: typed<number>(ofKind(atLeast(0))),
    needs,
  }),
  /** The share of fetches that go to held pages. Default: it follows from the keys. */
  refreshShare: value(
    'x',
    between(0, 1),
    'recrawl: share of fetches for held pages (default: it follows from their value)',
    { level: 'config', needs },
  ),
  /** What a fetch costs. With `bytes`, the value of a fetch is divided by its expected size. Default: `fetch`. */
  cost: value(
    'what',
    oneOf(fetchCosts),
    'recrawl: what a fetch costs: fetch (default: all the same), bytes (prefer small transfers)',
    { needs },
  ),
  /** Compare the freshness that the crawl expects with the true one. */
  calibration: inLibrary(typed<boolean>(flag)),
  /** Keep the list of all fetches. */
  looks: inLibrary(typed<boolean>(flag)),
} satisfies Rows
export interface RecrawlRunOptions extends OptionsOf<typeof recrawlRunRows> {}

const policyNames = [...recrawlPolicies.map(({ name }) => name), knowsAllName].join(', ')

export const recrawlRows = {
  /**
   * Fetch pages again by this policy, or compare several; `all` is every policy. `knows-all` is a bound that sees the
   * future. Without it, every page is fetched once.
   */
  recrawl: value('policies', namesValue, `fetch pages again: ${policyNames}; several with commas; or all`, {
    cli: 'recrawlPolicy',
    level: 'common',
    check: typed<string | readonly string[]>(arePolicies),
  }),
  ...recrawlRunRows,
  /** Changes per day of each page of the stored web; NaN where they are drawn. */
  changeRates: path('file', 'recrawl: "id<TAB>changes per day" lines (default: drawn)', {
    check: typed<Float64Array>(instanceOf(Float64Array, 'a Float64Array')),
    isFile: true,
    needs,
  }),
  /** Recorded changes; the web must be `webOfRecorded` of them. */
  changes: path('folder', 'recrawl: recorded changes; the graph may be the folder itself', {
    check: typed<RecordedSite>(anObject),
    isFile: true,
    needs,
  }),
} satisfies Rows

export const recrawlSet = {
  heading: 'Fetching pages again:',
  rows: recrawlRows,
  contradictions: [
    { one: 'round', other: 'rate', why: 'both give the number of fetches: leave one of them out' },
    { one: 'changes', other: 'changeRates', why: 'both say how pages change: leave one of them out' },
  ],
} satisfies RowSet
