/** All parts, in the order of their names: that of their states in a snapshot. */
import * as lines from './index.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'
import type { RecordedPage } from '../options/recorded-page.ts'
import type { Explanation } from '../read/explanation-parts.ts'
import type { PartFiles } from '../read/verify/findings.ts'
import type { GroupBytes } from '../record/group.ts'
import type { HttpSettings } from '../../web/http/http-settings.ts'
import type { Proxies } from '../desk/proxies.ts'
import type { Value } from '../read/export/table.ts'
import type { ThreadModule } from '../world/messages.ts'
import type { ArchivedCrawl, Archiving } from './archiving.ts'
import type { Part, PartFile, ProxiedCrawl, WorkBeside } from './part.ts'
import type { DerivedFiles, EndedCrawl, ExplainedCrawl, PageColumns, PageUse, PartCheck } from './shown.ts'
import type { PartTable, RecordedUse } from './shown.ts'
import type { Shown, ShownCounts, ShownRow, TitledLines, VerifiedCrawl } from './shown.ts'

export const allParts: readonly Part[] = Object.values<Part>(lines).toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
)

/** Whether a crawl with these settings archives responses. */
export function isArchived(settings: CrawlSettings): boolean {
  return archiving?.isUsed(settings) === true
}

/** Whether a part lets a resumed crawl request a page again that an earlier session refused with this error. */
export function isReadmitted(settings: CrawlSettings, error: string): boolean {
  return allParts.some((part) => part.isReadmitted?.(settings, error) === true)
}

/** The readers of a fetch thread. */
export function threadReaders(settings: CrawlSettings): ThreadModule[] {
  return allParts.flatMap((part) => {
    const wanted = part.thread?.(settings)
    return part.reader === undefined || wanted === undefined
      ? []
      : [{ module: part.reader.href, settings: wanted }]
  })
}

/** The archive of each fetch thread. Undefined: the crawl archives nothing. */
export function threadArchives(crawl: ArchivedCrawl): ((thread: number) => ThreadModule) | undefined {
  if (archiving === undefined || !isArchived(crawl.settings)) return undefined
  const module = archiving.writer.href
  const settingsOf = archiving.threads(crawl)
  return (thread) => ({ module, settings: settingsOf(thread) })
}

/** The modules that fetch threads load for parts. */
export function threadModules(settings: CrawlSettings): string[] {
  const writer = isArchived(settings) ? [archiving!.writer.href] : []
  return [...threadReaders(settings).map(({ module }) => module), ...writer]
}

/** Whether a part needs bodies, headers and anchors of pages. */
export function needsBodies(settings: CrawlSettings): boolean {
  return allParts.some((part) => part.bodies?.(settings) === true)
}

