import type { Plot } from '../report/plot.ts'
import type { Report } from '../report/report.ts'
import type { Trials } from './trials.ts'

/** Something that a paper measured, measured again on the web of the trials. */
export interface Experiment {
  readonly name: string
  readonly about: string
  readonly source: string
  run(trials: Trials): Promise<Result>
}

export interface Result {
  readonly report: Report
  /** Plots that are worth a picture file of their own, by file name. */
  readonly pictures?: readonly { readonly name: string; readonly plot: Plot; readonly caption: string }[]
}
