/** Replaces the last part of a saved state without restoring the parts before it. */
import { RankwardError } from './errors.ts'
import { HeaderCheck, headerBytes } from './state-header.ts'
import { contentBytes, kinds, StateWriter, textOf, type Stateful } from './state.ts'

/** Longer arrays are passed on in pieces of this size. */
const pieceBytes = 1 << 20

/**
 * The bytes of a saved state in which `part` replaces everything from the section of this name on. Throws
 * `BAD_SNAPSHOT` if there is no such section.
 */
export function* withLastPart(
  chunks: Iterable<Uint8Array>,
  name: string,
  part: Stateful,
): Generator<Uint8Array> {
  const source = new StateBytes(chunks)
  let values = 0
  for (;;) {
    const { kind, value, bytes } = source.header(values)
    if (kind === kinds.end) throw bad(`it has no ${name}`)
    if (kind === kinds.section) {
      const title = source.header(values + 1)
      const text = source.read(contentBytes(title.kind, title.value))
      if (textOf(new Uint16Array(text.buffer)) === name) break
      yield bytes
      yield title.bytes
      yield text
      values += 2
      continue
    }
    yield bytes
    for (let left = contentBytes(kind, value); left > 0; left -= pieceBytes)
      yield source.read(Math.min(left, pieceBytes))
    values++
  }
  const writer = new StateWriter(values)
  part.transfer(writer)
  yield* writer.finish()
}

interface StateHeader {
  readonly kind: number
  readonly value: number
  readonly bytes: Uint8Array
}

/** The bytes of a saved state, from front to back. */
class StateBytes {
  readonly #source: Iterator<Uint8Array>
  readonly #checks = new HeaderCheck()
  #chunk: Uint8Array = new Uint8Array(0)
  #at = 0

  constructor(chunks: Iterable<Uint8Array>) {
    this.#source = chunks[Symbol.iterator]()
  }

  /** The header of the value at this position. */
  header(position: number): StateHeader {
    const bytes = this.read(headerBytes)
    const value = this.#checks.read(bytes, position)
    if (value === undefined) throw bad('it is damaged')
    return { kind: this.#checks.kind, value, bytes }
  }

  read(count: number): Uint8Array {
    const bytes = new Uint8Array(count)
    for (let filled = 0; filled < count;) {
      if (this.#at === this.#chunk.length) {
        const next = this.#source.next()
        if (next.done === true) throw bad('it is truncated')
        this.#chunk = next.value
        this.#at = 0
        continue
      }
      const piece = this.#chunk.subarray(this.#at, this.#at + count - filled)
      bytes.set(piece, filled)
      filled += piece.length
      this.#at += piece.length
    }
    return bytes
  }
}

function bad(what: string): RankwardError {
  return new RankwardError('BAD_SNAPSHOT', `The saved state cannot be read: ${what}.`)
}
