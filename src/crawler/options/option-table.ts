/**
 * All options of `crawl`, each defined once: type, range, unit and help text. The command line, its help, the
 * config file and the library's checks are generated from this table.
 *
 * A row's name is the key in a config file; the flag is the same name with dashes: `maxDepth` is
 * `--max-depth`. The library has the same name, unless `library` gives another: names in the library include
 * the unit, since values have none.
 */
import { fetchCosts } from '../../engine/recrawl-options.ts'
import { frontiers } from '../../engine/frontiers/index.ts'
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
} from '../../lib/value-kinds.ts'
import { recrawlPolicies } from '../../engine/recrawl/policies/index.ts'
import { changeRules } from '../world/looks/change.ts'
import { scopeKinds } from '../../web/url/scope.ts'
import { contentValue, elementValue, hostsValue, relValue } from './content-options.ts'
import { dashboardValue } from './dashboard-address.ts'
import { logLevels } from './log-levels.ts'
import { alias, cliOnly, inLibrary, list, off, on, path, toggle, value, valueOrNo } from './option-row.ts'
import type { OptionRow } from './option-row.ts'
import * as values from './value-kinds.ts'

/** A real crawl cannot know the true change rates. */
const recrawlPolicyNames = recrawlPolicies.map(({ name }) => name).filter((name) => name !== 'optimal')

const connectionCount = whole(1, 1_000_000)

