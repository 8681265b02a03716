import type { CumulativeImportance } from './cumulative-importance.ts'
import { checkpoints } from './percent.ts'

/** A random crawler collects, on average, k/N of a web with total 1. This is also its P_CS and P_ST (S26). */
export function randomImportance(pages: number): CumulativeImportance {
  return {
    curve: checkpoints(pages).map((k) => (pages === 0 ? 0 : k / pages)),
    average: pages === 0 ? 0 : (pages + 1) / (2 * pages),
  }
}
