/** The bodies of archived pages, from the WARC files of a crawl. One record at a time is in memory. */
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

/** Positions in the archive, as columns; files by their position in `files`. */
export interface ArchivePlaces {
  readonly file: Uint32Array
  readonly offset: Float64Array
}

/** A response as it was archived, without its content encoding. If a document was made of it, that is the body. */
export interface ArchivedResponse extends PageBody {
  readonly record: WarcRecord
  readonly statusLine: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body of the response itself. */
  readonly source: PageBody
}

/** The names of WARC files, numbered. */
export class FileNumbers {
  readonly names: string[]
  readonly #numbers: Map<string, number>

  constructor(names: readonly string[] = []) {
    this.names = [...names]
    this.#numbers = new Map(this.names.map((name, number) => [name, number]))
  }

  of(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) this.#numbers.set(name, (number = this.names.push(name) - 1))
    return number
  }
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

  /** The responses at the places of these rows, in this order; fastest if it is that of the archive. */
  *responses(
    { file, offset }: ArchivePlaces,
    files: readonly string[],
    rows: Uint32Array,
  ): Generator<[row: number, response: ArchivedResponse]> {
    for (let start = 0, end = 0; start < rows.length; start = end) {
      const number = file[rows[start]]
      while (end < rows.length && file[rows[end]] === number) end++
      const ofFile = rows.subarray(start, end)
      const places = (function* () {
        for (const row of ofFile) yield offset[row]
      })()
      let next = start
      for (const record of this.#records(files[number], places))
        yield [rows[next++], this.#responseOf(record, files[number])]
    }
  }

  /** The response at this position of a file. If it is a reference to an earlier one, it has no body. */
  response(name: string, offset: number): ArchivedResponse {
    const [record] = this.#records(name, [offset])
    return this.#responseOf(record, name)
  }

  at(place: WarcPlace): ArchivedResponse {
    return this.response(this.nameOf(place), place.offset)
  }

  nameOf(file: Pick<WarcPlace, 'thread' | 'serial' | 'worker'>): string {
    return warcName(file, this.#naming)
  }

  *#records(name: string, offsets: Iterable<number>): Generator<WarcRecord> {
    try {
      yield* readWarcAt(this.#files.pathOf(name), offsets)
    } catch (error) {
      const isMissing = error instanceof RankwardError && error.code === 'FILE_UNREADABLE'
      throw isMissing && this.#files.isShared ? this.#files.missing(name) : error
    }
  }

  #responseOf(record: WarcRecord, name: string): ArchivedResponse {
    return { ...decodedResponse(record, this.#bodyBytesMax), ...this.#madeOf(record, name) }
  }

  /** The document that was made of this response; undefined if there is none. */
  #madeOf({ offset, length }: WarcRecord, name: string): PageBody | undefined {
    if (!this.#hasMade) return undefined
    const next = readWarc(this.#files.pathOf(name), { start: offset + length }).next().value
    if (next?.type !== 'conversion') return undefined
    return { contentType: next.field('Content-Type'), body: next.block, isCoded: false }
  }
}

/** The response in a WARC record of any program. */
export function decodedResponse(record: WarcRecord, bodyBytesMax: number): ArchivedResponse {
  const { headers = [], startLine: statusLine = '', body: stored = new Uint8Array(0) } = record.http() ?? {}
  const valueOf = (name: string): string | undefined =>
    headers.find(([other]) => other.toLowerCase() === name)?.[1]
  // Other programs archive bodies with their chunks.
  const payload = valueOf('transfer-encoding') === undefined ? stored : record.payload()
  const { bytes: body, isCoded } = decodeBody(payload, valueOf('content-encoding'), bodyBytesMax)
  const source = { contentType: valueOf('content-type'), body, isCoded }
  return { record, statusLine, headers, source, ...source }
}
