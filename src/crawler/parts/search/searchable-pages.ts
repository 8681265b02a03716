/**
 * The pages of a crawl that can be searched: those whose newest version is text, with their positions in the
 * archive, and which pages are copies of which. 21 bytes per page, and an entry per copy.
 */
import { originalOf } from '../../read/duplicate-clusters.ts'
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../../lib/growing-array.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { essence } from '../../../web/http/html-type.ts'

export class SearchablePages {
  readonly #pages = new GrowingUint32()
  readonly #threads = new GrowingUint32()
  readonly #serials = new GrowingUint32()
  readonly #offsets = new GrowingFloat64()
  readonly #isNoindex = new GrowingUint8()
  /** From a copy to its original. */
  readonly #steps = new Map<number, { readonly to: number }>()
  /** Number of copies per final page. */
  readonly #copies = new Map<number, number>()
  count = 0
  /** Number of pages with text in the archive, copies included. */
  archived = 0
  /** Whether pages with text were fetched, and none is archived. */
  isUnarchived = false

  constructor(record: CrawlRecord) {
    let fetched = 0
    for (const [page, outcome] of record.outcomes()) {
      const original = outcome.duplicateOf ?? outcome.nearDuplicateOf
      if (original !== undefined) this.#steps.set(page, { to: original })
      if (!isReadable(outcome)) continue
      fetched++
      if (outcome.warc === undefined) continue
      this.archived++
      if (outcome.duplicateOf === undefined) this.#add(page, outcome)
    }
    for (const page of this.#steps.keys()) {
      const original = this.originalOf(page)
      this.#copies.set(original, (this.#copies.get(original) ?? 0) + 1)
    }
    this.isUnarchived = this.archived === 0 && fetched > 0
  }

  get pages(): Uint32Array {
    return this.#pages.array
  }

  get threads(): Uint32Array {
    return this.#threads.array
  }

  get serials(): Uint32Array {
    return this.#serials.array
  }

  get offsets(): Float64Array {
    return this.#offsets.array
  }

  get isNoindex(): Uint8Array {
    return this.#isNoindex.array
  }

  /** The page that was fetched first of those with nearly the same text. */
  originalOf(page: number): number {
    return originalOf(page, this.#steps)
  }

  /** Number of other pages with the same or nearly the same text. */
  copiesOf(original: number): number {
    return this.#copies.get(original) ?? 0
  }

  /** The rows in the order of the archive: file by file in order of first use, each from start to end. */
  order(withNoindex: boolean): Uint32Array {
    const files = new Map<string, number>()
    const fileOf = new Uint32Array(this.count)
    const rows: number[] = []
    for (let row = 0; row < this.count; row++) {
      if (this.isNoindex[row] === 1 && !withNoindex) continue
      const name = `${this.threads[row]} ${this.serials[row]}`
      let file = files.get(name)
      if (file === undefined) files.set(name, (file = files.size))
      fileOf[row] = file
      rows.push(row)
    }
    const { offsets } = this
    return Uint32Array.from(rows).sort((a, b) => fileOf[a] - fileOf[b] || offsets[a] - offsets[b])
  }

  #add(page: number, { warc, noindex }: OutcomeRecord): void {
    const { thread, serial, offset } = warc!
    const row = this.count++
    for (const column of [this.#pages, this.#threads, this.#serials, this.#offsets, this.#isNoindex])
      column.ensure(row)
    this.pages[row] = page
    this.threads[row] = thread
    this.serials[row] = serial
    this.offsets[row] = offset
    this.isNoindex[row] = noindex === true ? 1 : 0
  }
}

const readableTypes = new Set([
  '',
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'unknown/unknown',
  'application/unknown',
  '*/*',
])

/** True if this may be a page with text. The body decides. */
function isReadable({ status, error, contentType }: OutcomeRecord): boolean {
  return status >= 200 && status < 300 && error === undefined && readableTypes.has(essence(contentType))
}
