/**
 * The searchable pages, their positions in the WARC files of a crawl, and their bodies. 16 bytes per page;
 * one record at a time is in memory.
 */
import { join } from 'node:path'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { warcName } from '../record/warc-name.ts'
import type { WarcPlace } from '../record/outcome-record.ts'
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import { readWarcAt } from '../warc/reader.ts'
import type { WarcRecord } from '../warc/warc-record.ts'
import { decodeBody } from '../worlds/real/fetch/content-coding.ts'
import type { PageBody } from './page-text.ts'

export class PageArchive {
  readonly #folder: string
  readonly #isGzipped: boolean
  readonly #bodyBytesMax: number
  /** Files by number, in order of first use. */
  readonly #fileNumbers = new Map<string, number>()
  readonly #pages = new GrowingUint32()
  readonly #files = new GrowingUint32()
  readonly #offsets = new GrowingFloat64()
  count = 0

  constructor(folder: CrawlFolder) {
    const { warcLevel, limitBytes } = folder.file.options
    this.#folder = folder.warc
    this.#isGzipped = warcLevel > 0
    this.#bodyBytesMax = limitBytes
  }

  add(page: number, warc: WarcPlace): void {
    const name = warcName(warc, this.#isGzipped)
    let file = this.#fileNumbers.get(name)
    if (file === undefined) this.#fileNumbers.set(name, (file = this.#fileNumbers.size))
    const at = this.count++
    this.#pages.ensure(at)
    this.#files.ensure(at)
    this.#offsets.ensure(at)
    this.#pages.array[at] = page
    this.#files.array[at] = file
    this.#offsets.array[at] = warc.offset
  }

  /** All pages added, file by file from start to end. */
  *pages(): Generator<[page: number, body: PageBody]> {
    const names = [...this.#fileNumbers.keys()]
    const pages = this.#pages.array
    const files = this.#files.array
    const offsets = this.#offsets.array
    const order = Uint32Array.from({ length: this.count }, (_, at) => at)
    order.sort((a, b) => files[a] - files[b] || offsets[a] - offsets[b])
    for (let start = 0, end = 0; start < order.length; start = end) {
      while (end < order.length && files[order[end]] === files[order[start]]) end++
      const places = order.subarray(start, end)
      const records = readWarcAt(
        join(this.#folder, names[files[places[0]]]),
        (function* () {
          for (const at of places) yield offsets[at]
        })(),
      )
      let next = start
      for (const record of records) yield [pages[order[next++]], this.#bodyOf(record)]
    }
  }

  body(warc: WarcPlace): PageBody {
    const path = join(this.#folder, warcName(warc, this.#isGzipped))
    const [record] = readWarcAt(path, [warc.offset])
    return this.#bodyOf(record)
  }

  #bodyOf(record: WarcRecord): PageBody {
    const { headers = [], body = Buffer.alloc(0) } = record.http() ?? {}
    const valueOf = (name: string): string | undefined =>
      headers.find(([other]) => other.toLowerCase() === name)?.[1]
    const decoded = decodeBody(body, valueOf('content-encoding'), this.#bodyBytesMax)
    return { contentType: valueOf('content-type'), body: decoded.bytes, isCoded: decoded.isCoded }
  }
}
