/** A queue of pages, first in, first out, each at most once at a time: a ring buffer that grows. */
import { GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

export class PageQueue {
  #ring = new Uint32Array(1024)
  #from = 0
  length = 0
  readonly #queued = new GrowingUint8()

  push(page: number): void {
    this.#queued.ensure(page)
    if (this.#queued.array[page] === 1) return
    this.#queued.array[page] = 1
    if (this.length === this.#ring.length) this.#grow()
    this.#ring[(this.#from + this.length++) & (this.#ring.length - 1)] = page
  }

  shift(): number {
    const page = this.#ring[this.#from]
    this.#from = (this.#from + 1) & (this.#ring.length - 1)
    this.length--
    this.#queued.array[page] = 0
    return page
  }

  transfer(state: StateCodec): void {
    const pages = Uint32Array.from({ length: this.length }, (_, i) => this.#at(i))
    for (const page of state.array(pages)) if (state.isReading) this.push(page)
  }

  #at(index: number): number {
    return this.#ring[(this.#from + index) & (this.#ring.length - 1)]
  }

  #grow(): void {
    const larger = new Uint32Array(this.#ring.length * 2)
    for (let i = 0; i < this.length; i++) larger[i] = this.#at(i)
    this.#ring = larger
    this.#from = 0
  }
}