export const optionGroups = {
  'What to crawl:': {
    out: path('folder', "the crawl's folder (default: crawl-HOST, after the first seed)"),
    seedsFile: cliOnly(path('file', 'more seeds, one per line; # starts a comment')),
    sitemap: on("also start from the pages in the sites' sitemaps"),
    scope: value('what', oneOf(scopeKinds), 'follow links to: host (default), domain, prefix, any'),
    include: list('pattern', values.patternValue, "follow only matching links, such as '/docs/**'"),
    exclude: list('pattern', values.patternValue, 'follow no matching links'),
    accept: list('kinds', contentValue, 'take only these media types and extensions: text/html,.pdf'),
    reject: list('kinds', contentValue, 'take no content of these media types and extensions: image/*,.zip'),
    ignoreRel: list('words', relValue, 'follow no links with these words in rel: ugc,sponsored'),
    linksFrom: list('elements', elementValue, 'follow only links inside of these elements: main,article'),
    maxDepth: value('n', whole(0), 'maximum number of links from a seed to a page'),
    traps: off('disable trap detection: kinds of pages that link to ever more pages of the same kind'),
    maxPagesPerSite: value('n', whole(1), 'maximum number of pages per host'),
  },
  'What to look for:': {
    topic: value(
      'words',
      anyText('some words'),
      'fetch pages about this topic first, such as "solar energy"',
    ),
    topicHot: value(
      'rule',
      anyText('a rule'),
      "which pages count as hot: 'title:solar or body:solar>=5' (default: a word of the topic in the title, or ten in the body)",
    ),
    likeness: value(
      'measure',
      oneOf(['cosine', 'inner'] as const),
      'similarity of page and topic as tf-idf vectors: cosine (default), inner',
    ),
    titleWeight: value('x', atLeast(0), 'weight of a word in the title (default: 4)'),
    language: value('code', anyText('a language'), 'compare words by their stems: en, de, fr, …'),
    idf: cliOnly(
      path('file', '"word<TAB>pages" lines: document frequencies (default: of the pages fetched so far)'),
    ),
    scorer: path('file', './score.ts or .js: scores each page, in place of its similarity to the topic'),
    scorerTime: inLibrary(
      'scorerSeconds',
      value('t', durationValue, 'time limit of the scorer per page (default: 10s)'),
    ),
  },
  'What to extract:': {
    onPage: path('file', './handler.ts or .js: receives each page; returns items, chooses and adds links'),
    items: path(
      'file',
      'write the items to this file, - for standard output (default: items.jsonl in the folder)',
    ),
    onPageTime: inLibrary(
      'onPageSeconds',
      value('t', durationValue, 'time limit of the handler per page (default: 10s)'),
    ),
    onPageThreads: value('n', whole(1, 256), 'threads of the handler, each with its own copy (default: 1)'),
  },
  'When to stop (at the first limit reached):': {
    pages: value('n', whole(1), 'after exactly this many pages with content'),
    failures: value(
      'n',
      whole(1),
      'after this many failed requests (default: 10 times --pages, at least 10,000; without --pages no limit)',
    ),
    coverage: value('x', share, 'when this much of the obtainable importance is certain: 0.95 or 95%'),
    coverageOf: value(
      'web',
      oneOf(['scope', 'web'] as const),
      'share of: scope (default, links out of scope do not count), web (they count)',
    ),
    time: inLibrary('seconds', value('t', durationValue, 'after 90, 90s, 15m, 2h, 1d')),
    bytes: value('b', sizeValue, 'after 1000000, 500MB, 2GiB'),
  },
  'Requisites of pages:': {
    requisites: on('also fetch the style sheets, images, scripts, fonts and media that pages use'),
    requisiteFiles: value('n', whole(1), 'at most this many of them (default: 100000)'),
    requisiteBytes: value('b', sizeValue, 'at most this many bytes of them (default: 10GB)'),
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
    damping: value('d', between(0, 1), 'damping factor of PageRank and RankMass (default: 0.85)'),
    every: value('k', whole(1), 'pages between recomputations, for strategies that recompute'),
    demoteSpam: value('m', share, 'fetch sites with more spam mass than this last, such as 0.9'),
    patience: value(
      'x',
      atLeast(0),
      'how much longer the crawl may take to avoid traps: 0.5 is half as long again (default: 0.5 with --pages and no --time, otherwise 0)',
    ),
    seed: value('x', whole(0), 'seed of the random strategy (default: 1)'),
    trust: cliOnly(path('file', '"URL<TAB>weight" lines: seeds with the trust in each')),
    historicalScores: cliOnly(
      path('file', '"URL<TAB>score" lines of an earlier crawl, for historical-pagerank-…'),
    ),
  },
  'How politely:': {
    wait: value('s', atLeast(0), 'seconds between two pages of a site (default: 1)'),
    waitFactor: value(
      'x',
      atLeast(0),
      'wait at least this many times the duration of the last download (default: 1; 0 with --wait 0)',
    ),
    waitPerAddress: value(
      's',
      atLeast(0),
      'seconds between two requests to an IP address that sites share (default: 0.5, or --wait if less)',
    ),
    perConnection: value(
      'c',
      whole(1, 1_000_000),
      'pages per connection, without a wait between them (default: 1)',
    ),
    own: list('hosts', hostsValue, 'hosts of your own: several connections at a time, and no wait'),
    connectionsPerSite: value('n', whole(1, 256), 'connections at a time to each host of --own (default: 4)'),
    connections: value(
      'n',
      connectionCount,
      'simultaneous connections, never two to one site, --own excepted (default: 64)',
    ),
    robots: alias('connections', value('n', connectionCount, 'the same as --connections')),
    concurrency: cliOnly(alias('connections', value('n', connectionCount, 'the same as --connections'))),
    robotsTxt: off('do not request or obey robots.txt'),
    followNofollow: {
      ...inLibrary('obeyNofollow', on('do not obey rel=nofollow, robots meta elements and X-Robots-Tag')),
      isNegated: true,
    },
  },
  'Requests:': {
    userAgent: value('text', values.userAgentValue, "User-Agent header (default: Rankward's own)"),
    contact: value(
      'address',
      values.contactValue,
      'URL or e-mail address for site owners, added to the User-Agent',
    ),
    header: inLibrary(
      'headers',
      list(
        "'name: value'",
        values.headerValue,
        "send this header; '@*.example.org name: value' to some hosts only",
      ),
    ),
    cookies: {
      ...value(
        'on|file',
        anyText('on, or a path'),
        'keep cookies; a file in Netscape format has the first ones',
      ),
      isPath: true,
    },
    archiveCookies: on('archive Cookie and Set-Cookie headers, which a crawl with --cookies leaves out'),
    auth: path('file', '"host basic user:password" or "host bearer token" lines; only you may read the file'),
    proxy: list('url', values.proxyValue, 'use this HTTP proxy'),
    proxies: path('file', 'URLs of more HTTP proxies, one per line; only you may read the file'),
    connectTo: list('h1:p1:h2:p2', values.connectToValue, 'connect to h2:p2 for h1:p1, as in curl'),
    dns: inLibrary(
      'dnsServers',
      list('address[:port]', values.dnsValue, 'use this DNS server instead of the system’s'),
    ),
    allowPrivate: on('allow private, local and loopback addresses'),
    insecure: on('accept invalid TLS certificates'),
    http2: off('use HTTP/1.1 only'),
    limitSize: inLibrary(
      'limitBytes',
      value('b', sizeValue, 'truncate bodies after this size (default: 10MB)'),
    ),
    limitTime: inLibrary('limitSeconds', value('t', durationValue, 'request timeout (default: 30s)')),
    slowAfter: inLibrary(
      'slowSeconds',
      value(
        't',
        durationValue,
        'after this time, a connection below 1 KiB/s does not count towards --connections (default: 3s)',
      ),
    ),
    attempts: value(
      'n',
      whole(1, 100),
      'requests for a page that fails, and for a site that never responded (default: 3)',
    ),
    retryMax: inLibrary(
      'retrySecondsMax',
      value('t', durationValue, 'longest wait between two attempts at a site (default: 1h)'),
    ),
    waitUnreachable: inLibrary(
      'waitUnreachableSeconds',
      value(
        't',
        durationOrZero,
        'how long to wait when only unreachable sites are left, before stopping with exit code 3 (default: 10m; 0: do not wait)',
      ),
    ),
  },
  'Fetching pages again:': {
    continuous: on('keep the pages fresh: fetch them again as they change, until the crawl is stopped'),
    rate: value(
      'n',
      values.rateValue,
      'fetches of new and known pages together: 1000/h, 5000/day (default: each page about once in 30 days)',
    ),
    recrawlPolicy: inLibrary(
      'recrawl',
      value(
        'policy',
        oneOf(recrawlPolicyNames),
        `which page to fetch again next: ${recrawlPolicyNames.join(', ')} (default: greedy)`,
      ),
    ),
    rest: inLibrary(
      'restSeconds',
      value('t', durationOrZero, 'never fetch a page again within this time (default: 1h)'),
    ),
    change: value(
      'what',
      oneOf(changeRules),
      'what counts as a change: content (default: text or links), text, links, bytes',
    ),
    cost: value(
      'what',
      oneOf(fetchCosts),
      'what a fetch costs: fetch (default: all the same), bytes (prefer small transfers and pages that respond with 304)',
    ),
  },
  'Duplicate URLs and pages:': {
    keepSessionIds: cliOnly(on('keep session ids in URLs')),
    keepTracking: cliOnly(on('keep tracking parameters such as utm_source')),
    mergeIndexPages: cliOnly(on('treat /a/index.html as /a/')),
    nearDuplicates: valueOrNo(
      'x',
      between(0.5, 1),
      'similarity of the texts of near-duplicates (default: 0.9)',
      'disable the detection of near-duplicates',
    ),
    sortQuery: cliOnly(on('ignore the order of query parameters')),
  },
  'Output:': {
    warc: off('write no WARC files, only the record'),
    warcSize: inLibrary(
      'warcBytesMax',
      value('b', sizeValue, 'start another WARC file after this size (default: 1GB)'),
    ),
    warcLevel: value('n', whole(0, 9), 'gzip level, 0 for none (default: 1)'),
    warcPrefix: value(
      'name',
      values.warcPrefixValue,
      'name WARC files NAME-TIMESTAMP-SERIAL-HOST.warc.gz (default: rankward-THREAD-SERIAL.warc.gz)',
    ),
    dedupAgainst: {
      ...list(
        'cdxj',
        anyText('a path'),
        'archive no payloads that the archive of this index has, only references to them',
      ),
      isPath: true,
    },
    operator: value('name', anyText('a name'), 'who runs the crawl; recorded in the archive'),
    description: value('text', anyText('a text'), 'what the crawl is for; recorded in the archive'),
    collection: value('name', anyText('a name'), 'the collection that the archive is part of'),
    index: on('keep a search index while crawling, so that the first search is fast too'),
  },
  'Watching it:': {
    dashboard: value(
      '[host:]port',
      dashboardValue,
      'serve a dashboard while the crawl runs, on this machine only unless a host is given (0: any free port)',
    ),
    dashboardToken: path('file', 'file with the token that control needs (default: a random one is printed)'),
    dashboardName: inLibrary(
      'dashboardNames',
      list('name', anyText('a host name'), 'accept requests for this host, such as that of a reverse proxy'),
    ),
    log: path('file', 'append a log of JSON lines to this file; secrets are left out'),
    logLevel: value('level', oneOf(logLevels), 'debug (every page), info (default), warn, error'),
  },
  'Running:': {
    config: cliOnly(path('file', 'read options from a JSON file; the command line takes precedence')),
    dryRun: cliOnly(on('print the settings and fetch nothing')),
    threads: value('n', whole(1, 256), 'fetch threads (default: one less than there are cores)'),
    json: cliOnly(on('print one JSON document of totals instead of text')),
    events: cliOnly(on('print events as JSON lines while the crawl runs')),
    progress: cliOnly(toggle('show progress, even if a config file disables it', 'show no progress')),
  },
} as const satisfies Record<string, Record<string, OptionRow>>

