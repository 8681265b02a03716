/** The strategies of a simulation, each with its name: known ones, with the inputs that they need, or code that a program passed. */
import type { Strategy } from '../engine/strategy.ts'
import type { Web } from '../webgraph/web.ts'
import { RankwardError } from '../lib/errors.ts'
import {
  findEntry,
  ideal,
  needsInput,
  strategies,
  type StrategyEntry,
  type StrategyNeed,
} from '../engine/strategies/index.ts'
import { inlineName, type StrategyChoice, type StrategyFunction } from '../engine/user-code/inline-code.ts'
import { isModulePath } from '../engine/user-code/strategy-module.ts'
import type { SimulateOptions } from './options/simulate-options.ts'

export interface ChosenStrategy {
  readonly name: string
  /** Undefined: it is called by its name. */
  readonly code?: StrategyFunction | Strategy | undefined
}

/** A strategy of `all` that this web has no inputs for, and what is missing. */
export interface SkippedStrategy {
  readonly strategy: string
  readonly why: string
}

interface ChoiceOptions {
  readonly strategies: readonly StrategyChoice[]
  readonly words?: unknown
  readonly demoteSpam?: number | undefined
  readonly coverage?: number | undefined
}

export function chosenStrategies(
  web: Web,
  options: ChoiceOptions,
): { readonly chosen: ChosenStrategy[]; readonly skipped: SkippedStrategy[] } {
  const skipped: SkippedStrategy[] = []
  const chosen = new Map<string | object, ChosenStrategy>()
  for (const choice of options.strategies) {
    if (typeof choice !== 'string') {
      chosen.set(choice, { name: inlineName('strategy', choice), code: choice })
    } else if (choice === 'all') {
      for (const entry of strategies) {
        const { name } = entry
        const why = whySkipped(entry, web, options)
        if (why === undefined) chosen.set(name, { name })
        else skipped.push({ strategy: name, why })
      }
      chosen.set(ideal.name, { name: ideal.name })
    } else {
      checkNamed(choice, web, options)
      chosen.set(choice, { name: choice })
    }
  }
  if (chosen.size === 0) throw new RankwardError('USAGE', 'No strategy is given.')
  checkCoverage([...chosen.values()], options)
  return { chosen: [...chosen.values()], skipped }
}

export function guarantees(name: string): boolean {
  return findEntry(name)?.guarantees === true
}

/** True if a strategy, a part of a weighted sum included, needs this input. */
export function needs(name: string, need: StrategyNeed): boolean {
  return name !== ideal.name && !isModulePath(name) && needsInput(name, need)
}

/** Strategies that read URLs where the web has them: those of users may. */
export function mayUseUrls({ name, code }: ChosenStrategy): boolean {
  return code !== undefined || isModulePath(name) || findEntry(name)?.readsUrls === true
}

function whySkipped(
  { needs: inputs = [], ranksSites }: StrategyEntry,
  web: Web,
  { words, demoteSpam }: ChoiceOptions,
): string | undefined {
  if (inputs.includes('urls') && web.urls === undefined) return 'needs URLs (option urls, --urls FILE)'
  if (inputs.includes('topic') && words === undefined) return 'needs the words of the pages and a topic'
  if (ranksSites === true && demoteSpam !== undefined) return 'orders sites, so that spam cannot be held back'
  return undefined
}

function checkNamed(name: string, web: Web, { words }: ChoiceOptions): void {
  if (needs(name, 'topic') && words === undefined) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${name} needs a topic: give a topic or a scorer, and the contents of the pages (option pagesContent).`,
    )
  }
  if (needs(name, 'urls') && web.urls === undefined) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${name} needs URLs, and this web has none: read it with the option urls (--urls FILE).`,
    )
  }
}

function checkCoverage(chosen: readonly ChosenStrategy[], { coverage }: ChoiceOptions): void {
  if (coverage === undefined) return
  if (chosen.some(({ name, code }) => code !== undefined || guarantees(name) || isModulePath(name))) return
  const known = strategies.filter((entry) => entry.guarantees === true).map((entry) => entry.name)
  const names = chosen.map(({ name }) => name).join(', ')
  throw new RankwardError(
    'USAGE',
    `${names} guarantees no coverage, so a coverage of ${coverage} cannot stop it. These do: ${known.join(', ')}.`,
  )
}

interface Uses extends Pick<SimulateOptions, 'frontier' | 'time' | 'speedUp'> {
  readonly isRepeated?: boolean | undefined
}

/** Throws if a strategy or frontier that is an object, with the state of one run, would be used for several. A function makes one for each. */
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
