import { fingerprint } from '../../lib/fingerprint.ts'
import { transferNumbering } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'

/** Number of names remembered. */
const countMax = 1_000_000

/** Numbers names in the order in which they are added. By fingerprint: names may be long, and hostile sites have many. */
export class Numbering {
  readonly #numbers = new Map<number, number>()
  readonly #words = new Uint32Array(2)

  find(name: string): number | undefined {
    return this.#numbers.get(this.#keyOf(name))
  }

  /** Undefined for a new name if there are too many. */
  add(name: string): number | undefined {
    const key = this.#keyOf(name)
    const known = this.#numbers.get(key)
    if (known !== undefined || this.#numbers.size === countMax) return known
    this.#numbers.set(key, this.#numbers.size)
    return this.#numbers.size - 1
  }

  #keyOf(name: string): number {
    fingerprint(name, this.#words, 0)
    return (this.#words[1] & 0x1f_ffff) * 2 ** 32 + this.#words[0]
  }

  transfer(state: StateCodec): void {
    transferNumbering(state, this.#numbers)
  }
}
