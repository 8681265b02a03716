/**
 * State in memory as bytes and back: what a snapshot holds. Each part of a crawl has one method, `transfer`, that names its
 * mutable fields once. A `StateWriter` appends them; a `StateReader` replaces them by what was written. So both directions
 * cannot disagree, and a new field is added in one place.
 *
 *   transfer(state: StateCodec): void {
 *     state.section('clock', 1)
 *     this.#ticks = state.number(this.#ticks)
 *     state.growing(this.#alarms)
 *   }
 *
 * Every value starts with a header of 16 bytes: its kind, a check, and the number itself or the length of the array. The check
 * covers kind, number and position, so that a damaged, truncated or mismatched state is an error (BAD_SNAPSHOT) and never
 * another state. It does not cover the contents of arrays: a file needs a checksum of its own.
 */
import { RankwardError } from './errors.ts'
import type { GrowingArray } from './growing-array.ts'
import { fmix32 } from './hash.ts'

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array

/** Writes a part's fields, or reads them. Each method takes the present value and returns, or fills in, the one that holds. */
export interface StateCodec {
  /** The fields are replaced: what is derived from them must be computed anew afterwards. */
  readonly isReading: boolean
  /** What follows belongs to this part. Another name or version is an error when it is read. */
  section(name: string, version: number): void
  /** An option that the state depends on. Another value is an error when it is read. */
  option(name: string, value: number | boolean): void
  number(value: number): number
  text(value: string): string
  texts(list: readonly string[]): readonly string[]
  /** An array of any length; read into new memory. */
  array<T extends NumberArray>(array: T): T
  /** The same for an array whose elements never change again: it is not copied when it is written. */
  constant<T extends NumberArray>(array: T): T
  /** An array of fixed length, read in place. */
  fixed(array: NumberArray): void
  /** The used part of an array that grows. */
  growing(array: GrowingArray): void
  /** The same where elements never change once they are written: they are not copied. */
  appended(array: GrowingArray): void
}

/** A part of a crawl whose state can be written and read. */
export interface Stateful {
  transfer(state: StateCodec): void
}

/** The state of these parts, in this order. Later changes of the parts do not change it. */
export function savedState(parts: readonly Stateful[]): Uint8Array[] {
  const state = new StateWriter()
  for (const part of parts) part.transfer(state)
  return state.finish()
}

/**
 * Gives new parts, made with the same options, a saved state. Chunks are read one by one as they are needed, in any division.
 * Where it throws, the parts are in no usable state.
 */
export function restoreState(parts: readonly Stateful[], chunks: Iterable<Uint8Array>): void {
  const state = new StateReader(chunks)
  for (const part of parts) part.transfer(state)
  state.finish()
}

const kinds = { end: 1, section: 2, number: 3, text: 4, texts: 5 }
const arrayTypes = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const
/** Kinds of arrays count from here on. */
const firstArrayKind = 16

const headerBytes = 16
const blockBytes = 1 << 16
/** Larger arrays become chunks of their own. */
const smallBytes = 1 << 12

export class StateWriter implements StateCodec {
  readonly isReading = false
  /** In the order of the bytes. Several may share one buffer. */
  readonly #chunks: Uint8Array[] = []
  /** Headers and small arrays: those from `#from` to `#to` are in no chunk yet. */
  #block = new Uint8Array(blockBytes)
  #from = 0
  #to = 0
  #values = 0
  readonly #checks = new HeaderCheck()

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
    else this.#chunk(array)
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

  /** All bytes. Nothing can be written afterwards. */
  finish(): Uint8Array[] {
    this.#header(kinds.end, this.#values)
    this.#flush()
    return this.#chunks
  }

