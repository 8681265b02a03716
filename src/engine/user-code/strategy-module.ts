/**
 * Strategies written by users: a module whose default export, or whose export `strategy`, creates a Strategy
 * from a setting; or the same function, or a Strategy, passed by a program.
 */
import type { Strategy } from '../strategy.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { StrategySetting } from '../strategies/index.ts'
import { isInline, missingMethods, type RecordedCode, type StrategyFunction } from './inline-code.ts'
import { importModule, thrown } from './user-module.ts'

export function isModulePath(spec: string): boolean {
  return /\.(ts|mts|js|mjs)$/.test(spec)
}

/** Whether the strategy of a crawl is written by a user. */
export function isOwnStrategy(recorded: RecordedCode): boolean {
  return isInline(recorded, 'strategy') || isModulePath(recorded.strategy)
}

export async function loadStrategyModule(path: string, setting: StrategySetting): Promise<Strategy> {
  const module = await importModule(path).catch((cause: unknown) => {
    throw new RankwardError('BAD_STRATEGY_MODULE', `Cannot load the strategy ${path}: ${thrown(cause)}.`, {
      cause,
    })
  })
  const make = (module['default'] ?? module['strategy']) as StrategyFunction | undefined
  if (typeof make !== 'function') {
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `${path} exports no strategy: export a function as default, (setting) => Strategy.`,
    )
  }
  return checkedStrategy(`of ${path}`, path, made(`of ${path}`, make, setting))
}

/** A strategy that a program passes as a function or object. */
export function inlineStrategy(
  name: string,
  given: StrategyFunction | Strategy,
  setting: StrategySetting,
): Strategy {
  const label = `"${name}"`
  return checkedStrategy(label, name, typeof given === 'function' ? made(label, given, setting) : given)
}

/** `name` is used for a strategy without a name. */
function checkedStrategy(label: string, name: string, strategy: Strategy): Strategy {
  const missing = missingMethods('strategy', strategy)
  if (missing.length > 0) {
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `The strategy ${label} lacks ${missing.join(', ')}: see "A strategy of your own" in docs/theory/strategies.md.`,
    )
  }
  return guarded(label, name, strategy)
}

const methods =
  'discovered visited read linked score shown start advance batchSize rescore failed retried coverage reach masses relinking relinked rerouted left rejoined repair hinted ended seeded transfer'.split(
    ' ',
  )
/** Those that return a score. Pages cannot be ordered by NaN. */
const scoring = ['discovered', 'linked', 'score']

/**
 * Wraps the strategy, object or class: exceptions become errors with its name, and optional methods are
 * filled in.
 */
function guarded(label: string, ownName: string, strategy: Strategy): Strategy {
  const { name, ranksSites } = strategy as Partial<Strategy>
  const given = strategy as unknown as Record<string, Method | undefined>
  const whole: Record<string, unknown> = {
    name: name ?? ownName,
    ...(ranksSites === undefined ? {} : { ranksSites }),
  }
  // A getter may return another number later, so it is read each time.
  if ('every' in strategy) {
    const every = (): number | undefined => {
      try {
        return strategy.every
      } catch (error) {
        throw strategyFailed(label, error)
      }
    }
    Object.defineProperty(whole, 'every', { get: every, enumerable: true })
  }
  for (const method of methods) {
    const own = given[method]
    if (own === undefined) continue
    const call = guardedCall(label, (one, two, three) => own.call(strategy, one, two, three))
    if (scoring.includes(method)) whole[method] = scored(label, method, call)
    else if (method === 'masses') whole[method] = () => guardedCall(label, call() as Method)
    else whole[method] = call
  }
  return whole as unknown as Strategy
}

type Method = (one?: unknown, two?: unknown, three?: unknown) => unknown

function guardedCall(label: string, own: Method): Method {
  return (one, two, three) => {
    try {
      return own(one, two, three)
    } catch (error) {
      throw strategyFailed(label, error)
    }
  }
}

function scored(label: string, method: string, call: Method): Method {
  return (page, other) => {
    const score = call(page, other)
    if (typeof score === 'number' && !Number.isNaN(score)) return score
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `The strategy ${label} has no score for page ${String(page)}: ${method} returned ${String(score)} instead of a number.`,
    )
  }
}

function made(label: string, make: StrategyFunction, setting: StrategySetting): Strategy {
  try {
    return make(setting)
  } catch (error) {
    throw strategyFailed(label, error)
  }
}

/** An exception in a user's code becomes an error about that code; our own errors are passed on unchanged. */
function strategyFailed(label: string, cause: unknown): RankwardError {
  if (cause instanceof RankwardError) return cause
  return new RankwardError('BAD_STRATEGY_MODULE', `The strategy ${label} failed: ${thrown(cause)}.`, {
    cause,
  })
}
