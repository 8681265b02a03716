/**
 * Converts state in memory to the bytes of a snapshot and back. Each part of a crawl has one method,
 * `transfer`, that names its mutable fields once. A `StateWriter` appends them; a `StateReader` replaces them
 * by the saved values. So writing and reading cannot disagree, and a new field is added in one place.
 *
 *   transfer(state: StateCodec): void {
 *     state.section('clock', 1)
 *     this.#ticks = state.number(this.#ticks)
 *     state.growing(this.#alarms)
 *   }
 *
 * Every value starts with a header of 16 bytes: its kind, a check, and the number itself or the length of the
 * array. The check covers kind, number and position, so a damaged, truncated or mismatched state is an error
 * (BAD_SNAPSHOT). It does not cover the contents of arrays: a file needs its own checksum.
 */
import { RankwardError } from './errors.ts'
import { freeMemory, lendMemory, newMemory, returnMemory } from './large-memory.ts'
import type { GrowingArray } from './growing-array.ts'
import { HeaderCheck, headerBytes } from './state-header.ts'

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array

/**
 * Writes or reads a part's fields. Each method takes the current value and returns, or fills in, the valid
 * one.
 */
export interface StateCodec {
  /** True if fields are being replaced. Values derived from them must then be recomputed. */
  readonly isReading: boolean
  /** Starts a part's fields. When reading, another name or version is an error. */
  section(name: string, version: number): void
  /** An option that the state depends on. When reading, another value is an error. */
  option(name: string, value: number | boolean): void
  number(value: number): number
  text(value: string): string
  texts(list: readonly string[]): readonly string[]
  /** An array of any length, read into new memory. */
  array<T extends NumberArray>(array: T): T
  /** As `array`, for arrays whose elements never change: the writer does not copy them. */
  constant<T extends NumberArray>(array: T): T
  /** An array of fixed length, read in place. */
  fixed(array: NumberArray): void
  /** The used part of an array that grows. */
  growing(array: GrowingArray): void
  /** As `growing`, for elements that never change once written: the writer does not copy them. */
  appended(array: GrowingArray): void
}

/** A part of a crawl whose state can be saved and restored. */
export interface Stateful {
  transfer(state: StateCodec): void
}

/** Saves the state of these parts, in this order. Later changes of the parts do not affect it. */
export function savedState(parts: readonly Stateful[]): Uint8Array[] {
  const state = new StateWriter()
  for (const part of parts) part.transfer(state)
  return state.finish()
}

/**
 * Restores a saved state into new parts with the same options. Chunks may be divided in any way and are read
 * one at a time, as needed. If it throws, the parts are unusable.
 */
export function restoreState(parts: readonly Stateful[], chunks: Iterable<Uint8Array>): void {
  const state = new StateReader(chunks)
  for (const part of parts) part.transfer(state)
  state.finish()
}

export const kinds = { end: 1, section: 2, number: 3, text: 4, texts: 5 }
const arrayTypes = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const
/** Kinds of arrays start at this number. */
const firstArrayKind = 16

const blockBytes = 1 << 16
/** Larger arrays become separate chunks. */
const smallBytes = 1 << 12

export class StateWriter implements StateCodec {
  readonly isReading = false
  /** In byte order. Several may share one buffer. */
  readonly #chunks: Uint8Array[] = []
  /** Headers and small arrays. Bytes from `#from` to `#to` are not in a chunk yet. */
  #block = new Uint8Array(blockBytes)
  #from = 0
  #to = 0
  #values: number
  readonly #checks = new HeaderCheck()
  /** Chunks that are copies, and chunks that are memory of the parts. */
  readonly #copied = new Set<Uint8Array>()
  readonly #lent = new Set<Uint8Array>()

  /** `values`: the number of values before the first one. */
  constructor(values = 0) {
    this.#values = values
  }

  section(name: string, version: number): void {
    this.#header(kinds.section, version)
    this.text(name)
  }

  option(_name: string, value: number | boolean): void {
    this.number(Number(value))
  }

