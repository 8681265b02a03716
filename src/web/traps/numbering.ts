import { fingerprint } from '../../lib/fingerprint.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import type { StateCodec } from '../../lib/state.ts'

/** Number of names remembered. */
export const namesMax = 1_000_000

/** Numbers names in the order in which they are added. By fingerprint: names may be long, and hostile sites have many. */
export class Numbering {
  readonly #names = new FingerprintTable()
  readonly #words = new Uint32Array(2)

  find(name: string): number | undefined {
    const number = this.#find(name)
    return number === unseen ? undefined : number
  }

  /** Undefined for a new name if there are too many. */
  add(name: string): number | undefined {
    const known = this.#find(name)
    if (known !== unseen) return known
    return this.#names.count === namesMax ? undefined : this.#names.add(this.#words[0], this.#words[1])
  }

  #find(name: string): number {
    fingerprint(name, this.#words, 0)
    return this.#names.find(this.#words[0], this.#words[1])
  }

  transfer(state: StateCodec): void {
    this.#names.transfer(state)
  }
}
