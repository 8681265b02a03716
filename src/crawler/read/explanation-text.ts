/** The explanation of one page, in sentences. Pure. */
import { grouped } from '../../lib/amounts.ts'
import type { RobotsVerdict } from './explanation-robots.ts'
import type { Explanation } from './explanation-parts.ts'
import {
  foundLines,
  putLastLines,
  scoreLines,
  timeText,
  waitedLines,
  waitingText,
} from './explanation-order-text.ts'
import { pageFreshnessLines } from './page-freshness-text.ts'
import { noTrapsText } from '../wording/crawl-end.ts'
import { explainedRows } from '../parts/all-parts.ts'
import { unfollowedLinksOfPage, unfollowedLinksTexts } from '../wording/unfollowed-links.ts'
import { wallAdvice } from '../../web/http/walls.ts'
import { agreeing, bytesText, percentText, plural, safe, shellWord } from './words.ts'

/** `folder`: of the crawl; undefined for one on a cluster. `heading` formats the URL, for a terminal. */
export function explanationText(
  folder: string | undefined,
  explanation: Explanation,
  heading: (text: string) => string = (text) => text,
): string {
  const parts: (readonly [string, readonly string[]])[] = [
    ['Found', foundLines(explanation)],
    ['Score', scoreLines(explanation)],
    ['Rests', restLines(explanation)],
    ['Waited', waitedLines(explanation)],
    ['Content', contentLines(explanation)],
    ...explainedRows(explanation),
    ['Archive', archiveLines(explanation)],
    ['Fresh', pageFreshnessLines(explanation.freshness, Date.now())],
    ['Settings', settingsLines(explanation)],
    ['Next', nextLines(folder, explanation)],
  ]
  const width = Math.max(...parts.map(([label]) => label.length))
  return [
    heading(safe(explanation.url)),
    ...verdicts[explanation.state](explanation),
    '',
    ...parts.flatMap(([label, lines]) =>
      lines.map((line, i) => `${(i === 0 ? label : '').padEnd(width)}  ${line}`),
    ),
  ]
    .join('\n')
    .trimEnd()
}

/** Settings that a resume had changed before the page was requested or refused. */
function settingsLines({ settings }: Explanation): string[] {
  if (settings === undefined) return []
  const changed = Object.entries(settings.changed).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [`changed by the resume at ${timeText(settings.since)}: ${safe(changed.join(', '))}`]
}

/** The outcome, in a line or two, by the state of the page. */
const verdicts: Readonly<Record<Explanation['state'], (explanation: Explanation) => string[]>> = {
  fetched: (page) => [`Fetched ${answerText(page)}.`, ...leftLines(page)],
  redirect: (page) => [`A redirect, requested ${answerText(page)}.`, ...loopLines(page)],
  failed: failureLines,
  temporary: failureLines,
  unreachable: (page) => [`Never fetched: its site could not be reached${errorText(page)}.`],
  robots: forbiddenLines,
  limit: (page) => [`Never fetched: ${limitText(page)}`],
  scope: (page) => [`Never fetched: it is out of scope. ${scopeText(page)}`],
  waiting: (page) => [`Not fetched yet: ${waitingText(page)}`, ...putLastLines(page)],
  unknown: unknownLines,
}

/** By a rule of robots.txt, or by a statement about its use (parts/preferences). */
function forbiddenLines({ robots, outcome }: Explanation): string[] {
  if (outcome !== undefined && outcome.error !== 'robots')
    return [
      `Never fetched: its owner does not allow the use that the crawl is for (${safe(outcome.failureText ?? outcome.error ?? '')}).`,
    ]
  return ['Never fetched: robots.txt of its site disallows it.', ...robotsLines(robots)]
}

/** Only in a crawl that fetches pages again. */
function leftLines({ freshness }: Explanation): string[] {
  if (freshness?.state === 'gone') return ['Gone since: the copy counts no longer (docs/theory/coverage.md).']
  if (freshness?.state !== 'forbidden') return []
  return ['robots.txt of its site disallows it since: the copy counts no longer (docs/theory/coverage.md).']
}

function failureLines(page: Explanation): string[] {
  const attempts = plural(page.outcome?.attempts ?? 1, 'attempt')
  const advice = page.outcome?.error === 'blocked' ? [`${wallAdvice}.`] : []
  return [`Requested ${answerText(page)}, without success${errorText(page)}, in ${attempts}.`, ...advice]
}

function errorText({ outcome }: Explanation): string {
  return outcome?.error === undefined ? '' : ` (${safe(outcome.failureText ?? outcome.error)})`
}

function loopLines({ redirectLoop }: Explanation): string[] {
  return redirectLoop === undefined
    ? []
    : [`It leads into a redirect loop: ${redirectLoop.map(safe).join(' → ')}`]
}

