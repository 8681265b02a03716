/** Lists of pages, one page, and its links. */
import { stateOf, type PageState } from '../../../engine/page-totals.ts'
import { noSite } from '../../../engine/world.ts'
import { missedPages } from '../../../crawler/read/model/missed-pages.ts'
import { canonicalUrl } from '../../../web/url/canonical-url.ts'
import {
  pageSorts,
  type MissedPages,
  type PageDetail,
  type PageLinks,
  type PageRow,
  type Pages,
} from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { Query } from '../query.ts'
import type { CrawlTables } from './crawl-tables.ts'
import { momentOf, type MassPicture } from './mass-picture.ts'
import type { UrlTable } from './url-table.ts'

const pageStates: readonly PageState[] = [
  'fetched',
  'redirect',
  'waiting',
  'robots',
  'scope',
  'limit',
  'unreachable',
  'failed',
  'temporary',
]
/** Time for comparing URLs, in milliseconds; then the list is incomplete. */
const scanMsMax = 1500
const versionsShown = 50
/** The list of pages that were not fetched is kept sorted up to here. */
const missedOffsetMax = 10_000

export function pages(tables: CrawlTables, picture: MassPicture, query: Query): Pages {
  const { record } = tables
  const part = query.text('q')?.toLowerCase()
  const candidates = pagesOf(tables, query.oneOf('state', pageStates), query.text('site'))
  sortPages(candidates, query.oneOf('sort', pageSorts) ?? 'mass', tables, picture)
  const { offset } = query
  const limit = query.limit(50)
  const moment = momentOf(tables, picture)
  if (part === undefined) {
    const rows = candidates.slice(offset, offset + limit).map((page) => pageRow(tables, picture, page))
    return { rows, total: candidates.length, offset, ...moment, isComplete: true }
  }
  // URLs are on disk: they are compared in the order of the list until the time is over.
  const endMs = performance.now() + scanMsMax
  const rows: PageRow[] = []
  let total = 0
  for (const page of candidates) {
    if (performance.now() > endMs) return { rows, total, offset, ...moment, isComplete: false }
    if (!record.found(page).url.toLowerCase().includes(part)) continue
    if (total >= offset && rows.length < limit) rows.push(pageRow(tables, picture, page))
    total++
  }
  return { rows, total, offset, ...moment, isComplete: true }
}

/** The known pages in this state and of this site, in the order of their discovery. */
function pagesOf(
  { known, record, model, hosts }: CrawlTables,
  state: PageState | undefined,
  siteName: string | undefined,
): number[] {
  const host = siteName === undefined ? undefined : (hosts.find(siteName) ?? -1)
  const found: number[] = []
  for (let page = 0; page < Math.min(known.pages.known, record.known); page++) {
    if (page === known.outside || (state !== undefined && stateOf(known.pages, page) !== state)) continue
    if (host === undefined || model.hostOf(page) === host) found.push(page)
  }
  return found
}

