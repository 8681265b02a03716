/**
 * Writes what a crawl has come to into tables that other tools read. Pages and links are read from the journal in their
 * order and written in row groups, so that beside the links (4 bytes each, and as much again for PageRank) and a few
 * numbers a page nothing grows with the crawl. Each file appears whole or not at all.
 */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../graph/formats/make-folder.ts'
import { pageRank } from '../../graph/pagerank.ts'
import { spamMass } from '../../graph/spam-mass.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { outsideUrl } from '../../worlds/real/page-table.ts'
import { CrawlFolder } from '../crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { certainMass, trustOf } from './certain-mass.ts'
import { graphOfCrawl } from './crawl-web.ts'
import { plannedFiles, type ExportFormat, type PlannedFile } from './destination.ts'
import { knownCrawl, type KnownCrawl } from './known-crawl.ts'
import { linkBatches, linkColumns } from './link-rows.ts'
import { pageBatches, pageColumns } from './page-rows.ts'
import { writeParquet } from './parquet-file.ts'
import type { Batch, Column } from './table.ts'
import { writeLines, writeTsv } from './tsv-file.ts'

/** Rows of a batch: pages have texts, links two numbers. */
const pageRows = 50_000
const linkRows = 200_000

export interface ExportOptions {
  /** The crawl's folder. */
  readonly folder: string
  /** A folder, or a file for a single format. */
  readonly to: string
  /** Empty: what the ending of `to` says, or Parquet. */
  readonly formats: readonly ExportFormat[]
  /** A piece of work begins; `end` is called when it is done. */
  readonly stage?: (label: string) => { readonly progress: Progress; end(): void }
}

export interface ExportedFile extends PlannedFile {
  readonly rows: number
  readonly bytes: number
}

export interface ExportResult {
  readonly pages: number
  readonly fetched: number
  readonly links: number
  /** Links out of scope, or too deep, or from copies to pages that are not known: they have no place in a graph of known pages. */
  readonly linksOutside: number
  readonly damping: number
  /** The sum of `rank_mass`; undefined where no table of pages was asked for. */
  readonly rankMass: number | undefined
  readonly files: readonly ExportedFile[]
}

type Stage = NonNullable<ExportOptions['stage']>

export async function exportCrawl(options: ExportOptions): Promise<ExportResult> {
  const folder = CrawlFolder.open(options.folder)
  const planned = plannedFiles(options.to, options.formats)
  const record = await folder.readRecord()
  try {
    return await new Exporter(folder, record, options.stage ?? (() => ({ progress: silent, end() {} }))).run(
      planned,
    )
  } finally {
    record.close()
  }
}

interface Scores {
  readonly rankMass: Float64Array
  readonly pageRank: Float64Array
  readonly spam: Float64Array
}

class Exporter {
  readonly #folder: CrawlFolder
  readonly #record: CrawlRecord
  readonly #stage: Stage

  constructor(folder: CrawlFolder, record: CrawlRecord, stage: Stage) {
    this.#folder = folder
    this.#record = record
    this.#stage = stage
  }

  async run(planned: readonly PlannedFile[]): Promise<ExportResult> {
    const crawl = await this.#staged('Reading the journal', () => knownCrawl(this.#record))
    const scores = planned.some(({ table }) => table === 'pages') ? await this.#scores(crawl) : undefined
    const files: ExportedFile[] = []
    for (const file of planned) {
      makeFolder(dirname(file.path))
      await this.#staged(`Writing ${file.path}`, (progress) => this.#write(file, crawl, scores, progress))
      const isOfLinks = file.table === 'links' || file.table === 'edges'
      const { size: bytes } = await stat(file.path)
      files.push({ ...file, rows: isOfLinks ? crawl.linksInside : crawl.count, bytes })
    }
    return {
      pages: crawl.count,
      fetched: crawl.fetched,
      links: crawl.linksInside,
      linksOutside: crawl.linksOutside,
      damping: this.#folder.file.options.damping,
      rankMass: scores?.rankMass.reduce((sum, mass) => sum + mass, 0),
      files,
    }
  }

  async #staged<Result>(label: string, work: (progress: Progress) => Promise<Result>): Promise<Result> {
    const stage = this.#stage(label)
    try {
      return await work(stage.progress)
    } finally {
      stage.end()
    }
  }

  async #scores(crawl: KnownCrawl): Promise<Scores> {
    const { damping, weights } = trustOf(this.#folder)
    const rankMass = certainMass(crawl.pages, crawl.links, { damping, weights })
    const { graph } = graphOfCrawl(crawl)
    const { scores } = await this.#staged('PageRank', (progress) => pageRank(graph, { damping, progress }))
    // The seeds are the first pages, and whatever lies outside was found later.
    const trust = new Float64Array(crawl.count)
    trust.set(weights)
    const { relative } = await this.#staged('Spam mass', (progress) =>
      spamMass(graph, { trust, damping, pageRank: scores, progress }),
    )
    return { rankMass, pageRank: scores, spam: relative }
  }

  async #write(
    { format, table, path }: PlannedFile,
    crawl: KnownCrawl,
    scores: Scores | undefined,
    progress: Progress,
  ): Promise<void> {
    if (table === 'edges') {
      const head = `# Nodes: ${crawl.count} Edges: ${crawl.linksInside}\n# FromNodeId\tToNodeId\n`
      await writeLines(path, head, linkColumns, linkBatches(crawl, linkRows, progress))
    } else if (table === 'urls') {
      await writeLines(path, '', urlColumns, this.#urls(crawl, progress))
    } else {
      const [columns, batches] =
        table === 'links'
          ? [linkColumns, linkBatches(crawl, linkRows, progress)]
          : [pageColumns, this.#pages(crawl, scores!, progress)]
      await (format === 'parquet' ? writeParquet : writeTsv)(path, columns, batches)
    }
  }

  #pages(crawl: KnownCrawl, scores: Scores, progress: Progress): Generator<Batch> {
    const isGzipped = this.#folder.file.options.warcLevel > 0
    return pageBatches({ record: this.#record, crawl, ...scores, isGzipped, batchRows: pageRows, progress })
  }

  *#urls(crawl: KnownCrawl, progress: Progress): Generator<Batch> {
    let done = 0
    for (const { url } of this.#record.foundPages()) {
      if (url === outsideUrl) continue
      progress(++done, crawl.count)
      yield [[url]]
    }
  }
}

const urlColumns: readonly Column[] = [{ name: 'url', type: 'text', isFull: true }]
