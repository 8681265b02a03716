/**
 * Brings the index of a crawl up to date with its record: reads the pages, or versions of pages, that are not
 * indexed yet, merges segments, and writes the page table.
 *
 * Each segment counts from the moment it is on disk, so a process that is killed loses at most the last one.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Progress } from '../../../../lib/progress.ts'
import type { CrawlFolder } from '../../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../../record/crawl-record.ts'
import { stemmedLanguage, stemmedLanguages } from '../../../../web/text/stem.ts'
import { wordsOf } from '../../../../web/text/words.ts'
import { PageArchive } from '../../archive/page-archive.ts'
import { pageRanksOf } from '../page-ranks.ts'
import { languageOf, PageTextReader, type PageBody } from '../../archive/page-text.ts'
import type { SearchablePages } from '../searchable-pages.ts'
import { noLanguage, notText } from './documents.ts'
import type { IndexFolder, LogEnd, Manifest, SegmentFile } from './index-folder.ts'
import { writePageTable } from './page-table.ts'
import { SegmentBuilder, type BuilderLimits, type DocumentWords } from './segment-builder.ts'
import { mergeSegments } from './segment-merge.ts'
import { SegmentReader } from './segment-reader.ts'

/** Number of pages between yields to other work, such as cancellation. */
const pagesAtOnce = 32
/** This many segments of about the same size are merged. */
const mergedAtOnce = 6
/** Segments with fewer documents count as equally large. */
const smallDocuments = 256

interface UpdateOptions {
  readonly progress: Progress
  /** The end of the log before the record was read. */
  readonly log: LogEnd
  readonly limits?: BuilderLimits | undefined
}

export class IndexUpdate {
  readonly #crawl: CrawlFolder
  readonly #folder: IndexFolder
  readonly #pages: SearchablePages
  #manifest: Manifest
  #segments: SegmentReader[]

  constructor(crawl: CrawlFolder, folder: IndexFolder, pages: SearchablePages, manifest: Manifest) {
    this.#crawl = crawl
    this.#folder = folder
    this.#pages = pages
    this.#manifest = manifest
    this.#segments = manifest.segments.map((file) => this.#open(file))
  }

  get manifest(): Manifest {
    return this.#manifest
  }

