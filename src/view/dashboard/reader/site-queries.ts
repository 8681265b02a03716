/** The table of sites, and one site. */
import { stateOf } from '../../../engine/page-totals.ts'
import { robotsBytes } from '../../../crawler/desk/robots-cache.ts'
import { robotsOfStatus } from '../../../web/robots/robots-answer.ts'
import { parseRobots } from '../../../web/robots/robots-file.ts'
import { kindOf } from '../../../web/traps/page-kind.ts'
import type { RobotsRecord } from '../../../crawler/record/group.ts'
import {
  siteSorts,
  type PageKind,
  type RobotsState,
  type SiteDetail,
  type SiteRequest,
} from '../api/index.ts'
import type { SiteRequests, SiteRow, Sites, SiteSort } from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { Query } from '../query.ts'
import type { CrawlTables } from './crawl-tables.ts'
import { momentOf, type MassPicture } from './mass-picture.ts'

const requestsShown = 200
const kindsShown = 50
/** Pages of a site that are read for its kinds and answers. */
const pagesRead = 20_000
const robotsCharsShown = 65_536

export function sites(tables: CrawlTables, picture: MassPicture, query: Query): Sites {
  const { hosts } = tables
  const sort = query.oneOf('sort', siteSorts) ?? 'held'
  const isUp = query.oneOf('order', ['up', 'down']) ?? (sort === 'site' || sort === 'due' ? 'up' : 'down')
  const part = query.text('q')?.toLowerCase()
  const found = hosts.all().filter((host) => part === undefined || hosts.name(host).includes(part))
  const sign = isUp === 'up' ? 1 : -1
  if (sort === 'site') found.sort((a, b) => (hosts.name(a) < hosts.name(b) ? -sign : sign))
  else {
    const key = sortKey(tables, picture, sort)
    found.sort((a, b) => sign * (key(a) - key(b)) || a - b)
  }
  const { offset } = query
  const rows = found.slice(offset, offset + query.limit(50)).map((host) => siteRow(tables, picture, host))
  return { rows, total: found.length, offset, ...momentOf(tables, picture) }
}

function sortKey(
  { model, last, freeAt }: CrawlTables,
  { held, resting }: MassPicture,
  sort: Exclude<SiteSort, 'site'>,
): (host: number) => number {
  const { fetched, waiting, failed } = model.hostPages
  const arrays: Readonly<Record<Exclude<SiteSort, 'site'>, ArrayLike<number>>> = {
    pages: fetched,
    waiting,
    errors: failed,
    held,
    resting,
    bytes: model.sites.bytes.array,
    gap: last.gapMs.array,
    due: freeAt.array,
    last: last.startMs.array,
  }
  const array = arrays[sort]
  return (host) => array[host] ?? 0
}

function siteRow(tables: CrawlTables, { held, resting }: MassPicture, host: number): SiteRow {
  const { model, hosts, last, freeAt } = tables
  const counts = model.hostPages
  const name = hosts.name(host)
  const startMs = last.startMs.array[host] ?? 0
  const gapMs = last.gapMs.array[host] ?? 0
  const dueMs = 1000 * (freeAt.array[host] ?? 0)
  const waiting = counts.waiting[host]
  const isResting = dueMs > Date.now()
  return {
    site: name,
    pages: counts.fetched[host],
    waiting,
    redirects: counts.redirects[host],
    errors: counts.failed[host],
    robots: counts.robots[host],
    limits: counts.limits[host],
    bytes: model.sites.bytes.array[host] ?? 0,
    held: held[host] ?? 0,
    resting: resting[host] ?? 0,
    robotsTxt: robotsState(tables, robotsOf(tables, name)),
    gapSeconds: gapMs > 0 ? gapMs / 1000 : undefined,
    state: waiting === 0 ? 'idle' : isResting ? 'resting' : 'due',
    dueMs: waiting > 0 && isResting ? dueMs : undefined,
    last:
      startMs === 0
        ? undefined
        : { atMs: startMs, answer: last.answer(host), durationMs: last.durationMs.array[host] },
  }
}

function robotsOf({ record }: CrawlTables, name: string): RobotsRecord | undefined {
  return record.robots(`https://${name}`) ?? record.robots(`http://${name}`)
}