  number(value: number): number {
    this.#header(kinds.number, value)
    return value
  }

  text(value: string): string {
    this.#header(kinds.text, value.length)
    this.#copy(codeUnits(value))
    return value
  }

  texts(list: readonly string[]): readonly string[] {
    this.#header(kinds.texts, list.length)
    this.array(Uint32Array.from(list, ({ length }) => length))
    this.text(list.join(''))
    return list
  }

  array<T extends NumberArray>(array: T): T {
    this.#header(kindOf(array), array.length)
    this.#copy(array)
    return array
  }

  constant<T extends NumberArray>(array: T): T {
    this.#header(kindOf(array), array.length)
    if (array.byteLength <= smallBytes) this.#copy(array)
    else {
      lendMemory(array)
      this.#lent.add(this.#chunk(array))
    }
    return array
  }

  fixed(array: NumberArray): void {
    this.array(array)
  }

  growing({ array, length }: GrowingArray): void {
    this.array(array.subarray(0, length))
  }

  appended({ array, length }: GrowingArray): void {
    this.constant(array.subarray(0, length))
  }

  /** Number of bytes so far. */
  get byteLength(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, this.#to - this.#from)
  }

  /** Returns all bytes. The writer cannot be used afterwards. */
  finish(): Uint8Array[] {
    this.#header(kinds.end, this.#values)
    this.#flush()
    return this.#chunks
  }

  /** As `finish`, chunk by chunk. The memory of a chunk is freed when the next one is taken, or the last was. */
  *drain(): Generator<Uint8Array> {
    const chunks = this.finish()
    try {
      for (const chunk of chunks) {
        yield chunk
        this.#release(chunk)
      }
    } finally {
      chunks.forEach((chunk) => this.#release(chunk))
    }
  }

  #release(chunk: Uint8Array): void {
    if (this.#copied.delete(chunk)) freeMemory(chunk)
    if (this.#lent.delete(chunk)) returnMemory(chunk)
  }

  #header(kind: number, value: number): void {
    this.#room(headerBytes)
    this.#checks.write(this.#block, this.#to, kind, value, this.#values++)
    this.#to += headerBytes
  }

  #copy(array: NumberArray): void {
    if (array.byteLength > smallBytes) {
      const copy = newLike(array, array.length)
      copy.set(array)
      this.#copied.add(this.#chunk(copy))
      return
    }
    this.#room(array.byteLength)
    this.#block.set(bytesOf(array), this.#to)
    this.#to += array.byteLength
  }

  #chunk(array: NumberArray): Uint8Array {
    this.#flush()
    const chunk = bytesOf(array)
    this.#chunks.push(chunk)
    return chunk
  }

  #flush(): void {
    if (this.#to > this.#from) this.#chunks.push(this.#block.subarray(this.#from, this.#to))
    this.#from = this.#to
  }

  #room(bytes: number): void {
    if (this.#to + bytes <= blockBytes) return
    this.#flush()
    this.#block = new Uint8Array(blockBytes)
    this.#from = 0
    this.#to = 0
  }
}

export class StateReader implements StateCodec {
  readonly isReading = true
  readonly #source: Iterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array(0)
  #at = 0
  #values = 0
  #section = 'the beginning'
  readonly #header = new Uint8Array(headerBytes)
  readonly #checks = new HeaderCheck()

  constructor(chunks: Iterable<Uint8Array>) {
    this.#source = chunks[Symbol.iterator]()
  }

  section(name: string, version: number): void {
    const written = this.#value(kinds.section)
    const found = this.text('')
    if (found !== name || written !== version) {
      throw this.#bad(`it has ${found}, version ${written}; expected ${name}, version ${version}`)
    }
    this.#section = name
  }

  option(name: string, value: number | boolean): void {
    const written = this.#value(kinds.number)
    if (written !== Number(value)) {
      throw this.#bad(`${name} is ${Number(value)}, but the state was saved with ${written}`)
    }
  }

  number(_value: number): number {
    return this.#value(kinds.number)
  }

