/**
 * A recorded site: every page that it ever had, when the page appeared, changed and disappeared, and its links over time.
 * All of it is in shared memory. Times are days since the first version.
 *
 * A page that was deleted and came back is two pages with one *path*. Links lead to paths, so that a link means the page
 * that the path has at the time.
 */
import { RankwardError } from '../lib/errors.ts'
import { sharedFloat64, sharedUint32, sharedUint8 } from '../lib/shared-memory.ts'
import { CsrGraph } from './csr-graph.ts'
import { sitesFromNumbers } from './sites.ts'
import { pageOfId, webOf, type Web } from './web.ts'

/** Replaces a page where there is none. */
export const noPage = 0xffff_ffff

export interface RecordedSite {
  readonly paths: number
  /** Pages 0 to `paths` - 1 are the first pages of their paths; later ones are pages that came back. */
  readonly pages: number
  readonly pathOf: Uint32Array
  /** The next page of the same path, or `noPage`. */
  readonly nextOfPath: Uint32Array
  /** Infinity for a path without a version. */
  readonly born: Float64Array
  /** Infinity for a page that is never deleted. */
  readonly gone: Float64Array
  /** The changes of page p are `changes[changeOffsets[p]] … changes[changeOffsets[p + 1] - 1]`, ascending. */
  readonly changeOffsets: Uint32Array
  readonly changes: Float64Array
  /** Undefined if no links are recorded. */
  readonly links: RecordedLinks | undefined
  /** From the first version to the last. */
  readonly days: number
  /** Reports of sitemaps and feeds that a path is new or has changed, by time. */
  readonly signals: RecordedSignals
}

export interface RecordedLinks {
  /** The link lists of path p, by time: `lists[listOffsets[p]] … lists[listOffsets[p + 1] - 1]`. */
  readonly listOffsets: Uint32Array
  readonly lists: Uint32Array
  /** For each list, the time from which it holds, and its end in `targets`; its start is the end of the list before. */
  readonly times: Float64Array
  readonly ends: Uint32Array
  /** Paths, ascending within a list. */
  readonly targets: Uint32Array
  /** 1 for a path to which some list links. */
  readonly isLinked: Uint8Array
}

export interface RecordedSignals {
  readonly times: Float64Array
  readonly paths: Uint32Array
}

/** The page that a path has on this day, or `noPage`. */
export function livePage(site: RecordedSite, path: number, day: number): number {
  for (let page = path; page !== noPage; page = site.nextOfPath[page])
    if (site.born[page] <= day && day < site.gone[page]) return page
  return noPage
}

/** The list that holds for a path on this day, or -1. */
export function linkListAt({ listOffsets, lists, times }: RecordedLinks, path: number, day: number): number {
  let low = listOffsets[path]
  let high = listOffsets[path + 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[lists[middle]] <= day) low = middle + 1
    else high = middle
  }
  return low === listOffsets[path] ? -1 : lists[low - 1]
}

/** The number of changes of a page, its deletion included, over the days that it exists. */
export function countedChangeRate(site: RecordedSite, page: number): number {
  const life = Math.min(site.gone[page], site.days) - site.born[page]
  const changes = site.changeOffsets[page + 1] - site.changeOffsets[page]
  return life > 0 ? (changes + (site.gone[page] <= site.days ? 1 : 0)) / life : 0
}

/** The web of all pages that were ever alive: the last links of each page, to the pages that their paths had at the time. */
function graphOfRecorded(site: RecordedSite): CsrGraph {
  const { pages, pathOf, links } = site
  const offsets = sharedUint32(pages + 1)
  if (links === undefined) return new CsrGraph(offsets, sharedUint32(0))
  const found: number[] = []
  for (let page = 0; page < pages; page++) {
    const last = Math.min(site.gone[page], site.days)
    const list = linkListBefore(links, pathOf[page], last, site.gone[page] <= site.days)
    if (list >= 0) {
      const linked = new Set<number>()
      for (let i = list === 0 ? 0 : links.ends[list - 1]; i < links.ends[list]; i++) {
        const target = latestPage(site, links.targets[i], last)
        if (target !== noPage && target !== page) linked.add(target)
      }
      for (const target of [...linked].sort((a, b) => a - b)) found.push(target)
    }
    offsets[page + 1] = found.length
  }
  const targets = sharedUint32(found.length)
  targets.set(found)
  return new CsrGraph(offsets, targets)
}

/** The last list of a path up to this day; `isOpen`: before it. */
function linkListBefore(links: RecordedLinks, path: number, day: number, isOpen: boolean): number {
  const list = linkListAt(links, path, day)
  if (!isOpen || list < 0 || links.times[list] < day) return list
  return linkListAt(links, path, day - 1e-9)
}

/** The last page of a path that was born by this day, or else its first page; `noPage` for a path without a version. */
function latestPage(site: RecordedSite, path: number, day: number): number {
  if (site.born[path] === Infinity) return noPage
  let found = path
  for (let page = path; page !== noPage; page = site.nextOfPath[page])
    if (site.born[page] <= day) found = page
  return found
}

/** A recorded site as a stored web: one page for each page that was ever alive. */
export function webOfRecorded(site: RecordedSite, sites?: ArrayLike<number>): Web {
  const numbers = Float64Array.from({ length: site.pages }, (_, page) => sites?.[site.pathOf[page]] ?? 0)
  return webOf({ graph: graphOfRecorded(site), givenSites: sitesFromNumbers(numbers) })
}

/** The same site with the links of a stored web, which do not change. The ids of its pages are paths. */
export function withLinksOf(site: RecordedSite, web: Web): RecordedSite {
  const { graph, ids } = web
  const pathOf = (page: number): number => (ids === undefined ? page : ids[page])
  for (let page = 0; page < graph.pages; page++)
    if (pathOf(page) >= site.paths)
      throw new RankwardError(
        'USAGE',
        `The graph has a page ${pathOf(page)}, but the recorded changes are of pages 0 to ${site.paths - 1}.`,
      )
  const listOffsets = sharedUint32(site.paths + 1)
  const lists = sharedUint32(site.paths)
  const ends = sharedUint32(site.paths)
  const targets = sharedUint32(graph.links)
  const isLinked = sharedUint8(site.paths)
  const cursor = graph.cursor()
  let filled = 0
  for (let path = 0; path < site.paths; path++) {
    const page = pageOfId(web, path)
    if (page !== undefined) {
      cursor.seek(page)
      for (let i = cursor.start; i < cursor.end; i++) {
        const target = pathOf(cursor.targets[i])
        targets[filled++] = target
        isLinked[target] = 1
      }
    }
    lists[path] = path
    listOffsets[path + 1] = path + 1
    ends[path] = filled
  }
  const times = sharedFloat64(site.paths).fill(-Infinity)
  return { ...site, links: { listOffsets, lists, times, ends, targets, isLinked } }
}
