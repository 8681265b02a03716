/**
 * Exports a crawl to tables for other tools. Pages and links are read from the record in order and written
 * in row groups. Memory holds only the links (4 bytes each, and as much again for PageRank) and a few numbers
 * per page. Each file is written atomically.
 */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { defaultOutput } from '../../../lib/files/output-files.ts'
import { makeFolder } from '../../../lib/files/make-folder.ts'
import { pageRank } from '../../../webgraph/pagerank/pagerank.ts'
import { spamMass } from '../../../webgraph/spam-mass.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { type OptionChecks, anObject, callback, checkOptions, flag } from '../../../lib/option-checks.ts'
import { listOf, ofKind } from '../../../lib/option-checks.ts'
import { silent, type Progress } from '../../../lib/progress.ts'
import { anyText, oneOf } from '../../../lib/value-kinds.ts'
import { archiving, partTables, partValues } from '../../parts/all-parts.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { WholeCrawl } from '../whole-crawl.ts'
import { warcNaming } from '../../record/warc-name.ts'
import { usePurposes, type UsePurpose } from '../../../web/preferences/known-signals.ts'
import { certainMass } from '../../../engine/mass/mass-walk.ts'
import { graphOfCrawl } from './crawl-web.ts'
import { siteTemplatesOf, withContents } from './content-columns.ts'
import type { ContentName, ExportFormat, ExportTable, PlannedFile } from './destination.ts'
import { contentNames, exportFormats, exportTables, standardOutput } from './destination.ts'
import { ExportRecord } from './export-record.ts'
import { noPage, type CrawlPart, type ExportSource } from './export-source.ts'
import { linkBatches } from './link-rows.ts'
import { linksNotCounted, pageBatches } from './page-rows.ts'
import { writeParquet } from './parquet-file.ts'
import { checkArchive, columnsOf, columnsWith, hasContents } from './planned-export.ts'
import { plannedExport } from './planned-export.ts'
import { checkPurpose, exportedUse, withoutPages } from './exported-use.ts'
import { versionBatches } from './version-rows.ts'
import { filtered, rowFilter, type RowFilter } from './row-filter.ts'
import type { Batch } from './table.ts'
import { writeTextFile, writeTextStream } from './text-file.ts'
import type { SiteTemplates } from '../../../web/content/site-template.ts'

/** Rows per batch: pages have texts, links two numbers. */
const pageRows = 50_000
const linkRows = 200_000

export interface ExportOptions {
  /**
   * A folder, a file for a single format, or `-`: one table of text to `stream`. The folder `export` of the
   * crawl's unless given.
   */
  readonly to?: string | undefined
  /** Where `-` writes; standard output unless given. */
  readonly stream?: Writable | undefined
  /** By the ending of `to`, or Parquet, unless given. */
  readonly format?: ExportFormat | readonly ExportFormat[] | undefined
  /** This table alone. */
  readonly table?: ExportTable | undefined
  /**
   * Only the rows that fulfil this condition, such as `status=200 and depth<3` (row-filter.ts): of `table`, or of the pages.
   */
  readonly where?: string | undefined
  /** Contents of pages as further columns of pages and versions, from the archive. */
  readonly content?: readonly ContentName[] | undefined
  /**
   * Leave out pages whose owners do not allow this use; their number is in the result. That of the crawl unless given.
   */
  readonly purpose?: UsePurpose | undefined
  /** Do not leave them out, although the crawl has a purpose. */
  readonly includeOptedOut?: boolean | undefined
  /** Replace any existing files. */
  readonly overwrite?: boolean | undefined
  /** Do not escape texts in TSV and CSV tables (`lib/text-cell.ts`). */
  readonly rawCells?: boolean | undefined
  /** A piece of work begins; `end` is called when it is done. */
  readonly stage?: ((label: string) => ExportStage) | undefined
}

export interface ExportStage {
  readonly progress: Progress
  end(): void
}

const formatCheck = ofKind(oneOf(exportFormats))

export const exportChecks: OptionChecks<ExportOptions> = {
  to: ofKind(anyText('a path')),
  stream: anObject,
  format: (value) => (Array.isArray(value) ? listOf(formatCheck) : formatCheck)(value),
  table: ofKind(oneOf(exportTables)),
  where: ofKind(anyText('a condition')),
  content: listOf(ofKind(oneOf(contentNames))),
  purpose: ofKind(oneOf(usePurposes)),
  includeOptedOut: flag,
  overwrite: flag,
  rawCells: flag,
  stage: callback,
}

interface ExportedFile extends PlannedFile {
  readonly rows: number
  /** 0 for standard output. */
  readonly bytes: number
}