  #header(kind: number, value: number): void {
    this.#room(headerBytes)
    this.#checks.write(this.#block, this.#to, kind, value, this.#values++)
    this.#to += headerBytes
  }

  #copy(array: NumberArray): void {
    if (array.byteLength > smallBytes) {
      this.#chunk(array.slice())
      return
    }
    this.#room(array.byteLength)
    this.#block.set(bytesOf(array), this.#to)
    this.#to += array.byteLength
  }

  #chunk(array: NumberArray): void {
    this.#flush()
    this.#chunks.push(bytesOf(array))
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
      throw this.#bad(`it has ${found}, version ${written}, where ${name}, version ${version}, is expected`)
    }
    this.#section = name
  }

  option(name: string, value: number | boolean): void {
    const written = this.#value(kinds.number)
    if (written !== Number(value)) {
      throw this.#bad(`${name} is ${Number(value)} where the state was saved with ${written}`)
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
    if (lengths.length !== count) throw this.#bad('a list of texts has another length than it says')
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
        `an array has ${length} elements where ${array.length} are expected: it was made with other options`,
      )
    }
    this.#read(bytesOf(array))
  }

  growing(array: GrowingArray): void {
    const length = this.#value(kindOf(array.array))
    // A little room, so that the next page that is found does not copy everything again.
    const memory = newLike(array.array, length + (length >>> 3))
    this.#read(bytesOf(memory.subarray(0, length)))
    array.replace(memory, length)
  }

  appended(array: GrowingArray): void {
    this.growing(array)
  }

  /** There must be nothing left. */
  finish(): void {
    const values = this.#values
    if (this.#value(kinds.end) !== values) throw this.#bad('it ends elsewhere than it says')
    if (this.#more()) throw this.#bad('bytes follow its end')
  }

  #value(kind: number): number {
    this.#read(this.#header)
    const value = this.#checks.read(this.#header, this.#values++)
    if (value === undefined) throw this.#bad('it is damaged')
    if (this.#checks.kind !== kind) throw this.#bad('it has another kind of value than is expected')
    return value
  }

  #read(into: Uint8Array): void {
    let filled = 0
    while (filled < into.length) {
      if (!this.#more()) throw this.#bad('it is cut off')
      const piece = this.#chunk.subarray(this.#at, this.#at + into.length - filled)
      into.set(piece, filled)
      filled += piece.length
      this.#at += piece.length
    }
  }

  /** Is there another byte? */
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

/** Headers: kind and check as 32 bits, then the number as 64; lowest byte first. */
class HeaderCheck {
  /** Of the header last read. */
  kind = 0
  readonly #number = new Float64Array(1)
  readonly #words = new Uint32Array(this.#number.buffer)

  write(bytes: Uint8Array, at: number, kind: number, value: number, position: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, headerBytes)
    view.setUint32(0, kind, true)
    view.setUint32(4, this.#check(kind, value, position), true)
    view.setFloat64(8, value, true)
  }

  /** The number in a header; undefined if the header is damaged. */
  read(bytes: Uint8Array, position: number): number | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes)
    this.kind = view.getUint32(0, true)
    const value = view.getFloat64(8, true)
    return view.getUint32(4, true) === this.#check(this.kind, value, position) ? value : undefined
  }

  /** Each step is a bijection, so that no change within one word goes unseen. */
  #check(kind: number, value: number, position: number): number {
    this.#number[0] = value
    const place = fmix32(kind ^ fmix32(position + 1))
    return fmix32(this.#words[1] ^ fmix32(this.#words[0] ^ place))
  }
}

function kindOf(array: NumberArray): number {
  return firstArrayKind + arrayTypes.findIndex((type) => array instanceof type)
}

function newLike<T extends NumberArray>(array: T, length: number): T {
  const Type = arrayTypes[kindOf(array) - firstArrayKind]
  return new Type(length) as T
}

function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Any string comes back, also one that is no valid Unicode. */
function codeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < units.length; i++) units[i] = text.charCodeAt(i)
  return units
}

function textOf(units: Uint16Array): string {
  const pieces: string[] = []
  // As many arguments as every engine takes at once.
  const step = 4096
  for (let at = 0; at < units.length; at += step)
    pieces.push(String.fromCharCode(...units.subarray(at, at + step)))
  return pieces.join('')
}
