/** The options of time: with any of them, the crawl runs under a virtual clock, and pages count in the order in which they were fetched. */
import { instanceOf, positive } from '../../lib/option-checks.ts'
import { inLibrary, on, path, typed, value, type OptionsOf, type Rows } from '../../lib/option-rows.ts'
import type { RowSet } from '../../lib/option-table.ts'
import { atLeast, whole, type ValueKind } from '../../lib/value-kinds.ts'

/** Castillo's wait for small sites. */
const smallSiteSeconds = 15

const secondsOrTrue: ValueKind<number> = {
  read: (text) => (text === 'true' ? smallSiteSeconds : atLeast(0).read(text)),
  json: ['number'],
}

export const timeRows = {
  /** Connections at a time; 1 unless given. */
  connections: value('n', whole(1, 1_000_000), 'timed: concurrent connections, at most one per site', {
    level: 'common',
  }),
  /** Seconds between the end of a connection to a site and the next one; 0 unless given. */
  wait: value('w', atLeast(0), 'timed: seconds between two connections to a site', { level: 'common' }),
  /** A site rests at least this many times as long as its last download took; 0 unless given. */
  waitFactor: value('x', atLeast(0), 'timed: wait at least x times the duration of the last download'),
  /** Seconds between two connections to a site with fewer than 100 pages. */
  smallSiteWait: value('w', secondsOrTrue, 'timed: seconds for sites under 100 pages (true: 15)', {
    level: 'config',
  }),
  /** Pages on one connection; 1 unless given. */
  perConnection: value('c', whole(1, 1_000_000), 'timed: pages on one connection'),
  /** Bandwidth of the crawler in bytes per second. Default: unlimited. */
  bandwidth: value('B', atLeast(1), 'timed: bandwidth of the crawler, in bytes per second', {
    level: 'common',
    check: typed<number>(positive),
  }),
  /** Latency applies to every page, not once per connection. */
  latencyPerPage: on('timed: latency applies to every page, not once per connection', { level: 'config' }),
  /** Connections stay with their site while it rests. */
  hold: on('timed: a connection stays with its site during the wait', { level: 'config' }),
  /** Fetch the robots.txt of a site before its first page. */
  robotsTxt: on("timed: fetch a site's robots.txt before its first page"),
  /** The share of pages whose fetch fails. */
  failureRate: value('x', atLeast(0, 1), 'timed: share of pages whose fetch fails'),
  /** The share of sites that are slow, and how many times slower they are; 10 unless given. */
  slowRate: value('x', atLeast(0, 1), 'timed: share of sites that are slow', { level: 'config' }),
  slowFactor: value('x', atLeast(1), 'timed: how many times slower they are', {
    level: 'config',
    usual: 10,
    needs: 'slowRate',
  }),
} satisfies Rows
export interface TimeOptions extends OptionsOf<typeof timeRows> {}

/** Pages that are chosen together. */
export const batchRows = {
  /** Choose this many pages at a time in the strategy's order. */
  batchSize: value('k', whole(1), 'choose this many pages at a time in the strategy’s order', {
    cli: 'batch',
  }),
  /** End a batch early when fewer connections are busy. */
  batchEndBelow: value('n', whole(1), 'end a batch early when fewer connections are busy', {
    level: 'config',
    needs: 'batch',
  }),
  /** Choose the next batch while the last pages of this one are in flight. */
  batchOverlap: on('choose the next batch while the last pages of this one are in flight', {
    level: 'config',
    needs: 'batch',
  }),
  /** In a timed run, compare with a single connection too. */
  speedUp: on('timed: also compare with one connection'),
} satisfies Rows

const numbers = typed<Float64Array>(instanceOf(Float64Array, 'a Float64Array'))

/** The network of a stored web. */
export const networkRows = {
  /** Bytes of each page of the stored web; NaN where not known. */
  pageBytes: path('file', 'timed: page sizes, "id<TAB>bytes" (default: drawn)', {
    check: numbers,
    isFile: true,
  }),
  /** Latency in seconds and speed in bytes per second of each site of the stored web; NaN where not known. */
  latencies: inLibrary(numbers),
  speeds: inLibrary(numbers),
  /** The crawl-delay of each site of the stored web in seconds; 0 or NaN: none. */
  crawlDelays: path('file', 'timed: "site<TAB>seconds" lines: the crawl-delays of sites', {
    level: 'config',
    check: numbers,
    isFile: true,
  }),
} satisfies Rows

const heading = 'Under a virtual clock:'
export const timeSets = [
  { heading, rows: timeRows, within: 'time' },
  { heading, rows: networkRows },
  {
    heading,
    rows: batchRows,
    contradictions: [
      {
        one: 'patience',
        other: 'batch',
        why: 'contradict each other: all pages of a batch are fetched before others are chosen',
      },
    ],
  },
] satisfies RowSet[]