export interface ExportResult {
  readonly pages: number
  /** Pages fetched with content, and redirects. */
  readonly fetched: number
  readonly redirects: number
  readonly links: number
  /**
   * Number of links that are out of scope, too deep, or from copies to unknown pages: they are not part of
   * the graph of known pages.
   */
  readonly linksOutside: number
  /**
   * Of a crawl on a cluster: how many of these lead to pages of other shards that those shards do not know yet. 0 once the crawl
   * has finished.
   */
  readonly linksNotArrived?: number | undefined
  readonly damping: number
  /** The sum of `rank_mass`; undefined if no table of pages is written. */
  readonly rankMass: number | undefined
  /** With a purpose: known pages that were left out, and fetched pages about which nothing is said, which were not. */
  readonly use?:
    | { readonly purpose: UsePurpose; readonly leftOut: number; readonly unknown: number }
    | undefined
  readonly files: readonly ExportedFile[]
}

/** Writes the tables of the crawl in this folder, which may be running; of copies of all its shards, as those of one crawl. */
export async function exportCrawl(path: string, options: ExportOptions = {}): Promise<ExportResult> {
  checkOptions('exportCrawl', options, exportChecks)
  const whole = WholeCrawl.open(path)
  const { to = defaultOutput(path, 'export') } = options
  const { folder } = whole
  const settings = folder.file.options
  const planned = plannedExport({ ...options, to }, (table) =>
    table === 'versions'
      ? settings.recrawl !== undefined
      : partTables.get(table)?.isWanted(settings) === true,
  )
  checkPurpose(settings, options, planned)
  if ((options.content?.length ?? 0) > 0 || planned.some(({ format }) => format === 'wacz'))
    checkArchive(folder, planned)
  const exported = new ExportRecord(to, planned)
  exported.check(options.overwrite)
  const read = await whole.read()
  try {
    const source = await staged(options, 'Reading the record', () => read.source())
    return await new Exporter(folder, source, options).run(planned, exported)
  } finally {
    read.close()
  }
}

/** Throws if the tables of shards may not be written there, or the condition is wrong. Reads no crawl. */
export function checkShardsExport(options: ExportOptions & { readonly to: string }): void {
  new ExportRecord(options.to, plannedExport(options)).check(options.overwrite)
}

async function staged<Result>(
  options: ExportOptions,
  label: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const stage = options.stage?.(label) ?? { progress: silent, end() {} }
  try {
    return await work(stage.progress)
  } finally {
    stage.end()
  }
}

interface Scores {
  readonly rankMass: Float64Array
  readonly pageRank: Float64Array
  readonly spam: Float64Array
}

interface RowTable {
  readonly batches: Iterable<Batch>
  readonly head?: string
}

class Exporter {
  readonly #folder: CrawlFolder
  readonly #source: ExportSource
  readonly #options: ExportOptions
  /** Numbers of pages that are left out. */
  #leftOut: ReadonlySet<number> | undefined

  constructor(folder: CrawlFolder, source: ExportSource, options: ExportOptions) {
    this.#folder = folder
    this.#source = source
    this.#options = options
  }

  async run(planned: readonly PlannedFile[], exported: ExportRecord): Promise<ExportResult> {
    const { crawl, linksNotArrived } = this.#source
    const use = await exportedUse(this.#source, this.#folder.file.options, this.#options)
    this.#leftOut = use?.leftOut
    const scores = planned.some(({ table }) => table === 'pages') ? await this.#scores() : undefined
    const files: ExportedFile[] = []
    for (const file of planned) {
      const isStream = file.path === standardOutput
      if (!isStream) makeFolder(dirname(file.path))
      const rows = await this.#staged(`Writing ${file.path}`, (progress) =>
        this.#write(file, scores, progress),
      )
      await exported.add(file.path)
      const bytes = isStream ? 0 : (await stat(file.path)).size
      files.push({ ...file, rows, bytes })
    }
    return {
      pages: crawl.count,
      fetched: crawl.pages.fetchedCount,
      redirects: crawl.pages.redirectCount,
      links: crawl.linksInside,
      linksOutside: crawl.linksOutside + this.#linksNotCounted(),
      ...(linksNotArrived === undefined ? {} : { linksNotArrived }),
      damping: this.#folder.file.options.damping,
      rankMass: scores?.rankMass.reduce((sum, mass) => sum + mass, 0),
      ...(use === undefined
        ? {}
        : { use: { purpose: use.purpose, leftOut: use.leftOut.size, unknown: use.unknown } }),
      files,
    }
  }

  #staged<Result>(label: string, work: (progress: Progress) => Promise<Result>): Promise<Result> {
    return staged(this.#options, label, work)
  }

