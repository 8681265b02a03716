/**
 * A config file with comments, generated from the table of options: every option with its explanation, and
 * commented out with its default or an example.
 */
import { settingsOf } from './crawl-settings.ts'
import { optionGroups, optionRows, type OptionName } from './option-table.ts'
import type { OptionRow } from './option-row.ts'

/** Values for options without a default, or with one that depends on other options. */
const examples: Partial<Record<OptionName, unknown>> = {
  out: 'crawl',
  seedsFile: 'seeds.txt',
  include: ['/docs/**'],
  exclude: ['/calendar/**'],
  maxDepth: 5,
  maxPagesPerSite: 1000,
  topic: 'solar energy',
  topicHot: 'title:solar or body:solar>=5',
  likeness: 'cosine',
  titleWeight: 4,
  language: 'en',
  idf: 'idf.tsv',
  scorer: './score.ts',
  scorerTime: '10s',
  pages: 10_000,
  failures: 100_000,
  coverage: '95%',
  time: '2h',
  bytes: '10GB',
  every: 1000,
  demoteSpam: 0.9,
  patience: 0.5,
  trust: 'trust.tsv',
  historicalScores: 'scores.tsv',
  contact: 'https://example.org/bot',
  header: ['Accept-Language: en'],
  cookies: 'on',
  auth: 'auth.txt',
  proxy: ['http://proxy.example.org:3128'],
  proxies: 'proxies.txt',
  own: ['*.example.org'],
  connectionsPerSite: 4,
  accept: ['text/html', '.pdf'],
  reject: ['image/*'],
  ignoreRel: ['ugc', 'sponsored'],
  linksFrom: ['main', 'article'],
  onPage: './handler.ts',
  items: 'items.jsonl',
  onPageTime: '10s',
  onPageThreads: 1,
  requisiteFiles: 100_000,
  requisiteBytes: '10GB',
  connectTo: ['example.org:443:127.0.0.1:8443'],
  dns: ['9.9.9.9'],
  limitSize: '10MB',
  limitTime: '30s',
  slowAfter: '3s',
  retryMax: '1h',
  waitUnreachable: '10m',
  rate: '1000/h',
  recrawlPolicy: 'greedy',
  rest: '1h',
  change: 'content',
  cost: 'fetch',
  warcSize: '1GB',
  warcPrefix: 'EXAMPLE',
  dedupAgainst: ['earlier/warc/rankward-0-00000.cdxj'],
  operator: 'Example Library',
  description: 'the site of the library',
  collection: 'library-2026',
  dashboard: '8080',
  dashboardToken: 'token.txt',
  dashboardName: ['crawl.example.org'],
  log: 'crawl.log',
  logLevel: 'info',
}

/** Options about one run of the command rather than the crawl, and those that depend on the machine. */
const omitted: readonly OptionName[] = [
  'config',
  'dryRun',
  'json',
  'events',
  'progress',
  'threads',
  'userAgent',
]

const placeholderSeed = 'https://example.org/'

/** The text of a config file that crawls these seeds. `name` is that of the file, for the comments. */
export function configTemplate(name: string, seeds: readonly string[]): string {
  const groups = Object.entries(optionGroups).flatMap(([heading, rows]) => groupLines(heading, rows))
  return `// Options of a crawl. Start it:   rankward crawl --config ${name}
// What it would do:               rankward check ${name}
//
// Each option is commented out, with its default or, where there is none, an example. Remove the // before its name to
// set it. Options on the command line take precedence. Paths are relative to this file.
{
  // URLs to start from
  "seeds": ${json(seeds.length === 0 ? [placeholderSeed] : seeds)},
${groups.join('\n')}
}
`
}

function groupLines(heading: string, rows: Readonly<Record<string, OptionRow>>): string[] {
  const lines = Object.entries(rows).flatMap(([name, row]) => optionLines(name as OptionName, row))
  return lines.length === 0 ? [] : ['', `  // ── ${heading.replace(/:$/, '')} ──`, ...lines]
}

function optionLines(name: OptionName, row: OptionRow): string[] {
  const value = templateValue(name)
  if (value === undefined) return []
  const about = row.form === 'off' ? `false: ${row.about}` : row.about.replace('; may be repeated', '')
  return ['', `  // ${about}`, `  // ${json(name)}: ${json(value)},`]
}

/** The default or the example; undefined if the template leaves the option out. */
export function templateValue(name: OptionName): unknown {
  const row = optionRows.get(name)!
  if (row.aliasOf !== undefined || omitted.includes(name)) return undefined
  if (!('kind' in row)) return row.form !== 'on'
  return examples[name] ?? defaultOf(name)
}

const defaults: Readonly<Record<string, unknown>> = { ...settingsOf({ seeds: [placeholderSeed] }) }

/** The default of an option that is a setting of its own. */
function defaultOf(name: OptionName): unknown {
  const value = defaults[optionRows.get(name)!.library ?? name]
  return ['number', 'string'].includes(typeof value) ? value : undefined
}

function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('","', '", "')
}