function robotsState({ folder }: CrawlTables, robots: RobotsRecord | undefined): RobotsState {
  if (!folder.file.options.robotsTxt) return 'ignored'
  if (robots === undefined) return 'unknown'
  const answer = robotsOfStatus(robots.status)
  if (answer !== 'parse') return answer === 'disallow-all' ? 'refused' : 'none'
  return /^\s*(?:dis)?allow\s*:\s*\S/im.test(robots.text) ? 'has-rules' : 'allows-all'
}

export function hostOf({ hosts }: CrawlTables, name: string): number {
  const host = hosts.find(name)
  if (host === undefined) throw new ApiFailure('not-found', 'The crawl knows no such site.')
  return host
}

export function siteDetail(tables: CrawlTables, picture: MassPicture, query: Query): SiteDetail {
  const name = query.required('site')
  const host = hostOf(tables, name)
  const { wait, waitFactor, userAgent } = tables.folder.file.options
  const robots = robotsOf(tables, name)
  const isParsed = robots !== undefined && robotsOfStatus(robots.status) === 'parse'
  const delay = isParsed ? parseRobots(robotsBytes(robots), userAgent).gapSeconds : 0
  return {
    ...siteRow(tables, picture, host),
    asOfMs: tables.asOfMs,
    politeness: { waitSeconds: wait, waitFactor, crawlDelaySeconds: delay > 0 ? delay : undefined },
    robotsText: robots?.text.slice(0, robotsCharsShown),
    ...pagesOf(tables, host),
    requests: requestsOf(tables, host, Infinity, requestsShown).requests,
  }
}

export function siteRequests(tables: CrawlTables, query: Query): SiteRequests {
  const host = hostOf(tables, query.required('site'))
  return requestsOf(tables, host, query.whole('beforeMs') ?? Infinity, query.limit(requestsShown, 1000))
}

function requestsOf(tables: CrawlTables, host: number, beforeMs: number, limit: number): SiteRequests {
  const { model, record } = tables
  const requests: SiteRequest[] = []
  let hasOlder = false
  for (const { page, startMs, durationMs } of tables.requests.newest()) {
    if (model.hostOf(page) !== host || startMs >= beforeMs) continue
    if (requests.length === limit) {
      hasOlder = true
      break
    }
    const { status = 0, error, bytes = 0 } = record.outcome(page) ?? {}
    requests.push({
      startMs,
      durationMs,
      answer: error ?? String(status),
      isError: error !== undefined,
      bytes,
      page,
      url: record.found(page).url,
    })
  }
  return { requests: requests.toReversed(), hasOlder }
}

/** From the pages of the site: kinds, answers and copies. */
function pagesOf(
  { known, record, model }: CrawlTables,
  host: number,
): Pick<SiteDetail, 'kinds' | 'hasMoreKinds' | 'answers' | 'duplicateShare' | 'nearDuplicateShare'> {
  const kinds = new Map<string, number>()
  const answers = new Map<string, number>()
  let fetched = 0
  let duplicates = 0
  let near = 0
  let read = 0
  for (let page = 0; page < known.pages.known && read < pagesRead; page++) {
    if (model.hostOf(page) !== host) continue
    read++
    count(kinds, kindOf(record.found(page).url))
    if (stateOf(known.pages, page) === 'waiting') continue
    const outcome = record.outcome(page)
    if (outcome === undefined) continue
    count(answers, outcome.error ?? String(outcome.status))
    if (outcome.error !== undefined || outcome.location !== undefined) continue
    fetched++
    if (outcome.duplicateOf !== undefined) duplicates++
    if (outcome.nearDuplicateOf !== undefined) near++
  }
  const shown: PageKind[] = largest(kinds, kindsShown).map(([kind, pages]) => ({ kind, pages }))
  return {
    kinds: shown,
    hasMoreKinds: kinds.size > shown.length || read === pagesRead,
    answers: largest(answers, kindsShown).map(([answer, pages]) => ({ answer, count: pages })),
    duplicateShare: fetched === 0 ? 0 : duplicates / fetched,
    nearDuplicateShare: fetched === 0 ? 0 : near / fetched,
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function largest(counts: ReadonlyMap<string, number>, limit: number): [string, number][] {
  return [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, limit)
}
