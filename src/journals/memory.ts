/** A journal that lasts as long as the process: for simulations and tests. What is appended is durable at once. */
import type { Journal } from '../engine/journal.ts'
import { RankwardError } from '../lib/errors.ts'

export class MemoryJournal implements Journal {
  readonly #batches: Uint8Array[] = []
  #closed = false

  append(facts: Uint8Array): void {
    if (this.#closed) {
      throw new RankwardError(
        'FILE_UNWRITABLE',
        'The journal in memory is closed: open a new one to go on writing.',
      )
    }
    this.#batches.push(facts)
  }

  flushed(): Promise<void> {
    return Promise.resolve()
  }

  async *read(): AsyncGenerator<Uint8Array> {
    // What is appended while it is read belongs to the next reading.
    const count = this.#batches.length
    for (let i = 0; i < count; i++) yield this.#batches[i]
  }

  close(): Promise<void> {
    this.#closed = true
    return Promise.resolve()
  }
}