const restWords = {
  unobtainable: 'it is unobtainable, and coverage is a share of the rest (docs/theory/coverage.md)',
  excluded: 'a limit of this crawl excludes it, and coverage counts it as missing (docs/theory/coverage.md)',
  'not fetched': 'coverage counts it as missing (docs/theory/coverage.md)',
} as const

function restLines({ rests }: Explanation): string[] {
  if (rests === undefined || rests.importance === 0) return []
  return [`${percentText(rests.importance)} of the importance is known to rest on it: ${restWords[rests.as]}`]
}

function limitText({ outcome, scope }: Explanation): string {
  const error = outcome?.error ?? ''
  if (error === 'crawl-delay') {
    return 'robots.txt of its site sets a crawl delay of more than ten minutes, and one page was fetched.'
  }
  if (error.startsWith('trap-')) {
    const why = outcome?.failureText === undefined ? '' : `: ${safe(outcome.failureText)}`
    return `trap detection refused it (${safe(error)}${why}). ${noTrapsText}`
  }
  return `its site had its ${plural(scope.maxPagesPerSite ?? 0, 'page')} already (--max-pages-per-site).`
}

const faultTexts: Readonly<Record<string, string>> = {
  'bare-lf': 'lines end with LF alone',
  'control-character': 'control characters in its headers',
  'space-before-colon': 'a space before the colon of a header',
  'folded-header': 'a header folded over several lines',
  'repeated-length': 'Content-Length is repeated',
  'length-and-chunked': 'Content-Length beside chunks',
  'identity-coding': 'Transfer-Encoding: identity',
  'empty-line-first': 'empty lines before the status line',
}

function faultsText(faults: readonly string[]): string {
  return `not valid HTTP, but read (${faults.map((fault) => faultTexts[fault] ?? safe(fault)).join('; ')})`
}

const miscodedTexts: Readonly<Record<string, string>> = {
  'not-coded': 'not in the declared encoding',
  unknown: 'in an unknown encoding',
  'still-coded': 'still in an undeclared encoding',
  damaged: 'its encoding is damaged or incomplete',
  'too-large': 'larger than the limits once decoded',
}

function cutText(truncated: string): string {
  return truncated === 'length' || truncated === 'time'
    ? `truncated at the limit of ${truncated}`
    : 'aborted by the server'
}

function answerText({ outcome, shard }: Explanation): string {
  if (outcome === undefined) return ''
  const {
    at,
    firstAt,
    cameAs,
    status,
    contentType,
    bytes,
    durationMs,
    truncated,
    faults,
    miscoded,
    location,
  } = outcome
  const what = [
    status > 0 ? String(status) : undefined,
    contentType === undefined ? undefined : safe(contentType),
    `${bytesText(bytes)} in ${grouped(durationMs)} ms`,
    location === undefined ? undefined : `leads to ${safe(location)}`,
    truncated === undefined ? undefined : cutText(truncated),
    faults === undefined ? undefined : faultsText(faults),
    miscoded === undefined ? undefined : miscodedTexts[miscoded],
  ].filter((part) => part !== undefined)
  const place =
    cameAs === undefined
      ? ''
      : `, as page ${grouped(cameAs)} of ${shard === undefined ? 'the crawl' : 'its shard'}`
  const first = firstAt === undefined ? '' : `first at ${timeText(firstAt)}${place}; its newest version `
  return `${first}at ${timeText(at)}${firstAt === undefined ? place : ''}: ${what.join(', ')}`
}

function unknownLines(explanation: Explanation): string[] {
  const { isInScope, scope, robots, similar, unfollowedCopies, linksNotFollowed, shard } = explanation
  const lines = isInScope
    ? [
        `Never seen: no link to it was followed${shard === undefined ? '' : ', as far as its shard knows'}. It would be in scope.`,
        ...unfollowedLinksTexts({ ...linksNotFollowed, tooDeep: 0, copies: 0 }).map(
          (text) => `The crawl did not follow ${text}: it may be one of those.`,
        ),
        ...(scope.maxDepth === undefined
          ? []
          : [
              `Links of pages at depth ${scope.maxDepth} are not followed (--max-depth): it may be one of those.`,
            ]),
        ...(unfollowedCopies === undefined
          ? []
          : [
              `Links to new pages were not followed on ${plural(unfollowedCopies.count, 'page')} of its site that ${agreeing(unfollowedCopies.count, 'repeats', 'repeat')} others, such as`,
              `${safe(unfollowedCopies.example)} : it may be one of those.`,
            ]),
        ...(robots?.forbids === true ? ['robots.txt of its site disallows it.', ...robotsLines(robots)] : []),
      ]
    : [
        'Never seen, and out of scope. Links out of scope are counted but not stored, so it is unknown whether one leads here.',
        scopeText({ scope }),
      ]
  return [...lines, ...similar.map((url) => `Did you mean ${safe(url)} ?`)]
}

