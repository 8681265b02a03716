/** Checks the options of library functions: unknown names, wrong types, values out of range. */
import { RankwardError } from './errors.ts'
import { nearest } from './nearest.ts'
import { ValueError, type ValueKind } from './value-kinds.ts'

/** Throws a ValueError if the option does not accept the value. */
export type OptionCheck = (value: unknown) => void

/** One check per option. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck }

const refuseUnless = (isTaken: boolean, expected: string): void => {
  if (!isTaken) throw new ValueError(expected)
}

/**
 * The library accepts plain numbers only, where the command line also accepts units: seconds, bytes, shares
 * of 1.
 */
export const ofKind =
  (kind: ValueKind<unknown>): OptionCheck =>
  (value) => {
    const type = kind.json.includes('number') ? 'number' : 'string'
    kind.read(typeof value === type ? String(value) : '')
  }

export const flag: OptionCheck = (value) => refuseUnless(typeof value === 'boolean', 'true or false')

export const callback: OptionCheck = (value) => refuseUnless(typeof value === 'function', 'a function')

export const listOf =
  (check: OptionCheck): OptionCheck =>
  (value) => {
    refuseUnless(Array.isArray(value), 'an array')
    for (const each of value as unknown[]) check(each)
  }

export const instanceOf =
  (constructor: new (...args: never[]) => object, expected: string): OptionCheck =>
  (value) =>
    refuseUnless(value instanceof constructor, expected)

/** A share. */
export const portion: OptionCheck = (value) => {
  if (!(typeof value === 'number' && value >= 0 && value <= 1)) throw new ValueError('a number from 0 to 1')
}

export const positive: OptionCheck = (value) => {
  if (!(typeof value === 'number' && value > 0)) throw new ValueError('a number above 0')
}

export const anObject: OptionCheck = (value) =>
  refuseUnless(typeof value === 'object' && value !== null, 'an object')

export const either =
  (one: OptionCheck, other: OptionCheck): OptionCheck =>
  (value) => {
    try {
      one(value)
    } catch {
      other(value)
    }
  }

/** `of` is the name of the function. Undefined options count as absent. */
export function checkOptions<Options>(of: string, options: Options, checks: OptionChecks<Options>): void {
  if (typeof options !== 'object' || options === null)
    throw new RankwardError('USAGE', `${of} takes an object of options, not ${describeValue(options)}.`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) throw unknownOption(of, name, Object.keys(checks))
    if (value === undefined) continue
    try {
      checks[name as keyof Options](value)
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      throw new RankwardError('USAGE', `Option ${name} of ${of} is ${describeValue(value)}. ${error.message}`)
    }
  }
}

function unknownOption(of: string, name: string, names: readonly string[]): RankwardError {
  const meant = nearest(name, names)
  const advice = meant === undefined ? `It has ${names.join(', ')}.` : `Did you mean "${meant}"?`
  return new RankwardError('USAGE', `${of} has no option ${JSON.stringify(name)}. ${advice}`)
}

const shownMax = 40

/** Describes a refused value for a message: `a string, "1"`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  const kind = Array.isArray(value)
    ? 'an array'
    : typeof value === 'object'
      ? 'an object'
      : `a ${typeof value}`
  if (typeof value === 'function' || typeof value === 'symbol') return kind
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return `${kind}, ${text.length > shownMax ? `${text.slice(0, shownMax - 1)}…` : text}`
}
