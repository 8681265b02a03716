/**
 * Every option of `crawl`, once: its type, range, unit and help text. The command line, its help, the config file, the
 * library's checks and the translation from one to the other are all made from this table.
 *
 * A row's name is the key in a config file; the flag is the same name with dashes: `maxDepth` is `--max-depth`. The library
 * has the same name, unless `library` gives another: there the unit is in the name, since values have none.
 */
import { frontiers } from '../frontiers/index.ts'
import {
  anyText,
  atLeast,
  between,
  durationOrZero,
  durationValue,
  oneOf,
  share,
  sizeValue,
  whole,
  type ValueKind,
} from '../lib/value-kinds.ts'
import { scopeKinds } from '../worlds/real/url/scope.ts'
import * as values from './value-kinds.ts'

interface Row {
  readonly about: string
  /** The name in the library, where it is another; `cli`: the command line and config files alone have this option. */
  readonly library?: string
  /** The library has the opposite: `followNofollow` is `obeyNofollow: false`. */
  readonly isNegated?: boolean
  /** Another name of this option, which help does not show. */
  readonly aliasOf?: string
}

export interface ValueRow<T> extends Row {
  readonly form: 'value' | 'list'
  /** How the value is called in the help. */
  readonly placeholder: string
  readonly kind: ValueKind<T>
  /** A path: one in a config file is relative to that file. */
  readonly isPath?: boolean
  /** Where `--no-name` turns it off: what that does. */
  readonly aboutNo?: string
}

/** on: `--name` makes it true. off: `--no-name` makes it false. toggle: both. */
export interface FlagRow extends Row {
  readonly form: 'on' | 'off' | 'toggle'
  /** Of a toggle: what `--no-name` does. */
  readonly aboutNo?: string
}

export type OptionRow = ValueRow<unknown> | FlagRow

const value = <T>(placeholder: string, kind: ValueKind<T>, about: string) => ({
  form: 'value' as const,
  placeholder,
  kind,
  about,
})
const valueOrNo = <T>(placeholder: string, kind: ValueKind<T>, about: string, aboutNo: string) => ({
  ...value(placeholder, kind, about),
  aboutNo,
})
const list = <T>(placeholder: string, kind: ValueKind<T>, about: string) => ({
  ...value(placeholder, kind, `${about}; may be repeated`),
  form: 'list' as const,
})
const path = (placeholder: string, about: string) => ({
  ...value(placeholder, anyText('a path'), about),
  isPath: true,
})
const on = (about: string) => ({ form: 'on' as const, about })
const off = (about: string) => ({ form: 'off' as const, about })
const toggle = (about: string, aboutNo: string) => ({ form: 'toggle' as const, about, aboutNo })

const alias = <R extends Row>(aliasOf: string, row: R) => ({ ...row, aliasOf })
const cliOnly = <R extends Row>(row: R) => ({ ...row, library: 'cli' as const })
const inLibrary = <L extends string, R extends Row>(library: L, row: R) => ({ ...row, library })

const connectionCount = whole(1, 1_000_000)

