/** How good the order of the requests was, in one sentence. `outOfOrder`: the share that were not for the best page. */
import { partPercent } from '../../lib/amounts.ts'

export function orderSentence(outOfOrder: number): string {
  // Pages that trap detection puts last are passed over, whatever their score.
  const allowed = 'that politeness and trap detection allowed'
  return outOfOrder === 0
    ? `Every page was the best one waiting ${allowed} when it was requested.`
    : `${partPercent(outOfOrder)} of the requests were not for the best page waiting ${allowed}.`
}
