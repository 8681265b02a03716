/**
 * Brings the index of a crawl up to date with its record: reads the pages, or versions of pages, that are not
 * indexed yet, merges segments, and writes the page table.
 *
 * Each segment counts from the moment it is on disk, so a process that is killed loses at most the last one.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Progress } from '../../../../lib/progress.ts'
import type { WholeCrawl } from '../../../read/whole-crawl.ts'
import { wordsOf } from '../../../../web/text/words.ts'
import { PageArchive } from '../../../read/page-archive.ts'
import { languageOf, PageTextReader } from '../../../../web/html/page-text.ts'
import { kindOf, notText } from '../page-table.ts'
import type { RecordedPages } from '../recorded-pages.ts'
import type { IndexFolder, Manifest, SegmentFile, TableFile } from './index-folder.ts'
import { SegmentBuilder, type BuilderLimits } from './segment-builder.ts'
import { mergeSegments } from './segment-merge.ts'
import { SegmentReader, type Documents } from './segment.ts'
import { writeTable } from './stored-table.ts'

/** Number of pages between yields to other work, such as cancellation. */
const pagesAtOnce = 32
/** This many segments of about the same size are merged. */
const mergedAtOnce = 6
/** Segments with fewer documents count as equally large. */
const smallDocuments = 256

interface OpenSegment {
  readonly file: SegmentFile
  readonly reader: SegmentReader
  readonly documents: Documents
}

export class IndexUpdate {
  readonly #crawl: WholeCrawl
  readonly #folder: IndexFolder
  readonly #pages: RecordedPages
  #table: TableFile | undefined
  #segments: OpenSegment[]

  constructor(crawl: WholeCrawl, folder: IndexFolder, pages: RecordedPages, manifest: Manifest) {
    this.#crawl = crawl
    this.#folder = folder
    this.#pages = pages
    this.#table = manifest.table
    this.#segments = manifest.segments.map((file) => this.#opened(file))
  }

  get manifest(): Manifest {
    const { files } = this.#pages
    return { segments: this.#segments.map(({ file }) => file), table: this.#table, files }
  }

  /** Indexes the new pages and versions. The page table is dropped if there are any. */
  async addPages(progress: Progress, limits?: BuilderLimits): Promise<void> {
    const isIndexed = new Uint8Array(this.#pages.count)
    for (const rowOf of this.#rowsOfDocuments()) for (const row of rowOf) if (row >= 0) isIndexed[row] = 1
    const rows = Uint32Array.from(isIndexed.keys()).filter((row) => isIndexed[row] === 0)
    const { columns, files } = this.#pages
    const { file, offset } = columns
    const reader = new PageTextReader()
    let builder = new SegmentBuilder(limits)
    let done = 0
    for (const [row, body] of new PageArchive(this.#crawl.folder).responses(columns, files, rows)) {
      if (++done % pagesAtOnce === 0) await turn()
      progress(done, rows.length)
      const read = reader.read(body)
      const kind = read === undefined ? notText : kindOf(languageOf(body))
      const { title = '', text = '' } = read ?? {}
      builder.add({ file: file[row], offset: offset[row], kind, title: wordsOf(title), text: wordsOf(text) })
      if (!builder.isFull) continue
      await this.#addSegment(builder)
      builder = new SegmentBuilder(limits)
    }
    if (builder.count > 0) await this.#addSegment(builder)
  }

  /** Writes the page table. `end`: the last group of the record, and the end of the log before it was read. */
  async writeTable(end: Pick<TableFile, 'group' | 'log'>): Promise<void> {
    const { damping } = this.#crawl.folder.file.options
    await this.#pages.addRanks(damping)
    const { document, kind, titleWords, textWords } = this.#pages.columns
    let base = 0
    for (const [i, rowOf] of this.#rowsOfDocuments().entries()) {
      const { documents } = this.#segments[i]
      rowOf.forEach((row, at) => {
        if (row < 0) return
        document[row] = base + at
        kind[row] = documents.kind[at]
        titleWords[row] = documents.titleWords[at]
        textWords[row] = documents.textWords[at]
      })
      base += rowOf.length
    }
    const { name, path } = this.#folder.newFile('table')
    this.#table = { name, ...(await writeTable(path, this.#pages)), ...end, damping }
    this.#folder.write(this.manifest)
  }

  close(): void {
    for (const { reader } of this.#segments) reader.close()
  }

  /** By segment: the row of each document; -1 if it is not the newest version of a page. */
  #rowsOfDocuments(): Int32Array[] {
    return this.#segments.map(({ documents }) =>
      Int32Array.from(documents.file, (file, at) => this.#rowAt(file, documents.offset[at])),
    )
  }

  /** The row of the page at this place, by binary search: rows are in the order of the archive. -1 if there is none. */
  #rowAt(inFile: number, atOffset: number): number {
    const { file, offset } = this.#pages.columns
    let [low, high] = [0, this.#pages.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (file[middle] < inFile || (file[middle] === inFile && offset[middle] < atOffset)) low = middle + 1
      else high = middle
    }
    return low < this.#pages.count && file[low] === inFile && offset[low] === atOffset ? low : -1
  }

  async #addSegment(builder: SegmentBuilder): Promise<void> {
    const { name, path } = this.#folder.newFile('segment')
    this.#replace([], { name, ...(await builder.write(path)), stems: {} })
    for (let chosen = this.#mergeable(); chosen.length > 0; chosen = this.#mergeable())
      await this.#merge(chosen)
  }

  async #merge(chosen: readonly number[]): Promise<void> {
    const { name, path } = this.#folder.newFile('segment')
    const rows = this.#rowsOfDocuments()
    const readers = chosen.map((i) => this.#segments[i].reader)
    const end = await mergeSegments(readers, (i, document) => rows[chosen[i]][document] >= 0, path)
    for (const reader of readers) reader.close()
    this.#replace(chosen, { name, ...end, stems: {} })
  }

  /** Segments of about the same size, or all if most documents are versions that were replaced. */
  #mergeable(): number[] {
    const counts = this.#segments.map(({ file }) => file.documents)
    const documents = counts.reduce((sum, count) => sum + count, 0)
    if (counts.length > 1 && documents > 2 * this.#pages.count + smallDocuments) return [...counts.keys()]
    const levels = counts.map(levelOf)
    for (let level = 0; level <= Math.max(0, ...levels); level++) {
      const chosen = [...levels.keys()].filter((i) => levels[i] === level)
      if (chosen.length >= mergedAtOnce) return chosen
    }
    return []
  }

  /** Puts a new segment in the place of these. The page table no longer applies. */
  #replace(gone: readonly number[], file: SegmentFile): void {
    this.#segments = [...this.#segments.filter((_, i) => !gone.includes(i)), this.#opened(file)]
    this.#table = undefined
    this.#folder.write(this.manifest)
  }

  #opened(file: SegmentFile): OpenSegment {
    const reader = new SegmentReader(this.#folder.pathOf(file), file)
    return { file, reader, documents: reader.documents() }
  }
}

/** Segments of one level differ by less than the number that is merged. */
function levelOf(documents: number): number {
  return Math.floor(Math.log(Math.max(documents, smallDocuments) / smallDocuments) / Math.log(mergedAtOnce))
}
