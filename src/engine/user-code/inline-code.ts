/**
 * Strategies, frontiers and scorers that a program passes as functions or objects instead of names. A crawl's
 * folder records only their names: to resume or replay the crawl, the program must pass the code again.
 */
import type { Frontier } from '../frontier.ts'
import type { Strategy } from '../strategy.ts'
import { type FrontierName, type FrontierOptions, frontiers } from '../frontiers/index.ts'
import { RankwardError } from '../../lib/errors.ts'
import { ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import { oneOf, ValueError, type ValueKind } from '../../lib/value-kinds.ts'
import type { StrategySetting, StrategySpec } from '../strategies/index.ts'
import type { ScoreFunction, ScorerObject } from './page-scorer.ts'

/** Creates a strategy for one crawl. */
export type StrategyFunction = (setting: StrategySetting) => Strategy
/** Creates a frontier for one crawl. */
export type FrontierFunction = (options: FrontierOptions) => Frontier

/**
 * A name, a weighted sum, the path of a module, a function that creates a strategy, or a strategy that is
 * used once.
 */
export type StrategyChoice = StrategySpec | StrategyFunction | Strategy
export type FrontierChoice = FrontierName | FrontierFunction | Frontier
/** The path of a module, a function, or an object with a function `score`. */
export type ScorerChoice = string | ScoreFunction | ScorerObject

/** Code that the crawl's folder does not contain. */
export interface InlineCode {
  readonly strategy?: StrategyFunction | Strategy | undefined
  readonly frontier?: FrontierFunction | Frontier | undefined
  readonly scorer?: ScoreFunction | ScorerObject | undefined
}

export const inlineKinds = ['strategy', 'frontier', 'scorer'] as const
export type InlineKind = (typeof inlineKinds)[number]

interface Choices {
  readonly strategy?: StrategyChoice | undefined
  readonly frontier?: FrontierChoice | undefined
  readonly scorer?: ScorerChoice | undefined
}

/** The choices that are code. */
export function inlineCodeOf(choices: Choices): InlineCode {
  const code = inlineKinds
    .filter((kind) => choices[kind] !== undefined && typeof choices[kind] !== 'string')
    .map((kind) => [kind, choices[kind]])
  return Object.fromEntries(code) as InlineCode
}

/** The name of a function or object. A function whose name is inferred from the option counts as unnamed. */
export function inlineName(kind: InlineKind, code: object): string {
  const { name } = code as { name?: unknown }
  return typeof name === 'string' && name !== '' && name !== kind ? name : 'inline'
}

/** Required methods of objects; a function is not called before the crawl begins. */
const methods = {
  strategy: ['discovered', 'visited', 'linked', 'score'],
  frontier: [
    'add',
    'update',
    'clear',
    'best',
    'take',
    'takeFrom',
    'release',
    'prove',
    'isProven',
    'nextFree',
  ],
  scorer: ['score'],
} as const satisfies Record<InlineKind, readonly string[]>

/** Methods that are missing from an object. */
export function missingMethods(kind: InlineKind, code: object | undefined): string[] {
  const given = (code ?? {}) as Record<string, unknown>
  return methods[kind].filter((method) => typeof given[method] !== 'function')
}

const codeCheck =
  (kind: InlineKind): OptionCheck =>
  (value) => {
    if (typeof value === 'function') return
    if (typeof value !== 'object' || value === null)
      throw new ValueError(`the code of a ${kind}: a function or an object`)
    const missing = missingMethods(kind, value)
    if (missing.length > 0) throw new ValueError(`an object with ${missing.join(', ')}`)
  }

const choiceCheck = (kind: InlineKind, named: ValueKind<string>): OptionCheck => {
  const [check, code] = [ofKind(named), codeCheck(kind)]
  return (value) =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function' ? code : check)(value)
}

const text = (what: string): ValueKind<string> => ({
  read: (given) => {
    if (given.trim() === '') throw new ValueError(what)
    return given
  },
  json: ['string'],
})

export const choiceChecks: Record<InlineKind, OptionCheck> = {
  strategy: choiceCheck('strategy', text('the name of a strategy, a function or an object')),
  frontier: choiceCheck('frontier', oneOf(frontiers.map(({ name }) => name))),
  scorer: choiceCheck('scorer', text('the path of a module, a function or an object')),
}

/** For functions that do not accept names: a resume keeps those of the crawl. */
export const codeChecks: Record<InlineKind, OptionCheck> = {
  strategy: codeCheck('strategy'),
  frontier: codeCheck('frontier'),
  scorer: codeCheck('scorer'),
}

/** The code of a crawl according to crawl.json. */
export interface RecordedCode {
  readonly strategy: string
  readonly frontier: string
  readonly scorer?: string | undefined
  readonly inline?: readonly InlineKind[] | undefined
}

export function isInline({ inline = [] }: RecordedCode, kind: InlineKind): boolean {
  return inline.includes(kind)
}

/**
 * Refuses code that the crawl in this folder was not started with. Missing code is refused where it is
 * needed.
 */
export function checkInlineCode(folder: string, recorded: RecordedCode, code: InlineCode): void {
  for (const kind of inlineKinds) {
    const given = code[kind]
    if (given === undefined) continue
    const own = recorded[kind]
    const name = inlineName(kind, given)
    if (isInline(recorded, kind) && own === name) continue
    throw new RankwardError(
      'INLINE_CODE',
      own === undefined
        ? `The crawl in ${folder} has no ${kind}: leave the option ${kind} out.`
        : isInline(recorded, kind)
          ? `The crawl in ${folder} was started with the ${kind} "${own}", not with "${name}": pass the same one.`
          : `The crawl in ${folder} uses the ${kind} ${own}, which Rankward has itself: leave the option ${kind} out.`,
    )
  }
}

export function missingCode(folder: string, kind: InlineKind, name: string): RankwardError {
  return new RankwardError(
    'INLINE_CODE',
    `The crawl in ${folder} was started by a program that passed its ${kind} "${name}" as code, and the folder does not hold it. ` +
      `Pass it again as option ${kind} of resumeCrawl or explain.`,
  )
}

/** A frontier that a program passes as a function or object. */

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
