/**
 * Strategies that a user brings: a module whose default export, or whose export `strategy`, makes a Strategy from a
 * setting. TypeScript is stripped of its types by esbuild where that is installed.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Strategy } from '../engine/strategy.ts'
import { RankwardError } from '../lib/errors.ts'
import type { StrategySetting } from '../strategies/index.ts'

type MakeStrategy = (setting: StrategySetting) => Strategy

export function isModulePath(spec: string): boolean {
  return /\.(ts|mts|js|mjs)$/.test(spec)
}

export async function loadStrategyModule(path: string, setting: StrategySetting): Promise<Strategy> {
  const module = await importModule(path)
  const make = (module['default'] ?? module['strategy']) as MakeStrategy | undefined
  if (typeof make !== 'function') {
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `${path} exports no strategy: export a function as default, (setting) => Strategy.`,
    )
  }
  const strategy = make(setting)
  const missing = (['discovered', 'visited', 'linked', 'score'] as const).filter(
    (method) => typeof (strategy as Partial<Strategy> | undefined)?.[method] !== 'function',
  )
  if (missing.length > 0) {
    throw new RankwardError(
      'BAD_STRATEGY_MODULE',
      `The strategy of ${path} lacks ${missing.join(', ')}: see "A strategy of your own" in docs/strategies.md.`,
    )
  }
  return { ...strategy, name: strategy.name ?? path, state: strategy.state?.bind(strategy) ?? (() => []) }
}

async function importModule(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(resolve(path)).href
  try {
    if (!/\.m?ts$/.test(path)) return (await import(url)) as Record<string, unknown>
    const { transform } = await import('esbuild')
    const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'esm' })
    return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as Record<
      string,
      unknown
    >
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'ERR_MODULE_NOT_FOUND' && message.includes("'esbuild'")
          ? 'TypeScript needs the package esbuild; install it or compile the module to .js'
          : message.split('\n')[0]
    throw new RankwardError('BAD_STRATEGY_MODULE', `Cannot load the strategy ${path}: ${why}.`, {
      cause: error,
    })
  }
}
