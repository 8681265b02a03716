/** Shares of the importance in percent. A certain share is rounded down, so that it is never overstated. */

/** Maximum error of computed shares: the mass that was still moving. A share this close to 1 counts as 1. */
export const shareErrorMax = 2e-7

/** A certain share in a table, with one decimal: 0.99996 is 99.9%. */
export function certainPercent(share: number): string {
  if (share > 1 - shareErrorMax) return '100%'
  if (share > 0 && share < 0.001) return '<0.1%'
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1)}%`
}

/** A certain share in a sentence: 0.95 is 95%. */
export function percentText(share: number): string {
  return certainPercent(share).replace('.0%', '%')
}

/** Any other share, rounded to nearest: a share that is not 0 is never shown as 0. */
export function partPercent(share: number): string {
  return share > shareErrorMax && share < 0.0005 ? '<0.1%' : `${(share * 100).toFixed(1)}%`
}
