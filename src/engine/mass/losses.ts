/** Mass on pages that are not fetched for good or not fetched here, by what it means for coverage (coverage.ts). Counted on arrival. */
import type { StateCodec } from '../../lib/state.ts'
import { elsewhere, excluded } from '../page-states.ts'

export class Losses {
  unobtainable = 0
  /** On pages that the user's limits exclude. */
  excluded = 0
  /** On pages of other shards; and of that, the sum of the negative amounts, without sign. */
  away = 0
  awayOwed = 0

  /** Adds mass to a page that had `before`. */
  add(loss: number, mass: number, before: number): void {
    if (loss === excluded) this.excluded += mass
    else if (loss !== elsewhere) this.unobtainable += mass
    else {
      this.away += mass
      if (mass < 0 || before < 0) this.awayOwed += Math.min(0, before) - Math.min(0, before + mass)
    }
  }

  clear(): void {
    this.unobtainable = this.excluded = this.away = this.awayOwed = 0
  }

  transfer(state: StateCodec): void {
    this.unobtainable = state.number(this.unobtainable)
    this.excluded = state.number(this.excluded)
    this.away = state.number(this.away)
  }
}
