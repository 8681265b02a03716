/** The keys at which pages were taken lately. */
import type { StateCodec } from '../../lib/state.ts'

/** Choices that the average goes over. */
const choicesMax = 1000

export class GoingPrice {
  /** The key of the page taken last. */
  taken = 0
  /** The average of the keys at which pages were taken lately. */
  mean = 0

  /** The page with the key `taken` is fetched: the `choice`-th one. */
  fetched(choice: number): void {
    if (Number.isFinite(this.taken)) this.mean += (this.taken - this.mean) / Math.min(choicesMax, choice)
  }

  transfer(state: StateCodec): void {
    state.section('going price', 2)
    this.mean = state.number(this.mean)
  }
}
