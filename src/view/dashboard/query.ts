/** Reads the parameters of a request. Unknown parameters are ignored; bad values are an error. */
import { listLimitMax } from './api/index.ts'
import { ApiFailure } from './api-failure.ts'

/** Longest value of a parameter. */
const charsMax = 8192

export class Query {
  readonly #values: ReadonlyMap<string, string>

  constructor(values: Iterable<readonly [string, string]>) {
    this.#values = new Map(values)
    for (const [name, value] of this.#values) {
      if (value.length > charsMax) throw new ApiFailure('bad-request', `${shortened(name)} is too long.`)
    }
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name)
    return value === undefined || value === '' ? undefined : value
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw new ApiFailure('bad-request', `The parameter ${name} is missing.`)
    return value
  }

  whole(
    name: string,
    { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
  ): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min && value <= max) return value
    throw new ApiFailure('bad-request', `${name} must be a whole number from ${min} to ${max}.`)
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = values.find((each) => each === text)
    if (value === undefined)
      throw new ApiFailure('bad-request', `${name} must be one of: ${values.join(', ')}.`)
    return value
  }

  /** Larger limits are capped, so that a response stays small. */
  limit(by: number, max = listLimitMax): number {
    return Math.min(max, this.whole('limit', { min: 1 }) ?? by)
  }

  get offset(): number {
    return this.whole('offset') ?? 0
  }
}

const shortened = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name)
