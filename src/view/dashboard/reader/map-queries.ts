/** Importance by site and directory, and the links between sites. */
import { partOfPath, pathOf } from '../../../crawler/read/model/paths.ts'
import { mapLimitMax, type ImportanceMap, type MapPart, type SiteGraph } from '../api/index.ts'
import type { Query } from '../query.ts'
import type { CrawlTables } from './crawl-tables.ts'
import type { MassPicture } from './mass-picture.ts'
import { hostOf } from './site-queries.ts'

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
  const host = hostOf(tables, site)
  let path = folderOf(query.text('path') ?? '/')
  let parts = folderParts(tables, picture, host, path)
  for (let [only, ...others] = parts; others.length === 0 && only?.[1].isFolder; [only, ...others] = parts) {
    path = only[0]
    parts = folderParts(tables, picture, host, path)
  }
  return { asOfMs: picture.asOfMs, isOneSite, site, path, ...largestParts(parts, limit) }
}

function siteParts({ model, hosts }: CrawlTables, { held, resting }: MassPicture): Map<string, Part> {
  const { fetched, waiting } = model.hostPages
  return new Map(
    hosts.all().map((host) => [
      hosts.name(host),
      {
        isFolder: true,
        pages: fetched[host],
        waiting: waiting[host],
        held: held[host] ?? 0,
        resting: resting[host] ?? 0,
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
  host: number,
  folder: string,
): Map<string, Part> {
  const { known, record, model } = tables
  const parts = new Map<string, Part>()
  let read = 0
  for (let page = 0; page < known.pages.known && read < pagesRead; page++) {
    if (model.hostOf(page) !== host) continue
    read++
    const path = pathOf(record.found(page).url)
    if (!path.startsWith(folder)) continue
    const { name, isFolder } = partOfPath(path, folder)
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
  const { known, hosts, model, folder } = tables
  const { pages, links } = known
  const worth = (host: number): number => (picture.held[host] ?? 0) + (picture.resting[host] ?? 0)
  const top = hosts
    .all()
    .toSorted((a, b) => worth(b) - worth(a))
    .slice(0, query.limit(100, mapLimitMax))
  const places = new Map(top.map((host, place) => [host, place]))
  const sums = new Map<number, { count: number; carries: number }>()
  for (let page = 0; page < pages.known; page++) {
    const from = pages.isCrawled(page) ? places.get(model.hostOf(page)) : undefined
    if (from === undefined) continue
    links.seek(page)
    const { targets, start, end } = links
    const carries = (folder.file.options.damping * (picture.mass[page] ?? 0)) / Math.max(1, end - start)
    for (let i = start; i < end; i++) {
      const to = places.get(model.hostOf(targets[i]))
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
    sites: top.map((host) => ({
      site: hosts.name(host),
      pages: model.hostPages.fetched[host],
      held: picture.held[host] ?? 0,
      resting: picture.resting[host] ?? 0,
    })),
    links: [...sums]
      .map(([key, sum]) => ({ from: Math.floor(key / top.length), to: key % top.length, ...sum }))
      .toSorted((a, b) => b.carries - a.carries)
      .slice(0, linksMax),
  }
}
