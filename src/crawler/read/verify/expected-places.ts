/**
 * Where the archive must have a response, according to the record: 32 bytes each, and sorted by file once all are added,
 * so that the files can be read from front to back beside them.
 */
import { crc32 } from 'node:zlib'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'

interface ExpectedResponse {
  readonly url: string
  readonly startMs: number
  readonly place: {
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
  readonly #threads = new GrowingUint32()
  readonly #serials = new GrowingUint32()
  readonly #offsets = new GrowingFloat64()
  readonly #lengths = new GrowingUint32()
  /** Checksums of URL and date, and of id and digest. */
  readonly #captures = new GrowingUint32()
  readonly #ids = new GrowingUint32()
  #order = new Uint32Array(0)
  count = 0

  add({ url, startMs, place }: ExpectedResponse): void {
    const at = this.count++
    const { thread, serial, offset, length, id = '', payloadDigest } = place
    for (const column of [this.#threads, this.#serials, this.#lengths, this.#captures, this.#ids])
      column.ensure(at)
    this.#offsets.ensure(at)
    this.#threads.array[at] = thread
    this.#serials.array[at] = serial
    this.#offsets.array[at] = offset
    this.#lengths.array[at] = length
    this.#captures.array[at] = captureSum(url, new Date(startMs).toISOString())
    this.#ids.array[at] = id === '' ? unknown : idSum(id, payloadDigest)
  }

  /** Called once, after the last `add`. */
  sort(): void {
    const [threads, serials, offsets] = [this.#threads.array, this.#serials.array, this.#offsets.array]
    this.#order = Uint32Array.from({ length: this.count }, (_, i) => i)
    this.#order.sort(
      (a, b) => threads[a] - threads[b] || serials[a] - serials[b] || offsets[a] - offsets[b] || a - b,
    )
  }

  /** The responses of a file, in order of their places. */
  of(thread: number, serial: number): PlacesOfFile {
    const start = this.#first(
      (at) => compare(this.#threads.array[at], thread) || compare(this.#serials.array[at], serial),
    )
    let end = start
    while (
      end < this.count &&
      this.#threads.array[this.#order[end]] === thread &&
      this.#serials.array[this.#order[end]] === serial
    )
      end++
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

function compare(a: number, b: number): number {
  return a - b
}
