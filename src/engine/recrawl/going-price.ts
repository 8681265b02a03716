/** The keys at which pages were taken lately, and how often held pages were: what forecasts follow from. */
import type { StateCodec } from '../../lib/state.ts'

/** Choices that the averages go over. */
const choicesMax = 1000

export class GoingPrice {
  /** The key of the page taken last. */
  taken = 0
  /** The average of the keys at which pages were taken lately. */
  mean = 0
  /** Looks at held pages, and the mean time between two of them lately, in days. */
  heldLooks = 0
  #heldGapDays = 0
  #heldDay = 0

  /** The page with the key `taken` is fetched: the `choice`-th one. */
  fetched(choice: number): void {
    if (Number.isFinite(this.taken)) this.mean += (this.taken - this.mean) / Math.min(choicesMax, choice)
  }

  /** A held page is taken. */
  looked(day: number): void {
    if (this.heldLooks > 0) {
      const gapDays = Math.max(0, day - this.#heldDay)
      this.#heldGapDays += (gapDays - this.#heldGapDays) / Math.min(choicesMax, this.heldLooks)
    }
    this.heldLooks++
    this.#heldDay = day
  }

  /** Looks at held pages per day, lately; 0 before the second one. */
  get heldPerDay(): number {
    return this.#heldGapDays > 0 ? 1 / this.#heldGapDays : 0
  }

  transfer(state: StateCodec): void {
    state.section('going price', 1)
    this.mean = state.number(this.mean)
    this.heldLooks = state.number(this.heldLooks)
    this.#heldGapDays = state.number(this.#heldGapDays)
    this.#heldDay = state.number(this.#heldDay)
  }
}