function sortPages(
  list: number[],
  sort: (typeof pageSorts)[number],
  { orders, sizes }: CrawlTables,
  { mass }: MassPicture,
): void {
  if (sort === 'discovered') return
  const keys = { mass, fetched: orders.array, bytes: sizes.array }[sort]
  list.sort((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b)
}

function pageRow({ known, record }: CrawlTables, { mass }: MassPicture, page: number): PageRow {
  const { url, depth } = record.found(page)
  const outcome = record.outcome(page)
  return {
    page,
    url,
    state: stateOf(known.pages, page),
    title: outcome?.title,
    status: outcome === undefined || outcome.status === 0 ? undefined : outcome.status,
    error: outcome?.error,
    atMs: outcome?.startMs,
    bytes: outcome?.bytes,
    depth,
    mass: mass[page] ?? 0,
  }
}

/** The page named by `page` or `url`. */
export function pageOf({ record, known, folder }: CrawlTables, urls: UrlTable, query: Query): number {
  const number = query.whole('page')
  if (number !== undefined) {
    if (number < Math.min(record.known, known.pages.known) && number !== known.outside) return number
    throw new ApiFailure('not-found', 'The crawl has no such page.')
  }
  const url = canonicalUrl(query.required('url'), undefined, folder.file.options.canonicalRules)
  const page = url === undefined ? undefined : urls.find(url)
  if (page === undefined || page >= known.pages.known) {
    throw new ApiFailure('not-found', 'The crawl does not know this URL.')
  }
  return page
}

export function pageDetail(tables: CrawlTables, picture: MassPicture, page: number): PageDetail {
  const { record, known } = tables
  const found = record.found(page)
  const outcome = record.outcome(page)
  const link = (other: number | undefined): { page: number; url: string } | undefined =>
    other === undefined ? undefined : { page: other, url: record.found(other).url }
  const parent = found.parent === undefined ? undefined : record.outcome(found.parent)
  return {
    ...pageRow(tables, picture, page),
    asOfMs: tables.asOfMs,
    site: found.site === noSite ? '' : record.siteNames[found.site],
    foundOn: link(found.parent),
    foundMs: parent && parent.startMs + parent.durationMs,
    linksIn: sum(linksTo(tables, page).values()),
    linksOut: known.outDegree(page),
    score: outcome?.score,
    outcome: outcome && {
      durationMs: outcome.durationMs,
      contentType: outcome.contentType,
      location: outcome.location,
      failureText: outcome.failureText,
      attempts: outcome.attempts,
      truncated: outcome.truncated,
      noindex: outcome.noindex === true,
      nofollow: outcome.nofollow === true,
      order: outcome.order,
      relevance: outcome.relevance,
      duplicateOf: link(outcome.duplicateOf),
      nearDuplicateOf: link(outcome.nearDuplicateOf),
    },
    versions: first(versionsShown, record.versions(page)).map((each, version) => ({
      version,
      atMs: each.startMs,
      status: each.status,
      bytes: each.bytes,
      title: each.title,
      error: each.error,
      isArchived: each.warc !== undefined,
    })),
    looks: first(versionsShown, record.looks(page)).map(
      ({ startMs, verdict, status, error, conditional }) => ({
        atMs: startMs,
        verdict,
        status,
        error,
        isConditional: conditional === true,
      }),
    ),
  }
}

function first<Item>(count: number, items: Iterable<Item>): Item[] {
  const taken: Item[] = []
  for (const item of items) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}

/** The mass that each link of a fetched page carries, as in `explain`. */
function carriedBy({ known, folder }: CrawlTables, { mass }: MassPicture, page: number): number {
  const degree = known.outDegree(page)
  return degree === 0 ? 0 : (folder.file.options.damping * (mass[page] ?? 0)) / degree
}

export function pageLinks(tables: CrawlTables, picture: MassPicture, page: number, query: Query): PageLinks {
  const { known, record } = tables
  const direction = query.oneOf('direction', ['in', 'out']) ?? 'out'
  const counts = direction === 'out' ? linksFrom(tables, page) : linksTo(tables, page)
  const links = [...counts].map(([other, count]) => ({
    other,
    count,
    carries: count * carriedBy(tables, picture, direction === 'out' ? page : other),
  }))
  links.sort((a, b) => b.carries - a.carries || a.other - b.other)
  const { offset } = query
  const rows = links.slice(offset, offset + query.limit(50)).map(({ other, count, carries }) => ({
    page: other,
    url: record.found(other).url,
    state: stateOf(known.pages, other),
    carries,
    count,
  }))
  return { rows, total: links.length, offset, asOfMs: picture.asOfMs }
}

function sum(counts: Iterable<number>): number {
  let total = 0
  for (const count of counts) total += count
  return total
}

function linksFrom({ known }: CrawlTables, page: number): Map<number, number> {
  const counts = new Map<number, number>()
  if (!known.pages.isCrawled(page)) return counts
  known.links.seek(page)
  const { targets, start, end } = known.links
  for (let i = start; i < end; i++) {
    if (targets[i] !== known.outside) counts.set(targets[i], (counts.get(targets[i]) ?? 0) + 1)
  }
  return counts
}

function linksTo({ known }: CrawlTables, page: number): Map<number, number> {
  const counts = new Map<number, number>()
  eachLink(known, (from, to) => {
    if (to === page) counts.set(from, (counts.get(from) ?? 0) + 1)
  })
  return counts
}

function eachLink(known: CrawlTables['known'], met: (from: number, to: number) => void): void {
  const { pages, links } = known
  for (let from = 0; from < pages.known; from++) {
    if (!pages.isCrawled(from)) continue
    links.seek(from)
    const { targets, start, end } = links
    for (let i = start; i < end; i++) met(from, targets[i])
  }
}

export interface Giver {
  readonly page: number
  readonly url: string
}

/** For each of these pages, the pages whose links carry the most to it. */
export function givers(
  tables: CrawlTables,
  picture: MassPicture,
  wanted: readonly number[],
  limit: number,
): Giver[][] {
  const { record, known } = tables
  const lists = new Map(wanted.map((page) => [page, new Map<number, number>()]))
  eachLink(known, (from, to) => {
    const list = lists.get(to)
    if (list !== undefined) list.set(from, (list.get(from) ?? 0) + carriedBy(tables, picture, from))
  })
  return wanted.map((page) =>
    [...lists.get(page)!]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([from]) => ({ page: from, url: record.found(from).url })),
  )
}

/** The best pages that were not fetched. */
export function missed(tables: CrawlTables, picture: MassPicture, query: Query): MissedPages {
  const { known, record } = tables
  const only = query.oneOf('state', pageStates)
  const offset = Math.min(query.offset, missedOffsetMax)
  const limit = query.limit(50)
  const { best, total, causes } = missedPages(known, (page) => picture.mass[page] ?? 0, {
    limit: offset + limit,
    state: only,
  })
  const rows = best.slice(offset).map((page) => ({
    page,
    url: record.found(page).url,
    state: stateOf(known.pages, page),
    error: record.outcome(page)?.error,
    mass: picture.mass[page] ?? 0,
  }))
  const sorted = [...causes]
    .map(([state, cause]) => ({ state, ...cause }))
    .toSorted((a, b) => b.mass - a.mass)
  return { rows, total, offset, asOfMs: picture.asOfMs, causes: sorted }
}
