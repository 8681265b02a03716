/**
 * Finds the most similar of millions of sketches: banded LSH in typed arrays.
 *
 *   slots:   key ─▶ place of a sketch      open addressing, four slots per sketch, half to three quarters
 *   used
 *   chunks:  sketch (10 words), page       never copied; only the last has spare room
 *
 * 44 bytes per sketch and 21 to 32 for its slots. Sketches that share a key are compared by their bits. A key
 * shared by many sketches (for example, of a site's template) leads only to the first of them. So the number
 * of comparisons per page is bounded, and a page that differs from its template is found by another key.
 */
import { freeMemory, newMemory } from '../../lib/large-memory.ts'
import type { StateCodec } from '../../lib/state.ts'
import { differingBits, keyAt, similarities, sketchKeys, sketchWords } from './sketch.ts'

const recordWords = sketchWords + 1
const chunkRecords = 4096
/** Maximum number of sketches per key. */
const sameKeyMax = 32
const slotsAtFirst = 4096
const noRecords = new Uint32Array(0)

interface NearIndexOptions {
  /** Minimum similarity of a match. */
  readonly threshold: number
  /** Maximum number of sketches stored; later sketches are only compared with these. */
  readonly sketchesMax?: number
}

export class NearIndex {
  readonly #threshold: number
  readonly #similarities: Float64Array
  readonly #sketchesMax: number
  readonly #chunks: Uint32Array[] = []
  /** Four times a sketch's position, plus the number of the key, plus one; 0 if free. */
  #slots = new Uint32Array(slotsAtFirst)
  #slotsUsed = 0
  count = 0
  /** Similarity of the last match. */
  similarity = 0

  constructor({ threshold, sketchesMax = 100_000_000 }: NearIndexOptions) {
    this.#threshold = threshold
    this.#similarities = similarities(threshold)
    this.#sketchesMax = sketchesMax
  }

  /** The page with the most similar sketch, the earliest of several; -1 if there is none. */
  find(sketch: Uint32Array): number {
    let best = -1
    this.similarity = 0
    for (let key = 0; key < sketchKeys; key++) {
      const wanted = keyAt(sketch, 0, key)
      for (let slot = this.#first(wanted); this.#slots[slot] !== 0; slot = this.#next(slot)) {
        const place = (this.#slots[slot] - 1) >>> 2
        const chunk = this.#chunks[Math.floor(place / chunkRecords)]
        const at = (place % chunkRecords) * recordWords
        if (keyAt(chunk, at, (this.#slots[slot] - 1) & 3) !== wanted) continue
        const like = this.#similarities[differingBits(chunk, at, sketch)]
        if (like < this.#threshold || like < this.similarity) continue
        if (like === this.similarity && best >= 0 && best <= place) continue
        best = place
        this.similarity = like
      }
    }
    return best < 0 ? -1 : this.#record(best)[(best % chunkRecords) * recordWords + sketchWords]
  }

  /** Stores a page's sketch for later matches. */
  add(page: number, sketch: Uint32Array): void {
    if (this.count >= this.#sketchesMax) return
    if (4 * (this.#slotsUsed + sketchKeys) > 3 * this.#slots.length) this.#grow()
    const place = this.count++
    if (place % chunkRecords === 0) this.#chunks.push(new Uint32Array(chunkRecords * recordWords))
    const at = (place % chunkRecords) * recordWords
    const chunk = this.#record(place)
    chunk.set(sketch, at)
    chunk[at + sketchWords] = page
    this.#link(place)
  }

  /** Sketches never change, so only the slots are copied. */
  transfer(state: StateCodec): void {
    state.section('near index', 1)
    state.option('threshold', this.#threshold)
    this.count = state.number(this.count)
    this.#slotsUsed = state.number(this.#slotsUsed)
    this.#slots = state.array(this.#slots)
    for (let first = 0; first < this.count; first += chunkRecords) {
      const words = Math.min(chunkRecords, this.count - first) * recordWords
      const records = state.constant(state.isReading ? noRecords : this.#record(first).subarray(0, words))
      if (!state.isReading) continue
      const chunk = new Uint32Array(chunkRecords * recordWords)
      chunk.set(records)
      this.#chunks.push(chunk)
    }
  }

  /** Bytes in total. */
  get byteLength(): number {
    return this.#slots.byteLength + this.#chunks.length * chunkRecords * recordWords * 4
  }

  #link(place: number): void {
    const chunk = this.#record(place)
    for (let key = 0; key < sketchKeys; key++) {
      const own = keyAt(chunk, (place % chunkRecords) * recordWords, key)
      let slot = this.#first(own)
      let same = 0
      for (; this.#slots[slot] !== 0; slot = this.#next(slot)) if (this.#keyIn(slot) === own) same++
      if (same >= sameKeyMax) continue
      this.#slots[slot] = 4 * place + key + 1
      this.#slotsUsed++
    }
  }

  #grow(): void {
    const length = Math.ceil(this.#slots.length * 1.5)
    freeMemory(this.#slots)
    this.#slots = new Uint32Array(newMemory(4 * length), 0, length)
    this.#slotsUsed = 0
    for (let place = 0; place < this.count; place++) this.#link(place)
  }

  #record(place: number): Uint32Array {
    return this.#chunks[Math.floor(place / chunkRecords)]
  }

  #keyIn(slot: number): number {
    const place = (this.#slots[slot] - 1) >>> 2
    return keyAt(this.#record(place), (place % chunkRecords) * recordWords, (this.#slots[slot] - 1) & 3)
  }

  /** The number of slots is not a power of two: tables that grow by half have a better load factor. */
  #first(key: number): number {
    return Math.floor((key / 0x1_0000_0000) * this.#slots.length)
  }

  #next(slot: number): number {
    return slot + 1 === this.#slots.length ? 0 : slot + 1
  }
}
