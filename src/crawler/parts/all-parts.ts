/** All parts, in the order of their names: that of their states in a snapshot. */
import * as lines from './index.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'
import type { HttpSettings } from '../../web/http/http-settings.ts'
import type { Proxies } from '../desk/proxies.ts'
import type { Archiving } from './archiving.ts'
import type { DerivedFiles, Part, PartFile, PartTable, ProxiedCrawl } from './part.ts'
import type { Shown, ShownCounts, ShownRow, WorkBeside } from './part.ts'

export const allParts: readonly Part[] = Object.values<Part>(lines).toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
)

/** The settings of all readers in a fetch thread, by part. */
export function threadParts(settings: CrawlSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    allParts.flatMap((part) => {
      const wanted = part.thread?.(settings)
      return wanted === undefined ? [] : [[part.name, wanted]]
    }),
  )
}

/** Secrets of the user's files, by part. */
export function partSecrets(
  settings: CrawlSettings,
  isGiven: (option: string) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    allParts.flatMap((part) =>
      part.secrets === undefined ? [] : [[part.name, part.secrets(settings, isGiven)]],
    ),
  )
}

/** Settings of parts for the HTTP client. */
export function clientSettings(
  settings: CrawlSettings,
  secrets: Readonly<Record<string, unknown>> = {},
): Partial<HttpSettings> {
  return Object.assign({}, ...allParts.map((part) => part.client?.(settings, secrets[part.name])))
}

/** Undefined if the crawl uses none. */
export function proxiesOf(
  crawl: Omit<ProxiedCrawl, 'secrets'>,
  secrets: Readonly<Record<string, unknown>> = {},
): Proxies | undefined {
  for (const part of allParts) {
    const proxies = part.proxies?.({ ...crawl, secrets: secrets[part.name] })
    if (proxies !== undefined) return proxies
  }
  return undefined
}

/** Undefined if no part archives responses. */
export const archiving: Archiving | undefined = allParts.find(({ archive }) => archive !== undefined)?.archive

/** Files of parts in the crawl's folder. */
export const partFiles: readonly PartFile[] = allParts.flatMap(({ files }) => files ?? [])

export function shownRows(counts: ShownCounts): ShownRow[] {
  return allParts.flatMap(({ shows }) => {
    const row = shows?.row?.(counts)
    return row === undefined ? [] : [row]
  })
}

export function plannedWords(settings: CrawlSettings): string[] {
  return allParts.flatMap(({ shows }) => shows?.plan?.(settings) ?? [])
}

/** Whether a crawl that has ended has work left for a part. */
export function hasMoreWork(totals: CrawlTotals | undefined, settings: CrawlSettings): boolean {
  return totals !== undefined && allParts.some(({ shows }) => shows?.hasMore?.(totals, settings) === true)
}

/** Connections for pages: parts may keep some for their own requests. */
export function pageConnections(settings: CrawlSettings): number {
  return Math.min(
    settings.connections,
    ...allParts.map(({ shows }) => shows?.pageConnections?.(settings) ?? Infinity),
  )
}

/** The tables of parts, by name. */
export const partTables: ReadonlyMap<string, PartTable> = new Map(
  allParts.flatMap(({ shows }) => Object.entries(shows?.tables ?? {})),
)

/** Files of parts that follow from the record and the archive. */
export const derivedFiles: readonly DerivedFiles[] = allParts.flatMap(({ shows }) => shows?.files ?? [])

/** Undefined if no part has one. */
export const pageSearch: Shown['search'] = allParts.find(({ shows }) => shows?.search)?.shows?.search

/** The work of parts beside a crawl whose folder stays. */
export function workBeside(path: string, settings: CrawlSettings): WorkBeside[] {
  return allParts.flatMap((part) => part.beside?.(path, settings) ?? [])
}
