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
import { PriorityBands } from './priority-bands.ts'
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
