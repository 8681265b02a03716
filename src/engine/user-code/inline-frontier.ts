/** A frontier that a program passes as a function or object. */
import type { Frontier } from '../frontier.ts'
import type { FrontierOptions } from '../frontiers/index.ts'
import { RankwardError } from '../../lib/errors.ts'
import { missingMethods, type FrontierFunction } from './inline-code.ts'

export function inlineFrontier(
  name: string,
  given: FrontierFunction | Frontier,
  options: FrontierOptions,
): Frontier {
  const frontier = typeof given === 'function' ? given(options) : given
  const missing = missingMethods('frontier', frontier)
  if (missing.length === 0) return frontier
  throw new RankwardError(
    'USAGE',
    `The frontier "${name}" lacks ${missing.join(', ')}: see src/engine/frontier.ts.`,
  )
}
