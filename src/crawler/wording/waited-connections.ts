/** What patience did, in words; empty if it was not measured. `waitedForBetter`: share of the connection time. */
import { partPercent } from '../../lib/amounts.ts'

export function waitedTexts(waitedForBetter: number | undefined): string[] {
  return waitedForBetter === undefined
    ? []
    : [`connections waited for better pages ${partPercent(waitedForBetter)} of the time`]
}
