/**
 * Finds, among millions of sketches, one that is like a given one: banded LSH in typed arrays.
 *
 *   slots:   key ─▶ place of a sketch      open addressing, four slots a sketch, half to three quarters used
 *   chunks:  sketch (10 words), page       never copied, no room to spare but in the last
 *
 * 44 bytes a sketch and 21 to 32 for its slots. Those that share a key with the given one are compared by their bits.
 * A key that many sketches have (a site's template, say) finds the first of them alone: however alike pages are, none
 * costs more than a fixed number of comparisons, and a page that differs from its template is found by another key.
 */
import type { StateCodec } from '../lib/state.ts'
import { differingBits, keyAt, similarities, sketchKeys, sketchWords } from './sketch.ts'

const recordWords = sketchWords + 1
const chunkRecords = 4096
/** Sketches that one key leads to. */
const sameKeyMax = 32
const slotsAtFirst = 4096
const noRecords = new Uint32Array(0)

export interface NearIndexOptions {
  /** From which similarity on a page is found. */
  readonly threshold: number
  /** Sketches that are kept; those after them are only compared with these. */
  readonly sketchesMax?: number
}

export class NearIndex {
  readonly #threshold: number
  readonly #similarities: Float64Array
  readonly #sketchesMax: number
  readonly #chunks: Uint32Array[] = []
  /** Four times a sketch's place, plus the number of the key, plus one; 0: free. */
  #slots = new Uint32Array(slotsAtFirst)
  #slotsUsed = 0
  count = 0
  /** Of the page that was found last. */
  similarity = 0

  constructor({ threshold, sketchesMax = 100_000_000 }: NearIndexOptions) {
    this.#threshold = threshold
    this.#similarities = similarities(threshold)
    this.#sketchesMax = sketchesMax
  }

  /** The page whose sketch is most like this one, the earliest of several; -1: none is like it. */
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

  /** Keeps a page's sketch, to be found from now on. */
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

  /** Sketches never change: only the slots are copied. */
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

  /** Of everything that is kept. */
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
    this.#slots = new Uint32Array(Math.ceil(this.#slots.length * 1.5))
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

  /** The length of the slots is no power of two: tables that grow by half are filled better. */
  #first(key: number): number {
    return Math.floor((key / 0x1_0000_0000) * this.#slots.length)
  }

  #next(slot: number): number {
    return slot + 1 === this.#slots.length ? 0 : slot + 1
  }
}
