import { RankwardError } from './errors.ts'

/** A bug, not a user's mistake: we stop rather than go on with a broken structure. Always on. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition)
    throw new RankwardError('BUG', `Internal error: ${what}. Please report it with the command you ran.`)
}
