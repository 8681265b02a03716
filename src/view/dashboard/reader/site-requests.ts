/** The last request to each host, and the newest requests of all. About 22 bytes per host. */
import { GrowingFloat64, GrowingUint16, GrowingUint32 } from '../../../lib/growing-array.ts'
import type { LookRecord } from '../../../crawler/record/look-record.ts'
import type { OutcomeRecord } from '../../../crawler/record/outcome-record.ts'

/** Names of answers that are kept: statuses and errors. */
const answersMax = 1000

/** The last request to each host. */
export class LastRequests {
  readonly startMs = new GrowingFloat64(64)
  /** Between the starts of the last two. */
  readonly gapMs = new GrowingFloat64(64)
  readonly durationMs = new GrowingUint32(64)
  readonly #answer = new GrowingUint16(64)
  readonly #answers: string[] = ['']
  readonly #answerNumbers = new Map<string, number>()

  add(host: number, { startMs, durationMs, status, error }: OutcomeRecord | LookRecord): void {
    for (const array of [this.startMs, this.gapMs, this.durationMs, this.#answer]) array.ensure(host)
    const before = this.startMs.array[host]
    // Outcomes are recorded in the order of their ends.
    if (before > 0) this.gapMs.array[host] = Math.abs(startMs - before)
    this.startMs.array[host] = startMs
    this.durationMs.array[host] = durationMs
    this.#answer.array[host] = this.#numberOf(error ?? String(status))
  }

  /** Empty if the host was never requested. */
  answer(host: number): string {
    return this.#answers[this.#answer.array[host] ?? 0]
  }

  #numberOf(answer: string): number {
    const known = this.#answerNumbers.get(answer)
    if (known !== undefined) return known
    if (this.#answers.length > answersMax) return this.#numberOf('other')
    this.#answerNumbers.set(answer, this.#answers.length)
    return this.#answers.push(answer) - 1
  }
}

/** The newest requests of a crawl: 16 bytes each. */
export class RequestRing {
  readonly #pages: Uint32Array
  readonly #startMs: Float64Array
  readonly #durationMs: Uint32Array
  #count = 0

  constructor(size: number) {
    this.#pages = new Uint32Array(size)
    this.#startMs = new Float64Array(size)
    this.#durationMs = new Uint32Array(size)
  }

  add(page: number, startMs: number, durationMs: number): void {
    const at = this.#count++ % this.#pages.length
    this.#pages[at] = page
    this.#startMs[at] = startMs
    this.#durationMs[at] = durationMs
  }

  /** The newest first. */
  *newest(): Generator<{ page: number; startMs: number; durationMs: number }> {
    const size = this.#pages.length
    for (let i = this.#count - 1; i >= Math.max(0, this.#count - size); i--) {
      const at = i % size
      yield { page: this.#pages[at], startMs: this.#startMs[at], durationMs: this.#durationMs[at] }
    }
  }
}
