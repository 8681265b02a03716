/**
 * The upper half of Mercator's frontier: pages in queues by priority, and the biased selector that draws from
 * them.
 *
 *   key ─▶ prioritiser ─▶ priority F  ▭▭▭ ─┐
 *                                  …       ├─ draw ─▶ page
 *                         priority 1  ▭▭▭ ─┘
 *
 * The highest queue with pages has weight 1, each one below it 2^bias times less; an empty queue has none. So
 * every queue is eventually drawn from, unless the bias is infinite. 1 byte per page besides the queues; O(F)
 * per draw.
 */
import { assert } from '../../lib/assert.ts'
import { GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { PageFifos } from './page-fifo.ts'
import { seededRandom, type Random } from '../../lib/random.ts'
import type { StateCodec } from '../../lib/state.ts'

interface FrontQueuesOptions {
  /** Number of queues, at most 100. */
  readonly count: number
  readonly bias: number
  readonly reprioritise: boolean
  readonly seed: number
  readonly pagesHint?: number | undefined
}

/** Replaces the priority: the page is in none of these queues. */
const absent = 0
/** Flag on a priority: no page has been taken since this one was added. */
const fresh = 0x80

export class FrontQueues {
  /** Queues 0 to count - 1 are the front queues: priority p is queue p - 1. */
  readonly #queues: PageFifos
  readonly #bands: PriorityBands
  readonly #reprioritise: boolean
  /** Weights by distance from the highest queue with pages. */
  readonly #weights: Float64Array
  readonly #random: Random
  readonly #priorities: GrowingUint8
  #pages = 0
  /** The fresh pages, tracked only if priorities become fixed; some may have left already. */
  readonly #newcomers = new GrowingUint32(16)
  #newcomerCount = 0

  constructor(queues: PageFifos, options: FrontQueuesOptions) {
    const { count, bias, reprioritise, seed, pagesHint } = options
    this.#queues = queues
    this.#bands = new PriorityBands(count, seed)
    this.#reprioritise = reprioritise
    this.#weights = new Float64Array(count).fill(1)
    const step = 2 ** -bias
    for (let below = 1; below < count; below++) this.#weights[below] = this.#weights[below - 1] * step
    this.#random = seededRandom(seed, 2)
    this.#priorities = new GrowingUint8(pagesHint)
  }

  /** Adds a page. `waiting`: number of pages in the whole frontier. */
  add(page: number, key: number, waiting: number): void {
    this.#priorities.ensure(page)
    this.#pages = Math.max(this.#pages, page + 1)
    const priority = this.#prioritise(key, waiting)
    this.#queues.append(priority - 1, page)
    this.#priorities.array[page] = priority
    if (this.#reprioritise) return
    this.#priorities.array[page] |= fresh
    this.#newcomers.ensure(this.#newcomerCount)
    this.#newcomers.array[this.#newcomerCount++] = page
  }

  /**
   * Changes the key of a page, which may move it to the end of another queue. No effect on a page that has
   * left.
   */
  update(page: number, key: number, waiting: number): void {
    const old = this.#priorities.array[page]
    if (old === absent || !(this.#reprioritise || (old & fresh) !== 0)) return
    const before = old & ~fresh
    const priority = this.#prioritise(key, waiting)
    if (priority === before) return
    this.#queues.remove(before - 1, page)
    this.#queues.append(priority - 1, page)
    this.#priorities.array[page] = priority | (old & fresh)
  }

  /** Draws a page and removes it. There must be one. */
  pull(): number {
    const page = this.#queues.shift(this.#choose())
    this.#priorities.array[page] = absent
    return page
  }

  /** A page is taken from the frontier: no page is fresh any longer. */
  settle(): void {
    const newcomers = this.#newcomers.array
    for (let i = 0; i < this.#newcomerCount; i++) this.#priorities.array[newcomers[i]] &= ~fresh
    this.#newcomerCount = 0
  }

  /** All pages have left; the owner of the queues has emptied them. */
  clear(): void {
    this.#priorities.array.fill(absent, 0, this.#pages)
    this.#newcomerCount = 0
  }

  #prioritise(key: number, waiting: number): number {
    this.#bands.observe(key, waiting)
    return this.#bands.priorityOf(key)
  }

  #choose(): number {
    const queues = this.#queues
    const weights = this.#weights
    let highest = weights.length - 1
    while (highest >= 0 && queues.length(highest) === 0) highest--
    assert(highest >= 0, 'cannot pull a page from empty front queues')
    let total = 0
    for (let queue = highest; queue >= 0; queue--)
      if (queues.length(queue) > 0) total += weights[highest - queue]
    let left = this.#random.fraction() * total
    for (let queue = 0; queue < highest; queue++) {
      if (queues.length(queue) === 0) continue
      left -= weights[highest - queue]
      if (left < 0) return queue
    }
    return highest
  }

  /** The owner transfers the queues themselves. */
  transfer(state: StateCodec): void {
    state.section('front queues', 1)
    this.#pages = state.number(this.#pages)
    this.#random.transfer(state)
    this.#bands.transfer(state)
    state.growing(this.#priorities)
    const newcomers = state.array(this.#newcomers.array.subarray(0, this.#newcomerCount))
    if (!state.isReading) return
    this.#newcomers.replace(newcomers, newcomers.length)
    this.#newcomerCount = newcomers.length
  }

  get byteLength(): number {
    return this.#priorities.array.byteLength + this.#newcomers.array.byteLength + this.#bands.byteLength
  }
}

/**
 * Maps keys of any scale to priorities 1 to n by the rank of a key among recent keys. Keys may be counts,
 * masses that shrink as the crawl grows, or negated depths. Only the order of the keys matters: doubling them
 * all, or taking their logarithm, gives the same priorities.
 *
 * A sample of 1,024 keys is kept as in reservoir sampling, with the number of waiting pages in place of the
 * number of keys seen: it goes back about as many keys as pages wait, so that old scales fade out. Its
 * distinct values, the highest first, are cut into bands, each √2 times as wide as the one above:
 *
 *   priority  16 15  14   13     12        11 …                                                    1
 *            ├──┼──┼───┼────┼───────┼──────────┼ … ┼────────────────────────────────────────────────┤
 *            0.2% of the values                                                                   29%
 *
 * Repeated values count once: with link counts, most pages have the same few scores, and the rare ones must
 * be distinguished. The cost per key is one draw and one binary search. The cuts are recomputed when a
 * quarter of the sample has changed, which happens less and less often as the crawl grows.
 */

const sampleSize = 1024
const widening = Math.SQRT2

export class PriorityBands {
  readonly #sample = new Float64Array(sampleSize)
  readonly #sorted = new Float64Array(sampleSize)
  #sampled = 0
  /** Keys added to the sample since the cuts were computed. */
  #changed = 0
  readonly #random: Random
  /**
   * tooLow[p - 1] is the highest key below priority p. Non-decreasing in p; the lowest key seen has priority
   * 1.
   */
  readonly #tooLow: Float64Array
  /** For the same indices: the share of the values, from the top, with priority p or more. */
  readonly #parts: Float64Array

  constructor(priorities: number, seed: number) {
    this.#random = seededRandom(seed, 1)
    this.#tooLow = new Float64Array(priorities).fill(-Infinity)
    this.#parts = new Float64Array(priorities)
    // Uses multiplication, which gives the same bits on every machine; powers do not.
    let width = 1
    let sum = 0
    for (let i = priorities - 1; i >= 0; i--) {
      this.#parts[i] = sum += width
      width *= widening
    }
    for (let i = 0; i < priorities; i++) this.#parts[i] /= sum
  }

  /** The priority of this key. */
  priorityOf(key: number): number {
    const tooLow = this.#tooLow
    let low = 1
    let high = tooLow.length
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (key > tooLow[middle - 1]) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Adds a key to the sample; `waiting` is the number of pages with a key. */
  observe(key: number, waiting: number): void {
    if (this.#sampled < sampleSize) this.#sample[this.#sampled++] = key
    else {
      const place = this.#random.below(Math.max(sampleSize, waiting))
      if (place >= sampleSize) return
      this.#sample[place] = key
    }
    if (++this.#changed * 4 >= this.#sampled) this.#cut()
  }

  #cut(): void {
    this.#changed = 0
    const sorted = this.#sorted.subarray(0, this.#sampled)
    sorted.set(this.#sample.subarray(0, this.#sampled))
    sorted.sort()
    let values = 0
    for (let i = 0; i < sorted.length; i++)
      if (i === 0 || sorted[i] !== sorted[values - 1]) sorted[values++] = sorted[i]
    const tooLow = this.#tooLow
    for (let i = 1; i < tooLow.length; i++) {
      tooLow[i] = sorted[Math.max(0, values - 1 - Math.ceil(this.#parts[i] * values))]
    }
  }

  transfer(state: StateCodec): void {
    state.section('priority bands', 1)
    this.#sampled = state.number(this.#sampled)
    this.#changed = state.number(this.#changed)
    this.#random.transfer(state)
    state.fixed(this.#sample)
    state.fixed(this.#tooLow)
  }

  get byteLength(): number {
    return (
      this.#sample.byteLength + this.#sorted.byteLength + this.#tooLow.byteLength + this.#parts.byteLength
    )
  }
}
