import { patienceText } from '../engine/patience.ts'

/** The strategy of a run, and its patience if several are compared. */
export function runName(run: { readonly strategy: string; readonly patience?: number | undefined }): string {
  return run.patience === undefined ? run.strategy : `${run.strategy}, patience ${patienceText(run.patience)}`
}