  #linksNotCounted(): number {
    const { crawl, parts } = this.#source
    let count = 0
    for (const { record, pageOf } of parts) {
      for (const [recorded, outcome] of record.outcomes()) {
        const page = pageOf(recorded)
        if (page !== noPage && crawl.pages.isCrawled(page)) count += linksNotCounted(crawl, outcome)
      }
    }
    return count
  }

  async #scores(): Promise<Scores> {
    const { crawl, trust: seeds } = this.#source
    const { damping, weights } = seeds
    const rankMass = certainMass(crawl.pages, crawl.links, { damping, weights })
    const { graph } = graphOfCrawl(crawl)
    const { scores } = await this.#staged('PageRank', (progress) => pageRank(graph, { damping, progress }))
    // The seeds are the first pages; the page for the outside was found later.
    const trust = new Float64Array(crawl.count)
    // A crawl that was killed before its first group has fewer pages than seeds.
    trust.set(weights.subarray(0, crawl.count))
    // The journals of the seeds' shards may have been copied before their first group.
    if (crawl.count > 0 && !trust.some((weight) => weight > 0))
      return { rankMass, pageRank: scores, spam: new Float64Array(crawl.count).fill(1) }
    const { relative } = await this.#staged('Spam mass', (progress) =>
      spamMass(graph, { trust, damping, pageRank: scores, progress }),
    )
    return { rankMass, pageRank: scores, spam: relative }
  }

  async #write(
    { format, table, path }: PlannedFile,
    scores: Scores | undefined,
    progress: Progress,
  ): Promise<number> {
    if (format === 'wacz') {
      const hasText = this.#options.content?.includes('text') === true
      const records = this.#source.parts.map(({ record }) => record)
      const archived = { folder: this.#folder, records, hasText }
      if (archiving !== undefined) return archiving.exportTo(path, archived)
      throw new RankwardError(
        'NO_ARCHIVE',
        'Rankward was built without the archive, which writes WACZ files.',
      )
    }
    const { batches: all, head } = await this.#table(table, scores, progress)
    const { stream = process.stdout, rawCells, where } = this.#options
    const columns = columnsWith(table, this.#options)
    const filter = where === undefined ? undefined : rowFilter(where, columns)
    const templates = await this.#templates(table, scores)
    const batches = this.#chosen(all, table, filter, templates)
    let rows = 0
    const counted = function* (): Generator<Batch> {
      for (const batch of batches) {
        rows += batch[0].length
        yield batch
      }
    }
    if (format === 'parquet') await writeParquet(path, columns, counted())
    else {
      const text = {
        columns,
        head,
        batches: counted(),
        rawCells,
        format: format === 'edges' ? 'tsv' : format,
      }
      await (path === standardOutput ? writeTextStream(stream, text) : writeTextFile(path, text))
    }
    return rows
  }

  /** The rows that fulfil the condition, with their contents. These are read before it only if it needs them. */
  #chosen(
    all: Iterable<Batch>,
    table: ExportTable,
    filter: RowFilter | undefined,
    templates: SiteTemplates | undefined,
  ): Iterable<Batch> {
    const { content = [] } = this.#options
    const recorded = columnsOf(table)
    const isEarly = filter !== undefined && filter.columns <= recorded.length
    const used = this.#leftOut === undefined ? all : withoutPages(all, recorded, this.#leftOut)
    const rows = isEarly ? filtered(used, filter) : used
    const whole =
      content.length > 0 && hasContents(table)
        ? withContents(rows, { folder: this.#folder, names: content, columns: recorded, templates })
        : rows
    return filter === undefined || isEarly ? whole : filtered(whole, filter)
  }

  /** What the pages of each site share, from all rows of the table, whichever are chosen. */
  async #templates(table: ExportTable, scores: Scores | undefined): Promise<SiteTemplates | undefined> {
    const { content: names = [] } = this.#options
    if (!hasContents(table) || names.length === 0) return undefined
    const { batches } = await this.#table(table, scores, silent)
    return siteTemplatesOf(batches, { folder: this.#folder, names, columns: columnsOf(table) })
  }

  async #table(table: ExportTable, scores: Scores | undefined, progress: Progress): Promise<RowTable> {
    const { crawl, parts } = this.#source
    const naming = warcNaming(this.#folder.file.options)
    const options = { crawl, naming, batchRows: pageRows, progress }
    if (table === 'pages') {
      const { options: settings } = this.#folder.file
      const values = await Promise.all(parts.map(({ record }) => partValues({ record, settings })))
      const pagesOf = (part: CrawlPart, i: number): Iterable<Batch> =>
        pageBatches({ ...options, ...scores!, part, valuesOf: values[i] })
      return { batches: this.#ofParts(pagesOf) }
    }
    if (table === 'versions')
      return { batches: this.#ofParts((part) => versionBatches({ ...options, part })) }
    const ofPart = partTables.get(table)
    if (ofPart !== undefined) {
      const each = await Promise.all(parts.map((part) => ofPart.batches(part, naming, pageRows)))
      return { batches: each.flat() }
    }
    if (table === 'urls') return { batches: this.#urls(progress), head: '' }
    const links = { batches: linkBatches(crawl, linkRows, progress) }
    if (table === 'links') return links
    const head = `# Nodes: ${crawl.count} Edges: ${crawl.linksInside}\n# FromNodeId\tToNodeId\n`
    return { ...links, head }
  }

  *#ofParts(batches: (part: CrawlPart, index: number) => Iterable<Batch>): Generator<Batch> {
    for (const [i, part] of this.#source.parts.entries()) yield* batches(part, i)
  }

  *#urls(progress: Progress): Generator<Batch> {
    const { crawl, parts } = this.#source
    let done = 0
    for (const { record, pageOf } of parts) {
      for (let page = 0; page < record.known; page++) {
        if (pageOf(page) === noPage) continue
        progress(++done, crawl.count)
        yield [[record.found(page).url]]
      }
    }
  }
}
