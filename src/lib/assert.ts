import { RankwardError } from './errors.ts'

/**
 * Throws BUG if an internal condition is false. Assertions are always on: a broken structure must stop the
 * program.
 */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition)
    throw new RankwardError('BUG', `Internal error: ${what}. Please report it with the command you ran.`)
}