type Groups = typeof optionGroups
type AllRows = { [G in keyof Groups]: Groups[G] }[keyof Groups] extends infer Group
  ? Group extends unknown
    ? (row: Group) => void
    : never
  : never
/** All groups as one object type: an intersection, inferred from a function parameter. */
type Rows = AllRows extends (row: infer All) => void ? All : never

type ValueOf<Row> = Row extends { form: 'list'; kind: ValueKind<infer T> }
  ? readonly T[]
  : Row extends { form: 'value'; kind: ValueKind<infer T>; aboutNo: string }
    ? T | false
    : Row extends { form: 'value'; kind: ValueKind<infer T> }
      ? T
      : boolean

/** Options from the command line or a config file. */
export type CrawlCliOptions = { readonly [K in keyof Rows]?: ValueOf<Rows[K]> | undefined }

export type OptionName = keyof Rows

type LibraryName<Name, Row> = Row extends { library: infer Library } ? Exclude<Library, 'cli'> : Name
/** The library options in this table. */
export type LibraryOptionName = { [K in OptionName]: LibraryName<K, Rows[K]> }[OptionName]

export const optionRows: ReadonlyMap<OptionName, OptionRow> = new Map(
  Object.values(optionGroups).flatMap((group) => Object.entries(group) as [OptionName, OptionRow][]),
)

/** `maxDepth` as `--max-depth`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
