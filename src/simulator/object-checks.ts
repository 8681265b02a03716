/** Strategies and frontiers that are objects: each has the state of one run. A function makes one for each. */
import { RankwardError } from '../lib/errors.ts'
import { inlineName } from '../engine/user-code/inline-code.ts'
import type { ChosenStrategy } from './chosen-strategies.ts'
import type { RunOptions } from './run.ts'

interface Uses extends Pick<RunOptions, 'frontier' | 'time'> {
  readonly speedUp?: boolean | undefined
  readonly isRepeated?: boolean | undefined
}

/** Throws if an object would be used for several runs. */
export function checkObjects(
  chosen: readonly ChosenStrategy[],
  { frontier, speedUp, time, isRepeated }: Uses,
): void {
  const isRunTwice = isRepeated === true || (speedUp === true && time !== undefined)
  const object = chosen.find(({ code }) => typeof code === 'object')
  if (isRunTwice && object !== undefined) throw usedTwice('strategy', object.name)
  if (typeof frontier === 'object' && (isRunTwice || chosen.length > 1))
    throw usedTwice('frontier', inlineName('frontier', frontier))
}

function usedTwice(kind: string, name: string): RankwardError {
  return new RankwardError(
    'USAGE',
    `The ${kind} "${name}" is an object, which can be used for one run only, but there are several: pass a function that creates it.`,
  )
}
