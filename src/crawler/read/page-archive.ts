/** The bodies of archived pages, from the WARC files of a crawl. One record at a time is in memory. */
import { basename } from 'node:path'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { RankwardError } from '../../lib/errors.ts'
import { ArchivedFiles } from './archived-file.ts'
import { warcName, warcNaming, type WarcNaming } from '../record/warc-name.ts'
import type { WarcPlace } from '../record/outcome-record.ts'
import { makesDocuments } from '../parts/all-parts.ts'
import { readWarc, readWarcAt } from '../../web/warc/reader.ts'
import type { WarcRecord } from '../../web/warc/warc-record.ts'
import { decodeBody } from '../../web/http/content-coding.ts'
import type { PageBody } from '../../web/html/page-text.ts'

/** Positions in the archive, as columns. */
interface ArchivePlaces {
  readonly thread: Uint32Array
  readonly serial: Uint32Array
  readonly offset: Float64Array
}

/** A response as it was archived, without its content encoding. If a document was made of it, that is the body. */
export interface ArchivedResponse extends PageBody {
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body of the response itself. */
  readonly source: PageBody
}

export class PageArchive {
  readonly #files: ArchivedFiles
  readonly #naming: WarcNaming
  readonly #bodyBytesMax: number
  readonly #hasMade: boolean

  constructor(folder: CrawlFolder) {
    const { limitBytes } = folder.file.options
    this.#files = new ArchivedFiles(folder)
    this.#naming = warcNaming(folder.file.options)
    this.#bodyBytesMax = limitBytes
    this.#hasMade = makesDocuments(folder.file.options)
  }

  /** The bodies at the places of these rows, in this order; fastest if it is that of the archive. */
  *bodies(
    { thread, serial, offset }: ArchivePlaces,
    rows: Uint32Array,
  ): Generator<[row: number, body: PageBody]> {
    for (let start = 0, end = 0; start < rows.length; start = end) {
      const first = rows[start]
      const isInFile = (row: number): boolean =>
        thread[row] === thread[first] && serial[row] === serial[first]
      while (end < rows.length && isInFile(rows[end])) end++
      const ofFile = rows.subarray(start, end)
      const path = this.pathOf({ thread: thread[first], serial: serial[first] })
      const places = (function* () {
        for (const row of ofFile) yield offset[row]
      })()
      let next = start
      for (const record of readWarcAt(path, places)) yield [rows[next++], this.#bodyOf(record, path)]
    }
  }

  body(place: Pick<WarcPlace, 'thread' | 'serial' | 'offset' | 'worker'>): PageBody {
    const name = warcName(place, this.#naming)
    const [record] = this.#records(name, place.offset)
    return this.#bodyOf(record, this.#files.pathOf(name))
  }

  /** The response at this position of a file of this name in the archive, with any folder; undefined if the record refers to an earlier one. */
  response(path: string, offset: number): ArchivedResponse | undefined {
    const name = basename(path)
    const [record] = this.#records(name, offset)
    return record.type === 'response' ? this.#bodyOf(record, this.#files.pathOf(name)) : undefined
  }

  #records(name: string, offset: number): WarcRecord[] {
    try {
      return [...readWarcAt(this.#files.pathOf(name), [offset])]
    } catch (error) {
      const isMissing = error instanceof RankwardError && error.code === 'FILE_UNREADABLE'
      throw isMissing && this.#files.isShared ? this.#files.missing(name) : error
    }
  }

  /** The path of a WARC file, or its address in the archive elsewhere. */
  pathOf(file: Pick<WarcPlace, 'thread' | 'serial' | 'worker'>): string {
    return this.#files.pathOf(warcName(file, this.#naming))
  }

  #bodyOf(record: WarcRecord, path: string): ArchivedResponse {
    const { headers = [], body = Buffer.alloc(0) } = record.http() ?? {}
    const valueOf = (name: string): string | undefined =>
      headers.find(([other]) => other.toLowerCase() === name)?.[1]
    const decoded = decodeBody(body, valueOf('content-encoding'), this.#bodyBytesMax)
    const source = { contentType: valueOf('content-type'), body: decoded.bytes, isCoded: decoded.isCoded }
    return { headers, source, ...source, ...this.#madeOf(record, path) }
  }

  /** The document that was made of this response; undefined if there is none. */
  #madeOf({ offset, length }: WarcRecord, path: string): PageBody | undefined {
    if (!this.#hasMade) return undefined
    const next = readWarc(path, { start: offset + length }).next().value
    if (next?.type !== 'conversion') return undefined
    return { contentType: next.field('Content-Type'), body: next.block, isCoded: false }
  }
}
