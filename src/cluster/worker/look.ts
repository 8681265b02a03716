/** What a worker has seen at a look, for display. */
import type { Heads, WorkerLook } from './ports.ts'

export function lookOf(heads: Heads, owned: number, coverage: number): WorkerLook {
  const known = heads.filter((head) => head !== undefined)
  return {
    owned,
    claimed: known.length,
    fetched: known.reduce((sum, { fetched }) => sum + fetched, 0),
    waiting: known.reduce((sum, { waiting }) => sum + waiting, 0),
    coverage,
  }
}
