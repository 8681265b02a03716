/** Checks the options of the library functions `crawl` and `resumeCrawl` against the option table. */
import { RankwardError } from '../../lib/errors.ts'
import {
  callback,
  checkOptions,
  either,
  flag,
  instanceOf,
  listOf,
  ofKind,
  type OptionCheck,
  type OptionChecks,
} from '../../lib/option-checks.ts'
import { anyText, atLeast, ValueError, whole } from '../../lib/value-kinds.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import { optionRows, type LibraryOptionName } from './option-table.ts'
import type { OptionRow } from './option-row.ts'
import { choiceChecks, codeChecks, type InlineKind } from '../../engine/user-code/inline-code.ts'
import { checkRequisites } from './archive-options.ts'
import { handlerCheck } from '../../engine/user-code/page-handler.ts'
import { resumableContent } from './content-options.ts'
import type { CrawlOptions, StopOptions } from './crawl-options.ts'
import type { RecrawlOptions, ResumeOptions } from './resume-options.ts'
import { headerValue, proxyValue } from './value-kinds.ts'

const isFalse: OptionCheck = (value) => {
  if (value !== false) throw new ValueError('false')
}

function checkOf(row: OptionRow): OptionCheck {
  if (!('kind' in row)) return flag
  const check = ofKind(row.kind)
  if (row.form === 'list') return listOf(check)
  return row.aboutNo === undefined ? check : either(isFalse, check)
}

/** In the library, headers are pairs, or have a host as their third part. */
const header: OptionCheck = (value) => {
  const isHeader =
    Array.isArray(value) &&
    /^[23]$/.test(`${value.length}`) &&
    value.every((part) => typeof part === 'string')
  if (!isHeader) throw new ValueError("pairs of a name and a value, such as ['Accept-Language', 'en']")
  const [name, text, host] = value as [string, string, string?]
  headerValue.read(`${host === undefined ? '' : `@${host} `}${name}: ${text}`)
}

type WordFrequencies = NonNullable<CrawlOptions['wordFrequencies']>

const frequencyChecks: OptionChecks<WordFrequencies> = {
  documents: ofKind(whole(0)),
  counts: instanceOf(Uint32Array, 'a Uint32Array'),
}

const ruleChecks: OptionChecks<CanonicalRules> = {
  sessionIds: flag,
  trackingParameters: flag,
  indexPages: flag,
  sortedQuery: flag,
}

const scores = instanceOf(Map, 'a Map from URLs to numbers')

/** Options that have another form on the command line, or none. */
const others: OptionChecks<
  Omit<CrawlOptions, LibraryOptionName> & Pick<CrawlOptions, 'headers' | 'proxy' | 'onPage' | InlineKind>
> = {
  ...choiceChecks,
  seeds: listOf(ofKind(anyText('an array of URLs'))),
  headers: listOf(header),
  proxy: either(listOf(ofKind(proxyValue)), ofKind(proxyValue)),
  trust: scores,
  historicalScores: scores,
  replaceable: flag,
  retrySeconds: ofKind(atLeast(0)),
  wordFrequencies: (value) =>
    checkOptions('crawl: wordFrequencies', value as WordFrequencies, frequencyChecks),
  canonicalRules: (value) => checkOptions('crawl: canonicalRules', value as CanonicalRules, ruleChecks),
  signal: instanceOf(AbortSignal, 'an AbortSignal'),
  onEvent: callback,
  onPage: handlerCheck,
  onRecorded: callback,
  onError: callback,
  onSite: callback,
}

const checks = {
  ...Object.fromEntries(
    [...optionRows]
      .filter(([, { library }]) => library !== 'cli')
      .map(([name, row]) => [row.library ?? name, checkOf(row)]),
  ),
  ...others,
} as OptionChecks<CrawlOptions>

export function checkCrawlOptions(options: CrawlOptions): void {
  checkOptions('crawl', options, checks)
  if (options.connections !== undefined && options.robots !== undefined) {
    throw new RankwardError(
      'USAGE',
      'Options connections and robots of crawl are aliases: give only one of them.',
    )
  }
  checkRequisites(options)
  for (const name of recrawlOptionNames) {
    if (options.continuous === true || options[name] === undefined) continue
    throw new RankwardError(
      'USAGE',
      `Option ${name} of crawl needs continuous: true. Without it, every page is fetched once.`,
    )
  }
}

const recrawlOptionNames = ['rate', 'recrawl', 'restSeconds', 'change', 'cost'] as const

const resumeOptionNames = [
  ...([
    'out',
    'pages',
    'failures',
    'coverage',
    'seconds',
    'bytes',
    'requisiteFiles',
    'requisiteBytes',
    'threads',
  ] as const),
  ...(['retrySecondsMax', 'waitUnreachableSeconds', 'wait', 'waitFactor', 'waitPerAddress'] as const),
  ...(['connections', 'headers', 'userAgent', 'contact', 'scope', 'include', 'exclude'] as const),
  ...(['maxDepth', 'maxPagesPerSite', 'continuous', 'rate', 'signal', 'onEvent'] as const),
  ...(['onPage', 'onPageSeconds', 'onPageThreads', 'items', 'onRecorded', 'onError', 'onSite'] as const),
  ...(['dashboard', 'dashboardToken', 'dashboardNames', 'log', 'logLevel'] as const),
  ...resumableContent,
] as const satisfies readonly (keyof ResumeOptions)[]

export function checkResumeOptions(options: ResumeOptions): void {
  const allowed = Object.fromEntries(resumeOptionNames.map((name) => [name, checks[name]]))
  checkOptions('resumeCrawl', options, { ...codeChecks, ...allowed } as OptionChecks<ResumeOptions>)
  if ((options.out as unknown) === undefined)
    throw new RankwardError('USAGE', 'Option out of resumeCrawl is missing. Expected the folder of a crawl.')
}

export function checkRecrawlOptions(options: RecrawlOptions): void {
  const leftOut = new Set<string>(['failures', 'coverage', 'bytes', 'continuous', 'rate'])
  const names = [
    ...resumeOptionNames.filter((name) => !leftOut.has(name)),
    ...(['recrawl', 'restSeconds', 'change', 'cost'] as const),
  ]
  const allowed = Object.fromEntries(names.map((name) => [name, checks[name]]))
  checkOptions('recrawl', options, { ...codeChecks, ...allowed } as OptionChecks<RecrawlOptions>)
  if ((options.out as unknown) === undefined)
    throw new RankwardError('USAGE', 'Option out of recrawl is missing. Expected the folder of a crawl.')
}

export function checkStopOptions(options: StopOptions): void {
  checkOptions('stop', options, { now: flag })
}
