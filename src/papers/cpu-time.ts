/** The computing time of a simulation. Experiments run side by side, so elapsed time would depend on what ran at the same time. */
import type { RunResult } from '../simulator/judgement.ts'

export function computingSeconds({ cpuSeconds, seconds }: Pick<RunResult, 'cpuSeconds' | 'seconds'>): number {
  return cpuSeconds ?? seconds
}

export const cpuTimeText =
  'CPU time: processor time of the crawl’s thread, or the elapsed time if the system does not report it.'
