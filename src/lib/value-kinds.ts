/**
 * The kinds of value that options accept. A kind parses the text of a command line and the JSON of a config
 * file and checks values passed to the library, so all three accept the same values and refuse others with
 * the same message.
 */

export interface ValueKind<T> {
  /**
   * Returns the value, or throws a ValueError with the expected kind of value. An empty text is never valid.
   */
  readonly read: (text: string) => T
  /** Accepted JSON types: a number with an optional unit may also be a string. */
  readonly json: readonly ('number' | 'string')[]
  /** Of numbers: those that it accepts. */
  readonly range?: NumberRange
  /** Values for shell completion: all that are accepted, or well-known ones. */
  readonly known?: readonly string[]
}

export interface NumberRange {
  readonly min: number
  readonly max?: number
  readonly isWhole?: true
  /** The bounds themselves are not accepted. */
  readonly isOpen?: true
}

/** A value that the option does not accept. The message is the expected kind of value. */
export class ValueError extends Error {
  constructor(expected: string) {
    super(`Expected ${expected}.`)
    this.name = 'ValueError'
  }
}

export const whole = (min = 0, max = Number.MAX_SAFE_INTEGER): ValueKind<number> => ({
  read: (text) => {
    const value = Number(text.replaceAll('_', ''))
    if (Number.isSafeInteger(value) && text.trim() !== '' && value >= min && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
    throw new ValueError(`a whole number ${range}`)
  },
  json: ['number'],
  range: { min, ...(max === Number.MAX_SAFE_INTEGER ? {} : { max }), isWhole: true },
})

/** A number of at least `min` and, if given, at most `max`. */
export const atLeast = (min: number, max = Infinity): ValueKind<number> => ({
  read: (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value >= min && value <= max && value < Infinity) return value
    throw new ValueError(`a number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`)
  },
  json: ['number'],
  range: { min },
})

export const aboveZero: ValueKind<number> = {
  read: (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > 0 && value < Infinity) return value
    throw new ValueError('a number above 0')
  },
  json: ['number'],
}

/** A number strictly between the two bounds. */
export const between = (low: number, high: number): ValueKind<number> => ({
  read: (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > low && value < high) return value
    throw new ValueError(`a number between ${low} and ${high}`)
  },
  json: ['number'],
})

export const anyText = (what = 'some text'): ValueKind<string> => ({
  read: (text) => {
    if (text.trim() === '') throw new ValueError(what)
    return text
  },
  json: ['string'],
})

export const oneOf = <T extends string>(names: readonly T[]): ValueKind<T> => ({
  read: (text) => {
    const found = names.find((name) => name === text)
    if (found === undefined) throw new ValueError(`one of ${names.join(', ')}`)
    return found
  },
  json: ['string'],
  known: names,
})

/** Names separated by commas. */
export const namesValue: ValueKind<readonly string[]> = {
  read: (text) => {
    const names = text.split(',').map((name) => name.trim())
    const given = names.filter((name) => name !== '')
    if (given.length === 0) throw new ValueError('names separated by commas')
    return given
  },
  json: ['string'],
}

/** A share of all importance: 0.95 or 95%. */
export const share: ValueKind<number> = {
  read: (text) => {
    const percent = /^\s*([\d.]+)\s*%\s*$/.exec(text)
    const value = percent === null ? numberOf(text) : numberOf(percent[1]) / 100
    if (!(value > 0 && value < 1)) throw new ValueError('a share between 0 and 1, such as 0.95 or 95%')
    return value
  },
  json: ['number', 'string'],
  range: { min: 0, max: 1, isOpen: true },
}

const secondsOf: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

/** Seconds: 90, 90s, 15m, 2h, 1d, and sums such as 1h30m. */
export const durationValue: ValueKind<number> = {
  read: (text) => {
    const compact = text.replaceAll(/\s+/g, '').toLowerCase()
    const parts = [...compact.matchAll(/(\d+(?:\.\d+)?|\.\d+)([smhd]?)/g)]
    const units = parts.map(([, , unit]) => unit)
    const isWhole = parts.map(([part]) => part).join('') === compact && new Set(units).size === units.length
    const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * secondsOf[unit], 0)
    if (!isWhole || (parts.length > 1 && units.includes('')) || !(seconds > 0) || !Number.isFinite(seconds))
      throw new ValueError('a time above 0 such as 90, 90s, 15m, 2h, 1d or 1h30m')
    return seconds
  },
  json: ['number', 'string'],
  range: { min: 0, isOpen: true },
}

/** As `durationValue`, or 0. */
export const durationOrZero: ValueKind<number> = {
  ...durationValue,
  read: (text) => (/^\s*0+s?\s*$/i.test(text) ? 0 : durationValue.read(text)),
}

const perDayOf: Readonly<Record<string, number>> = {
  s: 86_400,
  m: 1440,
  min: 1440,
  h: 24,
  hour: 24,
  d: 1,
  day: 1,
}

/** Fetches per day: 1000, 1000/day, 50/h, 10/min, 2/s. */
export const rateValue: ValueKind<number> = {
  read: (text) => {
    const match = /^\s*(\d[\d_]*(?:\.\d+)?|\.\d+)\s*(?:\/\s*([a-z]+))?\s*$/i.exec(text)
    const unit = perDayOf[match?.[2]?.toLowerCase() ?? 'd'] ?? NaN
    const perDay = match === null ? NaN : Number(match[1].replaceAll('_', '')) * unit
    if (!(perDay > 0) || !Number.isFinite(perDay))
      throw new ValueError('a number of fetches above 0 such as 1000/day, 50/h or 10/min')
    return perDay
  },
  json: ['number', 'string'],
  range: { min: 0, isOpen: true },
}

const bytesOf: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  kib: 2 ** 10,
  m: 1e6,
  mb: 1e6,
  mib: 2 ** 20,
  g: 1e9,
  gb: 1e9,
  gib: 2 ** 30,
  t: 1e12,
  tb: 1e12,
  tib: 2 ** 40,
}

/** Bytes: 1000000, 500MB, 2GiB. MB means a million bytes, MiB 2^20. */
export const sizeValue: ValueKind<number> = {
  read: (text) => {
    const match = /^\s*([\d_]*\.?\d+)\s*([a-z]*)\s*$/i.exec(text)
    const bytes = match === null ? NaN : numberOf(match[1]) * (bytesOf[match[2].toLowerCase()] ?? NaN)
    const rounded = Math.round(bytes)
    if (!(rounded >= 1) || !Number.isSafeInteger(rounded))
      throw new ValueError('a size of at least 1 byte such as 1000000, 500MB or 2GiB')
    return rounded
  },
  json: ['number', 'string'],
  range: { min: 1, isWhole: true },
}

function numberOf(text: string): number {
  const plain = text.replaceAll('_', '').trim()
  return /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN
}
