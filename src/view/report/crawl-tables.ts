/** The tables of a crawl report: pages, sites, statuses, types and others. */
import { agreeing, bytesText, certainPercent, grouped, percentOf, plural } from '../../lib/amounts.ts'
import { orderSentence } from '../../crawler/wording/fetch-order.ts'
import { shortened, type Link } from '../pictures/words.tsx'
import { columnsOf, section, type Cell, type Section, type Table } from './report.ts'
import type { MissedPage, ReportedCrawl } from '../../crawler/read/figures/reported-crawl.ts'

const siteMax = 100
/** Titles are on one line. */
const pageTitleMax = 44
const urlMax = 200

export function pagesSection({ topPages }: ReportedCrawl): Section[] {
  if (topPages.length === 0) return []
  const share = topPages.reduce((sum, { mass }) => sum + mass, 0)
  // Four decimals distinguish the pages of a small crawl; those of a large one have less each.
  const isSmall = topPages[topPages.length - 1].mass < 5e-4
  const early = topPages.filter(({ order }) => order <= 2 * topPages.length).length
  return section('The most important pages', [
    {
      kind: 'table',
      id: 'top-pages',
      title: 'Pages with the most RankMass',
      columns: [
        { title: 'title' },
        isSmall
          ? { title: 'RankMass, millionths', numbering: 'count' }
          : { title: 'RankMass', numbering: 'share' },
        { title: 'depth', numbering: 'count' },
        { title: 'taken as', numbering: 'count' },
        { title: 'address' },
      ],
      isWide: true,
      rows: topPages.map(({ url, title, mass, order, depth }) => [
        title === '' ? 'no title' : shortened(title, pageTitleMax),
        isSmall ? mass * 1e6 : mass,
        depth,
        order === 0 ? null : order,
        addressOf(url),
      ]),
      caption: `${topPages.length === 1 ? 'It holds' : `These ${topPages.length} hold`} ${certainPercent(share)} of all importance.${topPages.length < 5 ? '' : ` ${early} of them ${agreeing(early, 'was', 'were')} among the first ${2 * topPages.length} selected.`}`,
    },
  ])
}

function addressOf(url: string): Link {
  return { href: url, text: shortened(url, urlMax) }
}

const missedStates: Readonly<Record<MissedPage['state'], string>> = {
  waiting: 'waiting when the crawl stopped',
  robots: 'disallowed by robots.txt',
  limit: 'over a limit',
  failed: 'failed',
  temporary: 'failed for a temporary reason',
  unreachable: 'unreachable',
}

function missedCause({ state, error }: MissedPage): string {
  const cause = missedStates[state]
  const detail = error === undefined || error === 'robots' ? '' : answerName(error)
  return detail === '' || detail === cause ? cause : `${cause}: ${detail}`
}

/** The best pages that were not fetched, and why. */
export function missedSection({ missedPages }: ReportedCrawl): Section[] {
  if (missedPages.length === 0) return []
  const share = missedPages.reduce((sum, { mass }) => sum + mass, 0)
  return section('The most important pages not fetched', [
    {
      kind: 'table',
      id: 'missed-pages',
      title: 'Pages not fetched with the most RankMass',
      isWide: true,
      columns: columnsOf({ address: null, 'RankMass, millionths': 'count', depth: 'count', cause: null }),
      rows: missedPages.map((page) => [addressOf(page.url), page.mass * 1e6, page.depth, missedCause(page)]),
      caption: `${certainPercent(share)} of all importance certainly reaches ${missedPages.length === 1 ? 'this page' : `these ${missedPages.length} pages`}.`,
    },
  ])
}

/** Addresses of pages that failed or were refused, some for each kind of error. */
function errorExamples(answers: ReportedCrawl['answers']): Table[] {
  const rows = answers.flatMap(({ answer, examples }) =>
    examples.map((url): Cell[] => [answerName(answer), addressOf(url)]),
  )
  if (rows.length === 0) return []
  return [
    {
      kind: 'table',
      id: 'error-examples',
      title: 'Examples of errors',
      isWide: true,
      columns: [{ title: 'error' }, { title: 'address' }],
      rows,
      caption: 'Up to three pages of each kind, in the order of their discovery.',
    },
  ]
}

export function sitesSection({ topSites, sitesVisited, counts }: ReportedCrawl): Section[] {
  if (topSites.length === 0 || counts.pages === 0) return []
  const fetched = topSites.reduce((sum, site) => sum + site.fetched, 0)
  return section('Sites', [
    {
      kind: 'table',
      id: 'sites',
      title: 'Sites with the most pages fetched',
      isWide: true,
      columns: columnsOf({
        site: null,
        fetched: 'count',
        waiting: 'count',
        failed: 'count',
        refused: 'count',
        kB: 'count',
        'mean ms': 'count',
      }),
      rows: topSites.map((site) => [
        shortened(site.site, siteMax),
        site.fetched,
        site.waiting,
        site.failed,
        site.refused,
        site.bytes / 1000,
        Math.round(site.meanMs),
      ]),
      caption: `${topSites.length < sitesVisited ? `The first ${topSites.length} of ${plural(sitesVisited, 'requested site')};  ` : ''}${percentOf(fetched / counts.pages)} of all pages fetched. Refused: by robots.txt, or over the limit of pages per site. Mean ms: mean duration of a download, in milliseconds.`,
    },
  ])
}

