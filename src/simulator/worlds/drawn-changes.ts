/**
 * Changes drawn from page ids, so that every policy and every implementation sees the same ones (docs/theory/freshness.md): each
 * page changes in a Poisson process. The changes of a page are drawn one after the other, as far as they are needed: 20
 * bytes per page.
 */
import { hashId, unit } from '../../lib/hash.ts'
import { normalQuantile } from '../../lib/normal-quantile.ts'
import type { PageChanges } from './changing-pages.ts'

const rateSalt = 10
const changeSalt = 1000
const medianRate = 1 / 20
const rateSpread = 2

/** Changes per day of a page without a given rate. */
function drawnChangeRate(id: number): number {
  return Math.exp(Math.log(medianRate) + rateSpread * normalQuantile(unit(hashId(id, rateSalt))))
}

/** Days from the change before to the change with this number, from 0; the first one from the start. */
function drawnChangeGap(id: number, change: number, rate: number): number {
  return -Math.log(unit(hashId(id, changeSalt + change))) / rate
}

export class DrawnChanges implements PageChanges {
  readonly #ids: ArrayLike<number>
  readonly #rates: Float64Array
  /** The next change of each page that has not been passed, and its number. */
  readonly #next: Float64Array
  readonly #numbers: Uint32Array

  /** `rates`: changes per day by page; NaN where they are drawn. */
  constructor(ids: ArrayLike<number>, rates?: ArrayLike<number>) {
    const pages = ids.length
    this.#ids = ids
    this.#rates = Float64Array.from({ length: pages }, (_, node) => {
      const given = rates === undefined ? NaN : rates[node]
      return given >= 0 ? given : drawnChangeRate(ids[node])
    })
    this.#next = new Float64Array(pages)
    this.#numbers = new Uint32Array(pages)
    for (let node = 0; node < pages; node++) this.#advance(node, 0)
  }

  bornAt(): number {
    return 0
  }

  goneAt(): number {
    return Infinity
  }

  nextChange(node: number, day: number): number {
    while (this.#next[node] <= day) this.#advance(node, ++this.#numbers[node])
    return this.#next[node]
  }

  #advance(node: number, change: number): void {
    const rate = this.#rates[node]
    this.#next[node] += rate === 0 ? Infinity : drawnChangeGap(this.#ids[node], change, rate)
  }

  rateOf(node: number): number {
    return this.#rates[node]
  }
}
