/** The states of held pages, how often each was looked at, and the time between its last two looks: 7 bytes per page. */
import { GrowingFloat32, GrowingUint16, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { verdicts, type Verdict } from './recrawl-policy.ts'

/** In the frontier of held pages. */
export const waits = 1
export const inFlight = 2
/** Was looked at, and is not fetched for a while. */
export const rests = 3
/** Not fetched again, unless a page fetched later links to it. */
export const gone = 4
/** Not fetched while robots.txt disallows it. */
export const forbidden = 5

const stateBits = 7
const verdictShift = 3
const looksMax = 0xffff

export class HeldPages {
  /** The state and, above it, the last verdict. */
  readonly #states = new GrowingUint8()
  readonly #looks = new GrowingUint16()
  /** Days between the last two looks that observed the page; 0 before the second one. */
  readonly #intervals = new GrowingFloat32()
  /** Held pages in flight. */
  inFlight = 0
  /** Pages that are gone. */
  gone = 0
  /** Looks at held pages that observed them, and how many of those found a change. */
  refreshes = 0
  changes = 0

  /** The state of a page; 0 if it is not held. */
  of(page: number): number {
    return page < this.#states.length ? this.#states.array[page] & stateBits : 0
  }

  set(page: number, state: number): void {
    this.#states.ensure(page)
    const before = this.#states.array[page]
    this.#states.array[page] = (before & ~stateBits) | state
    if ((before & stateBits) === inFlight) this.inFlight--
    if (state === inFlight) this.inFlight++
    if ((before & stateBits) === gone) this.gone--
    if (state === gone) this.gone++
  }

  /** `sinceDays`: the time since the last look that observed the page. */
  looked(page: number, verdict: Verdict, sinceDays: number): void {
    this.#states.ensure(page)
    this.#looks.ensure(page)
    this.#intervals.ensure(page)
    const state = this.#states.array[page] & stateBits
    this.#states.array[page] = state | (verdicts.indexOf(verdict) << verdictShift)
    if (this.#looks.array[page] < looksMax) this.#looks.array[page]++
    if (verdict === 'first' || verdict === 'failed' || verdict === 'forbidden') return
    this.#intervals.array[page] = sinceDays
    this.refreshes++
    if (verdict !== 'same') this.changes++
  }

  /** Number of looks at a page, failed ones included; at most 65,535. */
  looks(page: number): number {
    return page < this.#looks.length ? this.#looks.array[page] : 0
  }

  /** Days between the last two looks that observed the page; undefined before the second one. */
  intervalDays(page: number): number | undefined {
    const days = page < this.#intervals.length ? this.#intervals.array[page] : 0
    return days > 0 ? days : undefined
  }

  lastVerdict(page: number): Verdict | undefined {
    return this.looks(page) === 0 ? undefined : verdicts[this.#states.array[page] >> verdictShift]
  }

  /** The pages in flight. */
  *underWay(): Generator<number> {
    for (let page = 0; page < this.end; page++) if (this.of(page) === inFlight) yield page
  }

  /** One more than the highest number of a held page. */
  get end(): number {
    return this.#states.length
  }

  transfer(state: StateCodec): void {
    state.section('held pages', 2)
    state.growing(this.#states)
    state.growing(this.#looks)
    state.growing(this.#intervals)
    this.inFlight = state.number(this.inFlight)
    this.gone = state.number(this.gone)
    this.refreshes = state.number(this.refreshes)
    this.changes = state.number(this.changes)
  }

  get byteLength(): number {
    return [this.#states, this.#looks, this.#intervals].reduce((sum, { array }) => sum + array.byteLength, 0)
  }
}