export const optionGroups = {
  'What to crawl:': {
    out: path('folder', "the crawl's folder (default: crawl-HOST, after the first seed)"),
    seedsFile: cliOnly(path('file', 'more seeds, a line each; # starts a comment')),
    sitemap: on("start from the pages in the sites' sitemaps too"),
    scope: value('what', oneOf(scopeKinds), 'follow links to: host (default), domain, prefix, any'),
    include: list('pattern', values.patternValue, "follow only what matches, such as '/docs/**'"),
    exclude: list('pattern', values.patternValue, 'follow nothing that matches'),
    maxDepth: value('n', whole(0), 'follow so many links from a seed'),
    traps: off('do not watch for traps: kinds of pages that lead to ever more of themselves'),
    maxPagesPerSite: value('n', whole(1), 'pages of one host at most'),
  },
  'What to look for:': {
    topic: value('words', anyText('some words'), 'such as "solar energy": pages about it come first'),
    topicHot: value(
      'rule',
      anyText('a rule'),
      "which pages count as found: 'title:solar or body:solar>=5' (default: a word of the topic in the title, or ten in the body)",
    ),
    likeness: value(
      'measure',
      oneOf(['cosine', 'inner'] as const),
      'of a page and the topic, as vectors of words by tf-idf: cosine (default), inner',
    ),
    titleWeight: value('x', atLeast(0), 'a word in the title counts so many times (default: 4)'),
    language: value('code', anyText('a language'), 'compare words by their stems: en, de, fr, …'),
    idf: cliOnly(path('file', '"word<TAB>pages" lines: how rare words are (default: as seen so far)')),
    scorer: path('file', './score.ts or .js: gives each page a number, in place of its likeness'),
    scorerTime: inLibrary(
      'scorerSeconds',
      value('t', durationValue, 'a scorer that takes longer for a page is stopped (default: 10s)'),
    ),
  },
  'When to stop (the first that is reached):': {
    pages: value('n', whole(1), 'after this many pages with content, never one more'),
    failures: value(
      'n',
      whole(1),
      'after this many failed requests (default: 10 times --pages, at least 10,000; without --pages no limit)',
    ),
    coverage: value('x', share, 'when this much of the obtainable importance is certain: 0.95 or 95%'),
    coverageOf: value(
      'web',
      oneOf(['scope', 'web'] as const),
      'a share of: scope (default, links out of scope do not count), web (they do)',
    ),
    time: inLibrary('seconds', value('t', durationValue, 'after 90, 90s, 15m, 2h, 1d')),
    bytes: value('b', sizeValue, 'after 1000000, 500MB, 2GiB'),
  },
  'In what order:': {
    strategy: value(
      'name',
      anyText('a strategy'),
      'see `rankward strategies` (default: exact-rankmass; with a topic learned-topic)',
    ),
    frontier: value(
      'name',
      oneOf(frontiers.map(({ name }) => name)),
      'two-level (default), mercator, webbase',
    ),
    damping: value('d', between(0, 1), 'of PageRank and RankMass (default: 0.85)'),
    every: value('k', whole(1), 'pages between two recomputations, for strategies that recompute'),
    demoteSpam: value('m', share, 'hold sites with more spam mass than this back to the last, such as 0.9'),
    seed: value('x', whole(0), 'of the random strategy (default: 1)'),
    trust: cliOnly(path('file', '"URL<TAB>weight" lines: how far seeds are trusted; they are seeds too')),
    historicalScores: cliOnly(
      path('file', '"URL<TAB>score" lines of an earlier crawl, for historical-pagerank-…'),
    ),
  },
  'How politely:': {
    wait: value('s', atLeast(0), 'seconds that a site rests between two pages (default: 1)'),
    waitFactor: value(
      'x',
      atLeast(0),
      'and at least so many times the last download’s duration (default: 1; 0 with --wait 0)',
    ),
    waitPerAddress: value(
      's',
      atLeast(0),
      'seconds that an address which sites share rests (default: 0.5, or --wait)',
    ),
    perConnection: value(
      'c',
      whole(1, 1_000_000),
      'pages on one connection, without a rest between (default: 1)',
    ),
    connections: value('n', connectionCount, 'connections at a time, never two to a site (default: 64)'),
    robots: alias('connections', value('n', connectionCount, 'the same as --connections')),
    concurrency: cliOnly(alias('connections', value('n', connectionCount, 'the same as --connections'))),
    robotsTxt: off('do not ask for robots.txt, and do not obey it'),
    followNofollow: {
      ...inLibrary('obeyNofollow', on('do not obey rel=nofollow, robots meta elements and X-Robots-Tag')),
      isNegated: true,
    },
  },
  'How to ask:': {
    userAgent: value('text', values.userAgentValue, "the User-Agent (default: Rankward's own)"),
    contact: value('address', values.contactValue, 'who site owners can write to; named in the User-Agent'),
    header: inLibrary('headers', list("'name: value'", values.headerValue, 'send this header too')),
    proxy: value('url', values.proxyValue, 'ask through this HTTP proxy'),
    connectTo: list('h1:p1:h2:p2', values.connectToValue, 'connect to h2:p2 for h1:p1, as in curl'),
    dns: inLibrary(
      'dnsServers',
      list('address[:port]', values.dnsValue, 'ask this DNS server, not the system’s'),
    ),
    allowPrivate: on('allow private, local and loopback addresses'),
    insecure: on('accept certificates that are wrong'),
    http2: off('HTTP/1.1 only'),
    limitSize: inLibrary(
      'limitBytes',
      value('b', sizeValue, 'of a body, what is beyond is cut off (default: 10MB)'),
    ),
    limitTime: inLibrary('limitSeconds', value('t', durationValue, 'for one exchange (default: 30s)')),
    slowAfter: inLibrary(
      'slowSeconds',
      value(
        't',
        durationValue,
        'a connection below 1 KiB a second by then does not count as one of --connections (default: 3s)',
      ),
    ),
    attempts: value(
      'n',
      whole(1, 100),
      'requests for a page that fails, and for a site that never responded (default: 3)',
    ),
    retryMax: inLibrary(
      'retrySecondsMax',
      value('t', durationValue, 'the longest wait between two tries of a site (default: 1h)'),
    ),
    waitUnreachable: inLibrary(
      'waitUnreachableSeconds',
      value(
        't',
        durationOrZero,
        'wait this long when only unreachable sites are left, then stop with exit code 3 (default: 10m; 0: do not wait)',
      ),
    ),
  },
  'Which URLs are one page:': {
    keepSessionIds: cliOnly(on('keep session ids in URLs')),
    keepTracking: cliOnly(on('keep tracking parameters such as utm_source')),
    mergeIndexPages: cliOnly(on('/a/index.html is /a/')),
    nearDuplicates: valueOrNo(
      'x',
      between(0.5, 1),
      'how similar texts are that say nearly the same (default: 0.9)',
      'do not look for pages that say nearly the same',
    ),
    sortQuery: cliOnly(on('the order of query parameters does not count')),
  },
  'What is kept:': {
    warc: off('write no WARC files, the journal only'),
    warcSize: inLibrary(
      'warcBytesMax',
      value('b', sizeValue, 'start another WARC file after so much (default: 1GB)'),
    ),
    warcLevel: value('n', whole(0, 9), 'gzip level, 0 is none (default: 1)'),
  },
  'Running:': {
    config: cliOnly(path('file', 'options from a JSON file; the command line wins over it')),
    dryRun: cliOnly(on('say what would be done, and fetch nothing')),
    threads: value('n', whole(1, 256), 'fetch threads (default: one for each core but one)'),
    json: cliOnly(on('print one JSON document of totals instead of text')),
    events: cliOnly(on('print what happens as JSON lines while it runs')),
    progress: cliOnly(toggle('show progress even where a config file says not to', 'show no progress')),
  },
} as const satisfies Record<string, Record<string, OptionRow>>

