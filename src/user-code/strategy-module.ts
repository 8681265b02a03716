/**
 * Strategies that a user brings: a module whose default export, or whose export `strategy`, makes a Strategy from a
 * setting.
 */
import type { Strategy } from '../engine/strategy.ts'
import { RankwardError } from '../lib/errors.ts'
import type { StrategySetting } from '../strategies/index.ts'
import { importModule, thrown } from './user-module.ts'

type MakeStrategy = (setting: StrategySetting) => Strategy

export function isModulePath(spec: string): boolean {
  return /\.(ts|mts|js|mjs)$/.test(spec)
}

export async function loadStrategyModule(path: string, setting: StrategySetting): Promise<Strategy> {
  const module = await importModule(path).catch((cause: unknown) => {
    throw new RankwardError('BAD_STRATEGY_MODULE', `Cannot load the strategy ${path}: ${thrown(cause)}.`, {
      cause,
    })
  })
  const make = (module['default'] ?? module['strategy']) as MakeStrategy | undefined
  if (typeof make !== 'function') {
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `${path} exports no strategy: export a function as default, (setting) => Strategy.`,
    )
  }
  const strategy = made(path, make, setting)
  const missing = (['discovered', 'visited', 'linked', 'score'] as const).filter(
    (method) => typeof (strategy as Partial<Strategy> | undefined)?.[method] !== 'function',
  )
  if (missing.length > 0) {
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `The strategy of ${path} lacks ${missing.join(', ')}: see "A strategy of your own" in docs/strategies.md.`,
    )
  }
  return guarded(path, strategy)
}

const methods =
  'discovered visited read linked score shown start advance batchSize rescore failed retried coverage reach ended seeded transfer'.split(
    ' ',
  )

/** The same strategy, object or class: what it throws is told as its own mistake, and what it need not have is filled in. */
function guarded(path: string, strategy: Strategy): Strategy {
  const { name, every, ranksSites } = strategy as Partial<Strategy>
  const given = strategy as unknown as Record<string, ((one?: unknown, two?: unknown) => unknown) | undefined>
  const whole: Record<string, unknown> = {
    name: name ?? path,
    ...(every === undefined ? {} : { every }),
    ...(ranksSites === undefined ? {} : { ranksSites }),
  }
  for (const method of methods) {
    const own = given[method]
    if (own === undefined) continue
    whole[method] = (one: unknown, two: unknown): unknown => {
      try {
        return own.call(strategy, one, two)
      } catch (error) {
        throw strategyFailed(path, error)
      }
    }
  }
  return whole as unknown as Strategy
}

function made(path: string, make: MakeStrategy, setting: StrategySetting): Strategy {
  try {
    return make(setting)
  } catch (error) {
    throw strategyFailed(path, error)
  }
}

/** What a user's own code threw, as the user's mistake and not as ours; our own errors as they are. */
function strategyFailed(path: string, cause: unknown): RankwardError {
  if (cause instanceof RankwardError) return cause
  return new RankwardError('BAD_STRATEGY_MODULE', `The strategy of ${path} failed: ${thrown(cause)}.`, {
    cause,
  })
}
