/**
 * Where the archive must have a response, according to the record: 28 bytes each, and sorted by file once all are added,
 * so that the files can be read from front to back beside them.
 */
import { crc32 } from 'node:zlib'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import { warcName, type WarcNaming } from '../../record/warc-name.ts'
import { FileNumbers } from '../page-archive.ts'

interface ExpectedResponse {
  readonly url: string
  readonly startMs: number
  readonly place: {
    readonly worker?: string | undefined
    readonly thread: number
    readonly serial: number
    readonly offset: number
    readonly length: number
    /** Unknown if empty or absent, as in a compacted record. */
    readonly id?: string | undefined
    readonly payloadDigest?: string | undefined
  }
}

/** A response as it is in the archive. */
interface FoundResponse {
  readonly offset: number
  readonly length: number
  readonly url: string
  readonly date: string
  readonly id: string
  readonly payloadDigest: string | undefined
}

/** Stands for an id that is not known. */
const unknown = 0

export class ExpectedPlaces {
  readonly #naming: WarcNaming
  readonly #numbers = new FileNumbers()
  readonly #files = new GrowingUint32()
  readonly #offsets = new GrowingFloat64()
  readonly #lengths = new GrowingUint32()
  /** Checksums of URL and date, and of id and digest. */
  readonly #captures = new GrowingUint32()
  readonly #ids = new GrowingUint32()
  #order = new Uint32Array(0)
  count = 0

  constructor(naming: WarcNaming) {
    this.#naming = naming
  }

  /** The names of files that have such responses. */
  get files(): readonly string[] {
    return this.#numbers.names
  }

  add({ url, startMs, place }: ExpectedResponse): void {
    const at = this.count++
    const { offset, length, id = '', payloadDigest } = place
    for (const column of [this.#files, this.#lengths, this.#captures, this.#ids]) column.ensure(at)
    this.#offsets.ensure(at)
    this.#files.array[at] = this.#numbers.of(warcName(place, this.#naming))
    this.#offsets.array[at] = offset
    this.#lengths.array[at] = length
    this.#captures.array[at] = captureSum(url, new Date(startMs).toISOString())
    this.#ids.array[at] = id === '' ? unknown : idSum(id, payloadDigest)
  }

  /** Called after the last `add`. */
  sort(): void {
    const [files, offsets] = [this.#files.array, this.#offsets.array]
    this.#order = Uint32Array.from({ length: this.count }, (_, i) => i)
    this.#order.sort((a, b) => files[a] - files[b] || offsets[a] - offsets[b] || a - b)
  }

  /** The responses of a file, in order of their places. */
  of(name: string): PlacesOfFile {
    const file = this.#numbers.of(name)
    const start = this.#first((at) => this.#files.array[at] - file)
    let end = start
    while (end < this.count && this.#files.array[this.#order[end]] === file) end++
    const rows = this.#order.subarray(start, end)
    return new PlacesOfFile({
      offsets: Float64Array.from(rows, (row) => this.#offsets.array[row]),
      lengths: Uint32Array.from(rows, (row) => this.#lengths.array[row]),
      captures: Uint32Array.from(rows, (row) => this.#captures.array[row]),
      ids: Uint32Array.from(rows, (row) => this.#ids.array[row]),
    })
  }

  /** The first in order that does not come before what `comparison` looks for. */
  #first(comparison: (row: number) => number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comparison(this.#order[middle]) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface PlaceColumns {
  readonly offsets: Float64Array
  readonly lengths: Uint32Array
  readonly captures: Uint32Array
  readonly ids: Uint32Array
}

/** The expected responses of one file; found ones are passed in order. */
export class PlacesOfFile {
  readonly #columns: PlaceColumns
  #next = 0
  /** Responses that were recorded and are not there. */
  missing = 0

  constructor(columns: PlaceColumns) {
    this.#columns = columns
  }

  get count(): number {
    return this.#columns.offsets.length
  }

  /** Why the response is not the one that was recorded; undefined if it is, or none was recorded at its place. */
  found(response: FoundResponse): string | undefined {
    const { offsets, lengths, captures, ids } = this.#columns
    this.#skip(response.offset)
    let problem: string | undefined
    // A page and its look are at the same place.
    for (; offsets[this.#next] === response.offset; this.#next++) {
      const at = this.#next
      if (lengths[at] !== response.length)
        problem = `has ${response.length} bytes; the record says ${lengths[at]}`
      else if (captures[at] !== captureSum(response.url, response.date))
        problem = 'has another URL or date than the record says'
      else if (ids[at] !== unknown && ids[at] !== idSum(response.id, response.payloadDigest))
        problem = 'has another id or digest than the record says'
    }
    return problem
  }

  /** The next expected place after this position; undefined if there is none. What is before is missing. */
  nextAfter(position: number): number | undefined {
    this.#skip(position + 1)
    return this.#columns.offsets[this.#next]
  }

  /** The file has ended. */
  end(): void {
    this.#skip(Infinity)
  }

  #skip(offset: number): void {
    const { offsets } = this.#columns
    for (; this.#next < offsets.length && offsets[this.#next] < offset; this.#next++) this.missing++
  }
}

function captureSum(url: string, date: string): number {
  return crc32(`${url}\n${date}`)
}

/** Not that which stands for an unknown id. */
function idSum(id: string, payloadDigest: string | undefined): number {
  return crc32(`${id}\n${payloadDigest ?? ''}`) || 1
}