type Groups = typeof optionGroups
type AllRows = { [G in keyof Groups]: Groups[G] }[keyof Groups] extends infer Group
  ? Group extends unknown
    ? (row: Group) => void
    : never
  : never
/** All groups as one object type: an intersection, by the old trick of function parameters. */
type Rows = AllRows extends (row: infer All) => void ? All : never

type ValueOf<Row> = Row extends { form: 'list'; kind: ValueKind<infer T> }
  ? readonly T[]
  : Row extends { form: 'value'; kind: ValueKind<infer T>; aboutNo: string }
    ? T | false
    : Row extends { form: 'value'; kind: ValueKind<infer T> }
      ? T
      : boolean

/** What was given, on the command line or in a file. */
export type CrawlCliOptions = { readonly [K in keyof Rows]?: ValueOf<Rows[K]> | undefined }

export type OptionName = keyof Rows

type LibraryName<Name, Row> = Row extends { library: infer Library } ? Exclude<Library, 'cli'> : Name
/** The options of the library that this table has. */
export type LibraryOptionName = { [K in OptionName]: LibraryName<K, Rows[K]> }[OptionName]

export const optionRows: ReadonlyMap<OptionName, OptionRow> = new Map(
  Object.values(optionGroups).flatMap((group) => Object.entries(group) as [OptionName, OptionRow][]),
)

/** `maxDepth` as `--max-depth`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
