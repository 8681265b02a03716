import type { Plot } from '../view/pictures/plot.ts'
import type { Report } from '../view/report/report.ts'
import type { JudgedClaim } from './claims.ts'
import type { Trials } from './trials.ts'

/** Repeats the measurements of a paper on the web of the trials. */
export interface Experiment {
  readonly name: string
  readonly about: string
  readonly source: string
  run(trials: Trials): Promise<Result>
}

export interface Result {
  readonly report: Report
  /** Whether the claims of its paper hold on this web. */
  readonly claims?: readonly JudgedClaim[]
  /** Plots to be written as separate picture files, by file name. */
  readonly pictures?: readonly { readonly name: string; readonly plot: Plot; readonly caption: string }[]
}