  text(_value: string): string {
    const units = new Uint16Array(this.#value(kinds.text))
    this.#read(bytesOf(units))
    return textOf(units)
  }

  texts(_list: readonly string[]): readonly string[] {
    const count = this.#value(kinds.texts)
    const lengths = this.array(new Uint32Array(0))
    if (lengths.length !== count) throw this.#bad('a list of texts does not have the recorded length')
    const joined = this.text('')
    const list: string[] = []
    let start = 0
    for (const length of lengths) list.push(joined.slice(start, (start += length)))
    return list
  }

  array<T extends NumberArray>(array: T): T {
    const read = newLike(array, this.#value(kindOf(array)))
    this.#read(bytesOf(read))
    return read
  }

  constant<T extends NumberArray>(array: T): T {
    return this.array(array)
  }

  fixed(array: NumberArray): void {
    const length = this.#value(kindOf(array))
    if (length !== array.length) {
      throw this.#bad(
        `an array has ${length} elements; expected ${array.length}. The state was saved with other options`,
      )
    }
    this.#read(bytesOf(array))
  }

  growing(array: GrowingArray): void {
    const length = this.#value(kindOf(array.array))
    // Spare capacity, so that the next discovered page does not copy the array.
    const memory = newLike(array.array, length + (length >>> 3))
    this.#read(bytesOf(memory.subarray(0, length)))
    array.replace(memory, length)
  }

  appended(array: GrowingArray): void {
    this.growing(array)
  }

  /** Throws unless everything was read. */
  finish(): void {
    const values = this.#values
    if (this.#value(kinds.end) !== values) throw this.#bad('its end is not where it should be')
    if (this.#more()) throw this.#bad('bytes follow its end')
  }

  #value(kind: number): number {
    this.#read(this.#header)
    const value = this.#checks.read(this.#header, this.#values++)
    if (value === undefined) throw this.#bad('it is damaged')
    if (this.#checks.kind !== kind) throw this.#bad('it has a value of an unexpected kind')
    return value
  }

  #read(into: Uint8Array): void {
    let filled = 0
    while (filled < into.length) {
      if (!this.#more()) throw this.#bad('it is truncated')
      const piece = this.#chunk.subarray(this.#at, this.#at + into.length - filled)
      into.set(piece, filled)
      filled += piece.length
      this.#at += piece.length
    }
  }

  /** Whether another byte follows. */
  #more(): boolean {
    while (this.#at === this.#chunk.length) {
      const next = this.#source.next()
      if (next.done === true) return false
      this.#chunk = next.value
      this.#at = 0
    }
    return true
  }

  #bad(what: string): RankwardError {
    return new RankwardError(
      'BAD_SNAPSHOT',
      `The saved state cannot be read: after ${this.#section}, ${what}.`,
    )
  }
}

function kindOf(array: NumberArray): number {
  return firstArrayKind + arrayTypes.findIndex((type) => array instanceof type)
}

/** Bytes that follow a header of this kind and number. */
export function contentBytes(kind: number, value: number): number {
  if (kind === kinds.text) return value * Uint16Array.BYTES_PER_ELEMENT
  const type = arrayTypes[kind - firstArrayKind]
  return type === undefined ? 0 : value * type.BYTES_PER_ELEMENT
}

function newLike<T extends NumberArray>(array: T, length: number): T {
  const Type = arrayTypes[kindOf(array) - firstArrayKind]
  return new Type(newMemory(length * Type.BYTES_PER_ELEMENT), 0, length) as T
}

function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Preserves any string, including invalid Unicode. */
function codeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < units.length; i++) units[i] = text.charCodeAt(i)
  return units
}

export function textOf(units: Uint16Array): string {
  const pieces: string[] = []
  // The number of arguments that every JavaScript engine accepts in one call.
  const step = 4096
  for (let at = 0; at < units.length; at += step)
    pieces.push(String.fromCharCode(...units.subarray(at, at + step)))
  return pieces.join('')
}
