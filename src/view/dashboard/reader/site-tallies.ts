/** Figures of each site that follow from the outcomes of its pages, and the newest requests. About 50 bytes per site. */
import { GrowingFloat64, GrowingUint16, GrowingUint32 } from '../../../lib/growing-array.ts'
import type { LookRecord } from '../../../crawler/record/look-record.ts'
import type { OutcomeRecord } from '../../../crawler/record/outcome-record.ts'

/** Names of answers that are kept: statuses and errors. */
const answersMax = 1000

export class SiteTallies {
  readonly bytes = new GrowingFloat64(64)
  readonly freeAt = new GrowingFloat64(64)
  readonly lastStartMs = new GrowingFloat64(64)
  readonly gapMs = new GrowingFloat64(64)
  readonly lastDurationMs = new GrowingUint32(64)
  readonly #lastAnswer = new GrowingUint16(64)
  readonly #answers: string[] = ['']
  readonly #answerNumbers = new Map<string, number>()

  /** A page of the site was requested. */
  requested(site: number, { startMs, durationMs, bytes, status, error }: OutcomeRecord | LookRecord): void {
    this.#admit(site)
    const before = this.lastStartMs.array[site]
    // Outcomes are recorded in the order of their ends.
    if (before > 0) this.gapMs.array[site] = Math.abs(startMs - before)
    this.lastStartMs.array[site] = startMs
    this.lastDurationMs.array[site] = durationMs
    this.bytes.array[site] += bytes
    this.#lastAnswer.array[site] = this.#numberOf(error ?? String(status))
  }

  /** The connection to a site has ended: it rests until then, in seconds since the epoch. */
  closed(site: number, freeAt: number): void {
    this.#admit(site)
    this.freeAt.array[site] = freeAt
  }

  /** Empty if the site was never requested. */
  lastAnswer(site: number): string {
    return this.#answers[this.#lastAnswer.array[site] ?? 0]
  }

  #admit(site: number): void {
    for (const array of [this.bytes, this.freeAt, this.lastStartMs, this.gapMs]) array.ensure(site)
    this.lastDurationMs.ensure(site)
    this.#lastAnswer.ensure(site)
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
