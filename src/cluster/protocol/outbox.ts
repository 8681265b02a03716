/** The messages of a shard that are not settled: some shard may not have applied them yet. */
import type { StateCodec } from '../../lib/state.ts'

export class Outbox {
  /** Every shard has applied the messages up to this one. */
  settled = 0
  #messages: Uint8Array[] = []
  /** The sums of their negative amounts, without sign: until a message is settled, the shards that it is for may count that mass as certain. */
  #owed: number[] = []

  add(message: Uint8Array, owed: number): void {
    this.#messages.push(message)
    this.#owed.push(owed)
  }

  /** Message `number`; undefined if it is settled or not cut yet. */
  message(number: number): Uint8Array | undefined {
    return this.#messages[number - this.settled - 1]
  }

  settle(number: number): void {
    if (number <= this.settled) return
    this.#messages.splice(0, number - this.settled)
    this.#owed.splice(0, number - this.settled)
    this.settled = number
  }

  /** What all messages call back. */
  get owed(): number {
    return this.#owed.reduce((sum, each) => sum + each, 0)
  }

  transfer(state: StateCodec): void {
    this.settled = state.number(this.settled)
    const count = state.number(this.#messages.length)
    this.#messages = Array.from({ length: count }, (_, i) =>
      state.array(this.#messages[i] ?? new Uint8Array(0)),
    )
    this.#owed = [...state.array(Float64Array.from(this.#owed))]
  }
}