const places = {
  host: 'The scope is the hosts of the seeds',
  domain: 'The scope is the domains of the seeds',
  prefix: 'The scope is the folders of the seeds',
  any: 'The scope is the whole web',
} as const

const seedsShown = 3

function scopeText({
  scope: { scope, seeds, include, exclude, accept, reject },
}: Pick<Explanation, 'scope'>): string {
  const more = seeds.length > seedsShown ? ` and ${grouped(seeds.length - seedsShown)} more` : ''
  const named = scope === 'any' ? '' : ` (${seeds.slice(0, seedsShown).map(safe).join(', ')}${more})`
  const only = include.length === 0 ? '' : `, of that only ${include.map(safe).join(' or ')}`
  const without = exclude.length === 0 ? '' : `, without ${exclude.map(safe).join(' and ')}`
  const taken = accept === undefined ? '' : `; content accepted: ${accept.map(safe).join(', ')}`
  const refused = reject === undefined ? '' : `; content rejected: ${reject.map(safe).join(', ')}`
  return `${places[scope]}${named}${only}${without}${taken}${refused}.`
}

function robotsLines(robots: RobotsVerdict | undefined): string[] {
  if (robots?.readAt === undefined) return ['Its robots.txt is not stored with the crawl.']
  const read = `robots.txt, read at ${timeText(robots.readAt)}`
  if (!robots.forbids) return [`The ${read}, allows it: an earlier one did not.`]
  if (robots.rule === undefined) {
    return [`The ${read}, had status ${robots.status ?? 'none'}, which means that nothing may be fetched.`]
  }
  const agents = (robots.agents ?? []).map((agent) => safe(agent)).join(', ')
  return [`The rule: "${safe(robots.rule)}" for ${agents === '*' ? 'all crawlers' : agents} (${read}).`]
}

function contentLines({ outcome }: Explanation): string[] {
  if (outcome === undefined) return []
  const { title, duplicateOf, sameText, nearDuplicateOf, similarity = 0, canonical } = outcome
  const { noindex, relevance, hot, links, outside = 0, tooDeep = 0 } = outcome
  const given = (text: string | undefined, line: (text: string) => string): string[] =>
    text === undefined || text === '' ? [] : [line(safe(text))]
  return [
    ...given(title, (text) => `"${text}"`),
    ...given(
      duplicateOf,
      (url) => `${sameText === true ? 'the same text as' : 'the same as'} ${url}${linksText(outcome)}`,
    ),
    ...given(nearDuplicateOf, (url) => `${Math.floor(100 * similarity)}% the same as ${url}`),
    ...given(canonical, (url) => `declares the canonical URL ${url}`),
    ...(noindex === true ? ['says noindex'] : []),
    ...(relevance === undefined
      ? []
      : [
          `${hot === true ? 'hot: ' : ''}${Number(relevance.toPrecision(3))} is its similarity to the topic, or its score`,
        ]),
    ...(links === undefined || outcome.error !== undefined
      ? []
      : [`${plural(links, 'link')}, ${grouped(outside)} out of scope, ${grouped(tooDeep)} too deep`]),
    ...unfollowedLines(outcome),
  ]
}

type ExplainedOutcome = NonNullable<Explanation['outcome']>

function linksText({ sameLinks, duplicateOf, siteOriginal = duplicateOf }: ExplainedOutcome): string {
  if (sameLinks !== true) return ', but with links to other pages'
  return siteOriginal === duplicateOf
    ? ', with links to the same pages'
    : `, with links to the same pages as ${safe(siteOriginal ?? '')}`
}

/** Why links of this page were not followed. */
function unfollowedLines(outcome: ExplainedOutcome): string[] {
  const { unfollowed = 0, siteOriginal = '', nofollow, links = 0 } = outcome
  const lines = unfollowedLinksOfPage(outcome).map((text) => `not followed: ${text}`)
  if (nofollow === true && links > 0)
    lines.push('the page says nofollow; its links were followed nevertheless (--follow-nofollow)')
  if (unfollowed > 0) {
    lines.push(
      `not followed: ${plural(unfollowed, 'link')} to new pages. The page repeats ${safe(siteOriginal)}, was found on`,
      '  another copy, and its site has used up its allowance for copies found on copies (docs/reference/crawl.md)',
    )
  }
  return lines
}

function archiveLines({ outcome }: Explanation): string[] {
  const warc = outcome?.warc
  if (warc === undefined) return []
  return [`warc/${warc.file}, ${plural(warc.length, 'byte')} from byte ${grouped(warc.offset)} on`]
}

/** A crawl that has used a budget needs a larger one; `rankward resume` says which. */
function nextLines(folder: string | undefined, { state, isRunning }: Explanation): string[] {
  return state === 'waiting' && !isRunning && folder !== undefined
    ? [`rankward resume ${shellWord(folder)}`]
    : []
}
