/**
 * The importance collected after 1%, 2% … 100% of the web (docs/theory/semantics.md S23, S24), with the curves of an
 * ideal and of a random crawler. If importance is PageRank, the whole web has 1.
 *
 * The curve of a crawl that stopped early is flat from there on, so the mean over k = 1..N counts each page
 * from its position in fetch order to N. One pass, without a copy of the order.
 */
import { assert } from '../../lib/assert.ts'
import { type Importance, largestFirst } from './importance-ranking.ts'
import { checkpoints } from './percent.ts'

export interface CumulativeImportance {
  /** The sum over the pages crawled at 1% … 100%. */
  readonly curve: number[]
  /** The mean of the sum over k = 1..N; 0 for a web without pages. */
  readonly average: number
}

/** `order` is the fetch order, each page once; pages that are not in it were never crawled. */
export function cumulativeImportance(order: Uint32Array, importance: Importance): CumulativeImportance {
  assert(order.length <= importance.length, 'a crawl order holds more pages than its web')
  return accumulate(importance.length, order.length, (place) => importance[order[place]])
}

/** Most important page first: an upper bound of all curves. */
export function idealImportance(
  importance: Importance,
  ranked = largestFirst(importance),
): CumulativeImportance {
  return accumulate(ranked.length, ranked.length, (place) => ranked[place])
}

function accumulate(pages: number, crawled: number, gain: (place: number) => number): CumulativeImportance {
  const gathered = new CompensatedSum()
  const weighted = new CompensatedSum()
  let place = 0
  const curve = checkpoints(pages).map((k) => {
    for (const end = Math.min(k, crawled); place < end; place++) {
      const gained = gain(place)
      gathered.add(gained)
      weighted.add(gained * (pages - place))
    }
    return gathered.value
  })
  return { curve, average: pages === 0 ? 0 : weighted.value / pages }
}

/**
 * A sum that keeps the rounding error of each addition (Neumaier's variant of Kahan's summation). Its error
 * does not grow with the number of terms: the shares of 100 million pages add up to 1 within one or two units
 * of the last digit.
 */
export class CompensatedSum {
  #sum = 0
  #lost = 0

  add(term: number): void {
    const sum = this.#sum + term
    // The smaller of the two lost digits.
    if (Math.abs(this.#sum) >= Math.abs(term)) this.#lost += this.#sum - sum + term
    else this.#lost += term - sum + this.#sum
    this.#sum = sum
  }

  get value(): number {
    return this.#sum + this.#lost
  }
}
