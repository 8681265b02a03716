/** The options of `simulate` as the library is given them. */
import { RankwardError } from '../lib/errors.ts'
import {
  anObject,
  callback,
  checkOptions,
  flag,
  instanceOf,
  listOf,
  ofKind,
  portion,
  positive,
} from '../lib/option-checks.ts'
import type { OptionCheck, OptionChecks } from '../lib/option-checks.ts'
import { anyText, atLeast, between, oneOf, share, ValueError, whole } from '../lib/value-kinds.ts'
import { choiceChecks, inlineName } from '../engine/user-code/inline-code.ts'
import { kindOf } from './run-kind.ts'
import type { JudgeOptions } from './judgement.ts'
import type { RunOptions } from './run.ts'
import type { TimeOptions } from './time.ts'
import type { ChosenStrategy } from './chosen-strategies.ts'

const count = ofKind(whole(1))
const numbers = instanceOf(Float64Array, 'a Float64Array')

/** From above 0 to 100. */
const percentage: OptionCheck = (value) => {
  if (!(typeof value === 'number' && value > 0 && value <= 100))
    throw new ValueError('a percentage from above 0 to 100')
}

/** A number of pages, or `{ percent }` of the pages that the seeds reach. */
const pagesOrPercent: OptionCheck = (value) => {
  if (typeof value !== 'object' || value === null) return count(value)
  checkOptions('simulate: buffer', value as { readonly percent: number }, { percent: percentage })
}

const timeChecks: OptionChecks<TimeOptions> = {
  connections: ofKind(whole(1, 1_000_000)),
  wait: ofKind(atLeast(0)),
  waitFactor: ofKind(atLeast(0)),
  smallSiteWait: ofKind(atLeast(0)),
  perConnection: ofKind(whole(1, 1_000_000)),
  bandwidth: positive,
  latencyPerPage: flag,
  hold: flag,
  robotsTxt: flag,
  failureRate: portion,
  slowRate: portion,
  slowFactor: ofKind(atLeast(1)),
  patience: ofKind(atLeast(0)),
}

/** Those that a single run has. */
export const runChecks: OptionChecks<
  Omit<RunOptions, 'strategy' | 'recrawl' | 'recrawlOptions'> & JudgeOptions
> = {
  every: count,
  window: percentage,
  seed: ofKind(whole(0)),
  opicInitial: ofKind(oneOf(['pages', 'seeds'])),
  tolerance: positive,
  demoteSpam: ofKind(share),
  coverage: ofKind(share),
  pages: count,
  failures: count,
  frontier: choiceChecks.frontier,
  frontQueues: count,
  backQueues: count,
  bias: ofKind(atLeast(0)),
  queues: count,
  batchSize: count,
  batchEndBelow: count,
  batchOverlap: flag,
  traps: flag,
  time: (value) => {
    anObject(value)
    checkOptions('simulate: time', value as TimeOptions, timeChecks)
  },
  cluster: (value) => kindOf('cluster').check(value),
  hot: listOf(ofKind(anyText('a rule'))),
  buffer: pagesOrPercent,
  bufferEstimate: ofKind(oneOf(['backlinks', 'score', 'truth'])),
}

/** Those of all runs together. */
export const sharedChecks = {
  strategies: listOf(choiceChecks.strategy),
  seeds: listOf(ofKind(whole(0))),
  trust: listOf(ofKind(atLeast(0))),
  damping: ofKind(between(0, 1)),
  wholeWeb: flag,
  repeat: ofKind(whole(1, 1000)),
  history: numbers,
  pageBytes: numbers,
  latencies: numbers,
  speeds: numbers,
  crawlDelays: numbers,
  words: anObject,
  speedUp: flag,
  threads: count,
  signal: instanceOf(AbortSignal, 'an AbortSignal'),
  progress: callback,
  onRun: callback,
}

/** Strategies and frontiers that are objects: each has the state of one run. A function makes one for each. */

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