/** Whether a part makes documents of pages. */
export function makesDocuments(settings: CrawlSettings): boolean {
  return allParts.some((part) => part.makesDocuments?.(settings) === true)
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

/** `settings`: only of parts that such a crawl uses. */
export function shownRows(counts: ShownCounts, settings?: CrawlSettings): ShownRow[] {
  const shown = allParts.filter((part) => settings === undefined || part.isUsed?.(settings) !== false)
  return given(shown.map(({ shows }) => shows?.row?.(counts)))
}

export function plannedWords(settings: CrawlSettings): string[] {
  return allParts.flatMap(({ shows }) => shows?.plan?.(settings) ?? [])
}

/** How requests are sent. */
export function requestWords(settings: CrawlSettings): string[] {
  return allParts.flatMap(({ shows }) => shows?.requests?.(settings) ?? [])
}

/** Whether a part prints items. */
export function printsItems(settings: CrawlSettings): boolean {
  return allParts.some(({ shows }) => shows?.printsItems?.(settings) === true)
}

/** What parts do with pages, for a dry run. */
export function plannedRows(settings: CrawlSettings): TitledLines[] {
  return given(allParts.map(({ shows }) => shows?.planRow?.(settings)))
}

/** What this machine has for parts, for a dry run. */
export function machineRows(settings: CrawlSettings): TitledLines[] {
  return given(allParts.map(({ shows }) => shows?.machine?.(settings)))
}

/** The files that parts have written. */
export function writtenFiles(totals: CrawlTotals): ShownRow[] {
  return given(allParts.map(({ shows }) => shows?.file?.(totals)))
}

/** Whether a crawl that has ended has work left for a part. */
export function hasMoreWork(ended: EndedCrawl): boolean {
  return allParts.some(({ shows }) => shows?.hasMore?.(ended) === true)
}

/** Fields of parts in the recorded pages of a group, by page. */
export function recordedFields(group: GroupBytes): ReadonlyMap<number, Partial<RecordedPage>> {
  const fields = new Map<number, Partial<RecordedPage>>()
  for (const { shows } of allParts)
    for (const [page, more] of shows?.recorded?.(group) ?? [])
      fields.set(page, { ...fields.get(page), ...more })
  return fields
}

/** Fields of parts in the explanation of a known page. */
export async function explainedFields(crawl: ExplainedCrawl, page: number): Promise<Partial<Explanation>> {
  const fields = await Promise.all(allParts.flatMap(({ shows }) => shows?.explain?.(crawl, page) ?? []))
  return Object.assign({}, ...fields) as Partial<Explanation>
}

export function explainedRows(explanation: Explanation): TitledLines[] {
  return given(allParts.map(({ shows }) => shows?.explained?.(explanation)))
}

/** Whether a part requests files of any host. */
export function asksElsewhere(settings: CrawlSettings): boolean {
  return allParts.some((part) => part.asksElsewhere?.(settings) === true)
}

/** Connections for pages: parts may keep some for their own requests. */
export function pageConnections(settings: CrawlSettings): number {
  return Math.min(
    settings.connections,
    ...allParts.map(({ shows }) => shows?.pageConnections?.(settings) ?? Infinity),
  )
}

/** Further columns of the table of pages, by part. */
export const pageColumnsOfParts: readonly PageColumns[] = allParts.flatMap(
  ({ shows }) => shows?.pageColumns ?? [],
)

/** The values of these columns, for the pages of a record. */
export async function partValues(crawl: ExplainedCrawl): Promise<RecordedUse<readonly Value[]>> {
  const each = await Promise.all(pageColumnsOfParts.map((columns) => columns.valuesOf(crawl)))
  return (url, outcome) => each.flatMap((valuesOf) => valuesOf(url, outcome))
}

/** Undefined if no part knows whether pages may be used. */
export const pageUse: PageUse | undefined = allParts.find(({ shows }) => shows?.use)?.shows?.use

/** The tables of parts, by name. */
export const partTables: ReadonlyMap<string, PartTable> = new Map(
  allParts.flatMap(({ shows }) => Object.entries(shows?.tables ?? {})),
)

/** The checks of what parts have written, with the name of the findings about it. */
export async function partChecks(
  crawl: VerifiedCrawl,
): Promise<(PartCheck & { readonly name: keyof PartFiles | undefined })[]> {
  const checks = allParts.map(async ({ shows }) => {
    const check = await shows?.verify?.(crawl)
    return check && { name: shows?.files?.name, ...check }
  })
  return given(await Promise.all(checks))
}

/** Files of parts that follow from the record and the archive. */
export const derivedFiles: readonly DerivedFiles[] = allParts.flatMap(({ shows }) => shows?.files ?? [])

/** Undefined if no part has one. */
export const pageSearch: Shown['search'] = allParts.find(({ shows }) => shows?.search)?.shows?.search

/** The work of parts beside a crawl whose folder stays. */
export function workBeside(path: string, settings: CrawlSettings): WorkBeside[] {
  return allParts.flatMap((part) => part.beside?.({ path, settings, isArchived: isArchived(settings) }) ?? [])
}

function given<Value>(values: readonly (Value | undefined)[]): Value[] {
  return values.filter((value) => value !== undefined)
}
