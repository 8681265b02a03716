import { RankwardError } from '../lib/errors.ts'
import type { RunOptions, RunRecord, RunWatch } from './run.ts'
import * as kinds from './run-kinds.ts'
import type { SimulatedWeb } from './simulated-web.ts'

/** A run that is not that of one engine. */
export interface RunKind {
  run(web: SimulatedWeb, options: RunOptions, watch: RunWatch): Promise<RunRecord>
  /** Throws if the option of a run that asks for it has another value. */
  check(value: unknown): void
}

export function kindOf(name: keyof RunOptions): RunKind {
  const kind = (kinds as Partial<Record<string, RunKind>>)[name]
  if (kind !== undefined) return kind
  throw new RankwardError('USAGE', `The option ${name} of simulate is not part of this package.`)
}
