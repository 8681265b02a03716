/** Importance by site and directory, and the links between sites. */
import { noSite } from '../../../engine/world.ts'
import { mapLimitMax, type ImportanceMap, type MapPart, type SiteGraph } from '../api/index.ts'
import type { Query } from '../query.ts'
import type { CrawlTables } from './crawl-tables.ts'
import type { MassPicture } from './mass-picture.ts'
import { siteNumber } from './site-queries.ts'

/** Pages of a site that are sorted into directories. */
const pagesRead = 200_000
const linksMax = 2000

interface Part {
  isFolder: boolean
  pages: number
  waiting: number
  held: number
  resting: number
}

const emptyPart = (isFolder: boolean): Part => ({ isFolder, pages: 0, waiting: 0, held: 0, resting: 0 })

export function importanceMap(tables: CrawlTables, picture: MassPicture, query: Query): ImportanceMap {
  const limit = query.limit(100, mapLimitMax)
  const sites = siteParts(tables, picture)
  const isOneSite = sites.size === 1
  const site = query.text('site') ?? (isOneSite ? [...sites.keys()][0] : undefined)
  if (site === undefined) return { asOfMs: picture.asOfMs, isOneSite, ...largestParts(sites, limit) }
  const number = siteNumber(tables, site)
  let path = folderOf(query.text('path') ?? '/')
  let parts = folderParts(tables, picture, number, path)
  for (let [only, ...others] = parts; others.length === 0 && only?.[1].isFolder; [only, ...others] = parts) {
    path = only[0]
    parts = folderParts(tables, picture, number, path)
  }
  return { asOfMs: picture.asOfMs, isOneSite, site, path, ...largestParts(parts, limit) }
}

function siteParts({ record, siteCounts }: CrawlTables, { held, resting }: MassPicture): Map<string, Part> {
  return new Map(
    record.siteNames.map((name, site) => [
      name,
      {
        isFolder: true,
        pages: siteCounts.pages[site],
        waiting: siteCounts.waiting[site],
        held: held[site] ?? 0,
        resting: resting[site] ?? 0,
      },
    ]),
  )
}

/** With a slash at both ends. */
function folderOf(path: string): string {
  const start = path.startsWith('/') ? path : `/${path}`
  return start.endsWith('/') ? start : `${start}/`
}

function folderParts(
  tables: CrawlTables,
  { mass }: MassPicture,
  site: number,
  folder: string,
): Map<string, Part> {
  const { known, record } = tables
  const parts = new Map<string, Part>()
  let read = 0
  for (let page = 0; page < known.pages.known && read < pagesRead; page++) {
    if (known.pages.siteOf(page) !== site) continue
    read++
    const { url } = record.found(page)
    const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
    if (!path.startsWith(folder)) continue
    const { name, isFolder } = childOf(path, folder)
    const part = parts.get(name) ?? emptyPart(isFolder)
    parts.set(name, part)
    const pageMass = mass[page] ?? 0
    if (known.pages.isCrawled(page)) {
      part.pages++
      part.held += pageMass
    } else {
      if (known.pages.isWaiting(page)) part.waiting++
      part.resting += pageMass
    }
  }
  return parts
}

/** The directory below `folder` that a path is in, or the path itself. */
function childOf(path: string, folder: string): { name: string; isFolder: boolean } {
  const query = path.indexOf('?')
  const slash = path.indexOf('/', folder.length)
  const isFolder = slash >= 0 && (query < 0 || slash < query)
  return { name: isFolder ? path.slice(0, slash + 1) : path, isFolder }
}

function largestParts(
  parts: ReadonlyMap<string, Part>,
  limit: number,
): Pick<ImportanceMap, 'parts' | 'held' | 'resting'> {
  const sorted = [...parts].toSorted(([, a], [, b]) => b.held + b.resting - a.held - a.resting)
  const shown: MapPart[] = sorted.slice(0, limit).map(([name, part]) => ({ name, ...part }))
  const rest = emptyPart(false)
  const all = emptyPart(false)
  for (const [i, [, part]] of sorted.entries()) {
    add(all, part)
    if (i >= limit) add(rest, part)
  }
  if (sorted.length > limit) shown.push(rest)
  return { parts: shown, held: all.held, resting: all.resting }
}

function add(sum: Part, part: Part): void {
  sum.pages += part.pages
  sum.waiting += part.waiting
  sum.held += part.held
  sum.resting += part.resting
}

/** Links between the sites with the most mass. */
export function siteGraph(tables: CrawlTables, picture: MassPicture, query: Query): SiteGraph {
  const { known, record, siteCounts, folder } = tables
  const { pages, links } = known
  const worth = (site: number): number => (picture.held[site] ?? 0) + (picture.resting[site] ?? 0)
  const top = Array.from(record.siteNames, (_, site) => site)
    .toSorted((a, b) => worth(b) - worth(a))
    .slice(0, query.limit(100, mapLimitMax))
  const places = new Map(top.map((site, place) => [site, place]))
  const sums = new Map<number, { count: number; carries: number }>()
  for (let page = 0; page < pages.known; page++) {
    const from = pages.isCrawled(page) ? places.get(pages.siteOf(page)) : undefined
    if (from === undefined) continue
    links.seek(page)
    const { targets, start, end } = links
    const carries = (folder.file.options.damping * (picture.mass[page] ?? 0)) / Math.max(1, end - start)
    for (let i = start; i < end; i++) {
      const site = pages.siteOf(targets[i])
      const to = site === noSite ? undefined : places.get(site)
      if (to === undefined || to === from) continue
      const key = from * top.length + to
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, { count: 1, carries })
      else {
        sum.count++
        sum.carries += carries
      }
    }
  }
  return {
    asOfMs: picture.asOfMs,
    sites: top.map((site) => ({
      site: record.siteNames[site],
      pages: siteCounts.pages[site],
      held: picture.held[site] ?? 0,
      resting: picture.resting[site] ?? 0,
    })),
    links: [...sums]
      .map(([key, sum]) => ({ from: Math.floor(key / top.length), to: key % top.length, ...sum }))
      .toSorted((a, b) => b.carries - a.carries)
      .slice(0, linksMax),
  }
}