  /** Indexes the new pages and versions. The page table is dropped if there are any. */
  async addPages({ progress, limits }: Pick<UpdateOptions, 'progress' | 'limits'>): Promise<void> {
    const documentOf = this.#documentOfRow()
    const rows = this.#pages.order(true).filter((row) => documentOf[row] < 0)
    const archive = new PageArchive(this.#crawl)
    const reader = new PageTextReader()
    const { pages, threads, serials, offsets } = this.#pages
    let builder = new SegmentBuilder(limits)
    let done = 0
    for (const [row, body] of archive.bodies(this.#pages, rows)) {
      if (++done % pagesAtOnce === 0) await turn()
      progress(done, rows.length)
      const place = { page: pages[row], thread: threads[row], serial: serials[row], offset: offsets[row] }
      const { kind, words } = contentOf(body, reader)
      builder.add({ ...place, kind }, words)
      if (!builder.isFull) continue
      await this.#addSegment(builder)
      builder = new SegmentBuilder(limits)
    }
    if (builder.count > 0) await this.#addSegment(builder)
  }

  /** Writes the page table of the record. */
  async writeTable(record: CrawlRecord, { log }: Pick<UpdateOptions, 'log'>): Promise<Manifest> {
    const { damping } = this.#crawl.file.options
    const ranks = await pageRanksOf(record, damping)
    const documentOf = this.#documentOfRow()
    const indexable = this.#pages.order(false)
    const marked = Uint32Array.from({ length: this.#pages.count }, (_, row) => row).filter(
      (row) => this.#pages.isNoindex[row] === 1,
    )
    /** From rows of the table to those of the pages, and back. */
    const rows = Uint32Array.from([...indexable, ...marked])
    const back = new Uint32Array(rows.length)
    rows.forEach((row, i) => (back[row] = i))
    const found = (i: number): { readonly url: string; readonly depth: number } =>
      record.found(this.#pages.pages[rows[i]])
    const originals = rows.map((row) => this.#pages.originalOf(this.#pages.pages[row]))
    const { name, path } = this.#folder.newFile('table')
    const columns = {
      count: rows.length,
      indexable: indexable.length,
      lowest: ranks.lowest,
      highest: ranks.highest,
      pageRanks: Float64Array.from(rows, (row) => ranks.of(this.#pages.pages[row])),
      documents: rows.map((row) => documentOf[row]),
      originals,
      copies: originals.map((original) => this.#pages.copiesOf(original)),
      depths: rows.map((_, i) => found(i).depth),
      order: this.#pages.order(true).map((row) => back[row]),
    }
    const end = writePageTable(path, columns, (i) => found(i).url)
    this.#write({ ...this.#manifest, table: { name, ...end, group: record.groups, log, damping } })
    return this.#manifest
  }

  close(): void {
    for (const segment of this.#segments) segment.close()
  }

  /** By row of the pages: its document, numbered through all segments; -1 if it has none yet. */
  #documentOfRow(): Int32Array {
    const { pages, threads, serials, offsets, count } = this.#pages
    const rowOfPage = new Int32Array(count === 0 ? 0 : pages[count - 1] + 1).fill(-1)
    for (let row = 0; row < count; row++) rowOfPage[pages[row]] = row
    const documentOf = new Int32Array(count).fill(-1)
    let base = 0
    for (const { documents } of this.#segments) {
      for (let at = 0; at < documents.count; at++) {
        const row = rowOfPage[documents.pages[at]] ?? -1
        if (row < 0) continue
        const isSame =
          documents.offsets[at] === offsets[row] &&
          documents.serials[at] === serials[row] &&
          documents.threads[at] === threads[row]
        if (isSame) documentOf[row] = base + at
      }
      base += documents.count
    }
    return documentOf
  }

  async #addSegment(builder: SegmentBuilder): Promise<void> {
    const { name, path } = this.#folder.newFile('segment')
    const documents = builder.count
    const end = await builder.write(path)
    const file: SegmentFile = { name, ...end, documents, stems: {} }
    this.#segments.push(this.#open(file))
    this.#write({ segments: [...this.#manifest.segments, file] })
    await this.#merge()
  }

  /** Merges segments of about the same size, and all if most documents are versions that were replaced. */
  async #merge(): Promise<void> {
    for (;;) {
      const chosen = this.#chosenSegments()
      if (chosen.length === 0) return
      const { name, path } = this.#folder.newFile('segment')
      const needed = this.#neededDocuments()
      const merged = chosen.map((i) => this.#segments[i])
      const end = await mergeSegments(merged, (i, document) => needed[chosen[i]][document] === 1, path)
      const documents = chosen.reduce((sum, i) => sum + needed[i].reduce((all, one) => all + one, 0), 0)
      const rest = (_: unknown, i: number): boolean => !chosen.includes(i)
      const file: SegmentFile = { name, ...end, documents, stems: {} }
      for (const segment of merged) segment.close()
      this.#segments = [...this.#segments.filter(rest), this.#open(file)]
      this.#write({ segments: [...this.#manifest.segments.filter(rest), file] })
    }
  }

  #chosenSegments(): number[] {
    const { segments } = this.#manifest
    const documents = segments.reduce((sum, segment) => sum + segment.documents, 0)
    if (segments.length > 1 && documents > 2 * this.#pages.count + smallDocuments) return [...segments.keys()]
    const sizes = segments.map((segment) => levelOf(segment.documents))
    for (let level = 0; level <= Math.max(0, ...sizes); level++) {
      const chosen = [...segments.keys()].filter((i) => sizes[i] === level)
      if (chosen.length >= mergedAtOnce) return chosen
    }
    return []
  }

  /** By segment and document: 1 if it is the newest version of a page. */
  #neededDocuments(): Uint8Array[] {
    const needed = this.#segments.map(({ documents }) => new Uint8Array(documents.count))
    const bases: number[] = []
    let base = 0
    for (const { documents } of this.#segments) {
      bases.push(base)
      base += documents.count
    }
    for (const document of this.#documentOfRow()) {
      if (document < 0) continue
      let segment = bases.length - 1
      while (bases[segment] > document) segment--
      needed[segment][document - bases[segment]] = 1
    }
    return needed
  }

  #open(file: SegmentFile): SegmentReader {
    return new SegmentReader(this.#folder.pathOf(file), file.bytes)
  }

  #write(manifest: Manifest): void {
    this.#manifest = manifest
    this.#folder.write(manifest)
  }
}

/** Segments of one level differ by less than the number that is merged. */
function levelOf(documents: number): number {
  return Math.floor(Math.log(Math.max(documents, smallDocuments) / smallDocuments) / Math.log(mergedAtOnce))
}

function contentOf(body: PageBody, reader: PageTextReader): { kind: number; words: DocumentWords } {
  const read = reader.read(body)
  if (read === undefined) return { kind: notText, words: { title: [], text: [] } }
  const language = stemmedLanguage(languageOf(body) ?? '')
  const kind = language === undefined ? noLanguage : noLanguage + 1 + stemmedLanguages.indexOf(language)
  return { kind, words: { title: wordsOf(read.title), text: wordsOf(read.text) } }
}