const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  429: 'Too Many Requests',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const errorNames: Readonly<Record<string, string>> = {
  robots: 'disallowed by robots.txt',
  'site-limit': 'over the limit of pages per site',
  'too-many-redirects': 'the eleventh redirect in a row',
  blocked: 'blocked by a wall before the site (docs/guide/identity.md)',
  'opted-out': 'its owner does not allow the use',
  tls: 'invalid certificate',
  'no-address': 'host without an address',
  'no-answer': 'no DNS response',
}

function answerName(answer: string): string {
  const status = /^(?:http-)?(\d{3})$/.exec(answer)?.[1]
  if (status === undefined) return errorNames[answer] ?? answer.replaceAll('-', ' ')
  return `${status} ${statusNames[Number(status)] ?? ''}`.trim()
}

export function answerSection({ answers, types, counts }: ReportedCrawl): Section[] {
  if (answers.length === 0) return []
  const retried = Object.entries(counts.errors).filter(([name]) => name.startsWith('retried-'))
  const kept = answers.filter(({ isError }) => !isError).reduce((sum, { pages }) => sum + pages, 0)
  const typed = types.reduce((sum, { pages }) => sum + pages, 0)
  const all = answers.reduce((sum, { pages }) => sum + pages, 0)
  const again = retried
    .map(([name, count]) => `${answerName(name.slice('retried-'.length))} ${grouped(count)}`)
    .join(', ')
  return section('Responses and errors', [
    {
      kind: 'table',
      id: 'outcomes',
      title: 'Outcomes of pages',
      columns: columnsOf({ outcome: null, pages: 'count', share: 'percent', meaning: null }),
      rows: answers.map(({ answer, isError, wasAsked, pages }): Cell[] => [
        answerName(answer),
        pages,
        (100 * pages) / all,
        !isError ? 'fetched' : wasAsked ? 'failed' : 'not requested',
      ]),
      caption: `${percentOf(kept / all)} of the pages with an outcome were fetched.${again === '' ? '' : ` Attempts that failed and were retried: ${again}.`}`,
    },
    ...errorExamples(answers),
    ...(types.length === 0
      ? []
      : [
          {
            kind: 'table',
            id: 'types',
            title: 'Content types',
            columns: columnsOf({
              type: null,
              pages: 'count',
              share: 'percent',
              kB: 'count',
              'kB per page': 'plain',
            }),
            rows: types.map(({ type, pages, bytes }): Cell[] => [
              type === '' ? 'none given' : type,
              pages,
              (100 * pages) / typed,
              bytes / 1000,
              Number((bytes / 1000 / pages).toPrecision(3)),
            ]),
            caption: 'As declared by the servers, for fetched pages.',
          } as const,
        ]),
  ])
}

export function orderSection(crawl: ReportedCrawl): Section {
  const { particulars, answers } = crawl
  const came = answers.reduce((sum, { isError, pages }) => sum + (isError ? 0 : pages), 0)
  const row = (name: string, count: number, about: string): Cell[] => [
    name,
    count,
    came === 0 ? null : (100 * count) / came,
    about,
  ]
  const { duplicateBodies, duplicateTexts, duplicateBytes } = particulars
  const copies = duplicateBodies + duplicateTexts
  return {
    title: 'Order and duplicates',
    about: `${orderText(crawl)} ${copies === 0 ? 'No page was a copy of another.' : `${plural(copies, 'page')} (${bytesText(duplicateBytes)}) ${agreeing(copies, 'was a copy', 'were copies')} of another.`}`,
    blocks: [
      {
        kind: 'table',
        id: 'particulars',
        title: 'Particulars',
        columns: columnsOf({ 'pages that': null, pages: 'count', share: 'percent', treatment: null }),
        rows: [
          row('have the same body as another', duplicateBodies, 'archived as a reference to it'),
          row('have the same text as another', duplicateTexts, 'kept; recorded as a duplicate'),
          row('are redirects', particulars.redirects, 'the target is their only link'),
          row('are empty', particulars.empty, 'kept; not among the sizes above'),
          row('were cut', particulars.truncated, 'too long, too slow or aborted by the server; truncated'),
          row('are marked noindex', particulars.noindex, 'kept; recorded as noindex'),
          row('were fetched at a later attempt', particulars.retried, 'retried after a pause'),
        ],
        caption: 'Shares are of the fetched pages.',
      },
    ],
  }
}

function orderText({ end, isRunning, counts }: ReportedCrawl): string {
  if (counts.pages === 0) return 'No page was fetched.'
  if (isRunning) return 'The order is evaluated at the end of the crawl.'
  if (end === undefined) return 'The crawl was interrupted before its order was evaluated.'
  if (end.outOfOrder === undefined)
    return 'For this frontier or strategy it is unknown whether each page was the best one waiting.'
  return orderSentence(end.outOfOrder)
}
