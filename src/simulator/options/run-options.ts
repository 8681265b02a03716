/** The options of a single run: its order, its end, its measures and its frontier. */
import { frontiers } from '../../engine/frontiers/index.ts'
import { choiceChecks, type FrontierChoice } from '../../engine/user-code/inline-code.ts'
import { checkOptions, ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import { list, on, typed, value, type Rows } from '../../lib/option-rows.ts'
import type { RowSet } from '../../lib/option-table.ts'
import {
  anyText,
  atLeast,
  between,
  oneOf,
  share,
  ValueError,
  whole,
  type ValueKind,
} from '../../lib/value-kinds.ts'

/** From above 0 to 100, with or without a sign. */
const percentage: ValueKind<number> = {
  read: (text) => {
    const percent = Number(text.replace(/%\s*$/, ''))
    if (text.trim() !== '' && percent > 0 && percent <= 100) return percent
    throw new ValueError('a percentage from above 0 to 100')
  },
  json: ['number'],
}

type Capacity = number | { readonly percent: number }

/** A number of pages, or a percentage of those that the seeds reach. */
const capacity: ValueKind<Capacity> = {
  read: (text) => {
    const isPercent = text.trimEnd().endsWith('%')
    try {
      return isPercent ? { percent: percentage.read(text) } : whole(1).read(text)
    } catch {
      throw new ValueError('a number of pages or a percentage such as 10%')
    }
  },
  json: ['number', 'string'],
}

const isCapacity: OptionCheck = (given) => {
  if (typeof given !== 'object' || given === null) return ofKind(whole(1))(given)
  checkOptions('simulate: buffer', given as { readonly percent: number }, { percent: ofKind(percentage) })
}

export const orderRows = {
  /** Pages between two recomputations, for strategies that recompute. Default: 1% of the web; batch and partial: 1/35. */
  every: value(
    'k',
    whole(1),
    'pages between recomputations (default: 1% of the web; batch and partial: 1/35)',
  ),
  /** windowed-rankmass: the percentage of the waiting pages that is fetched at a time. Default: 10. */
  window: value(
    'percent',
    percentage,
    'windowed-rankmass: percentage of the waiting pages fetched at a time',
    {
      level: 'config',
      usual: 10,
    },
  ),
  /** opic: which pages have cash at the start. */
  opicInitial: value(
    'where',
    oneOf(['pages', 'seeds'] as const),
    'opic: which pages have cash at the start: pages (default), seeds',
    { level: 'config', default: 'pages' },
  ),
  /**
   * exact-rankmass: the mass that may rest on crawled pages; default 1e-9. Strategies that recompute PageRank: the share of its score that a
   * page may keep; default 1/1024.
   */
  tolerance: value(
    't',
    between(0, 1),
    'exact-rankmass: mass that may rest on crawled pages (default: 1e-9); PageRank orders: share of its score that a page may keep (default: 1/1024)',
    { level: 'config', example: 1e-9 },
  ),
  /** Sites with more spam mass than this are crawled last. */
  demoteSpam: value('m', share, 'fetch sites with more spam mass than this last, such as 0.9'),
  /** The seed of random draws. */
  seed: value('x', whole(0), 'seed of the random strategy', { level: 'common', default: 1 }),
} satisfies Rows

export const stopRows = {
  /** Stop when this share of the obtainable RankMass is guaranteed. */
  coverage: value('x', share, 'stop when this RankMass is guaranteed, such as 0.98 or 98%', {
    level: 'common',
  }),
  /** Stop after so many pages. As in a real crawl, failures do not count as pages. */
  pages: value('k', whole(1), 'stop after this many pages (Crawl & Stop)', { level: 'common' }),
  /** Stop after so many failures. Default: 10 times `pages`, at least 10,000. */
  failures: value(
    'k',
    whole(1),
    'stop after this many failed requests (default: 10 times --pages, at least 10,000)',
  ),
  /** Detect traps, as in a crawl of the real web; the web must have URLs. */
  traps: on('detect traps as `rankward crawl` does; needs URLs'),
} satisfies Rows

export const measureRows = {
  /** Rules for hot pages. */
  hot: list(
    'rule',
    anyText('a rule'),
    "hot pages: 'backlinks>=100', 'pagerank>=13' (mean 1), 'top 1%', 'title:computer or body:computer>=10'",
    { level: 'common' },
  ),
  /** The capacity of the limited buffer: pages, or a share of the web that the seeds reach. */
  buffer: value('pages', capacity, 'limited buffer: pages, or a percentage such as 10%', {
    check: typed<Capacity>(isCapacity),
  }),
  /** The estimate by which the limited buffer evicts pages. Default: backlinks. */
  bufferEstimate: value(
    'what',
    oneOf(['backlinks', 'score', 'truth'] as const),
    'limited buffer: the estimate by which pages are evicted: backlinks (default), score, truth',
    { level: 'config', needs: 'buffer' },
  ),
} satisfies Rows

export const queueRows = {
  frontier: value(
    'name',
    oneOf(frontiers.map(({ name }) => name)),
    frontiers.map(({ name }) => name).join(', '),
    {
      level: 'common',
      check: typed<FrontierChoice>(choiceChecks.frontier),
      default: 'two-level',
    },
  ),
  /** Mercator's F, B and bias. Defaults: 16, three per connection, 1. */
  frontQueues: value('n', whole(1, 4096), 'Mercator: number of front queues', {
    level: 'config',
    needs: 'frontier=mercator',
    usual: 16,
  }),
  backQueues: value('n', whole(1), 'Mercator: number of back queues (default: three per connection)', {
    level: 'config',
    needs: 'frontier=mercator',
  }),
  bias: value('x', atLeast(0, 64), 'Mercator: each front queue is 2^x times as likely as the next lower', {
    level: 'config',
    needs: 'frontier=mercator',
    usual: 1,
  }),
  /** WebBase's Q. Default: 500. */
  queues: value('n', whole(1), 'WebBase: number of queues', {
    level: 'config',
    usual: 500,
    needs: 'frontier=webbase',
  }),
} satisfies Rows

export const runSets = [
  { heading: 'In what order:', rows: orderRows },
  { heading: 'When to stop (at the first limit reached):', rows: stopRows },
  { heading: 'What to measure:', rows: measureRows },
  { heading: 'How to queue:', rows: queueRows },
] satisfies RowSet[]
