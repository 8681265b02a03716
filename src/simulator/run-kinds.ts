/** The kinds of runs beside that of one engine: a kind is a folder, and a line here. Its name is the option of a run that asks for it. */
export type { RunKind } from './run-kind.ts'
export { cluster } from './cluster/cluster-run.ts'
