/**
 * The kinds of value that options of `crawl` take. One kind reads the command line's text and the config file's JSON,
 * so that both accept the same and say the same of what they refuse.
 */
import { InvalidArgumentError } from 'commander'
import { isDnsServer } from '../../worlds/real/dns-server.ts'
import { numberBetween, numberFrom, wholeNumber } from '../options.ts'

export interface ValueKind<T> {
  /** Gives the value, or throws an InvalidArgumentError that says what was expected; an empty text is never a value. */
  readonly read: (text: string) => T
  /** What it is in JSON: a number that is also written with a unit may be a string there too. */
  readonly json: readonly ('number' | 'string')[]
}

const refused = (expected: string): InvalidArgumentError => new InvalidArgumentError(`Expected ${expected}.`)

export const whole = (min: number, max?: number): ValueKind<number> => ({
  read: wholeNumber(max === undefined ? { min } : { min, max }),
  json: ['number'],
})

export const atLeast = (min: number): ValueKind<number> => ({
  read: finite(numberFrom(min)),
  json: ['number'],
})

export const between = (low: number, high: number): ValueKind<number> => ({
  read: numberBetween(low, high),
  json: ['number'],
})

function finite(read: (text: string) => number): (text: string) => number {
  return (text) => {
    const value = read(text)
    if (!Number.isFinite(value)) throw refused('a finite number')
    return value
  }
}

export const anyText = (what = 'some text'): ValueKind<string> => ({
  read: (text) => {
    if (text.trim() === '') throw refused(what)
    return text
  },
  json: ['string'],
})

export const oneOf = <T extends string>(names: readonly T[]): ValueKind<T> => ({
  read: (text) => {
    const found = names.find((name) => name === text)
    if (found === undefined) throw refused(`one of ${names.join(', ')}`)
    return found
  },
  json: ['string'],
})

/** A share of all importance: 0.95 or 95%. */
export const share: ValueKind<number> = {
  read: (text) => {
    const percent = /^\s*([\d.]+)\s*%\s*$/.exec(text)
    const value = percent === null ? numberOf(text) : numberOf(percent[1]) / 100
    if (!(value > 0 && value < 1)) throw refused('a share between 0 and 1, such as 0.95 or 95%')
    return value
  },
  json: ['number', 'string'],
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
      throw refused('a time above 0 such as 90, 90s, 15m, 2h, 1d or 1h30m')
    return seconds
  },
  json: ['number', 'string'],
}

/** The same, or 0. */
export const durationOrZero: ValueKind<number> = {
  ...durationValue,
  read: (text) => (/^\s*0+s?\s*$/i.test(text) ? 0 : durationValue.read(text)),
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

/** Bytes: 1000000, 500MB, 2GiB. The units of thousand and of 1024 are told apart as their names say. */
export const sizeValue: ValueKind<number> = {
  read: (text) => {
    const match = /^\s*([\d_]*\.?\d+)\s*([a-z]*)\s*$/i.exec(text)
    const bytes = match === null ? NaN : numberOf(match[1]) * (bytesOf[match[2].toLowerCase()] ?? NaN)
    const rounded = Math.round(bytes)
    if (!(rounded >= 1) || !Number.isSafeInteger(rounded))
      throw refused('a size of at least 1 byte such as 1000000, 500MB or 2GiB')
    return rounded
  },
  json: ['number', 'string'],
}

/** Headers that follow from the exchange itself, or from another option. */
const ownHeaders: Readonly<Record<string, string>> = {
  'user-agent': '--user-agent sets it',
  host: 'it follows from the URL',
  connection: 'Rankward sets it itself',
  'content-length': 'Rankward sends no bodies',
  'transfer-encoding': 'Rankward sends no bodies',
  'accept-encoding': 'Rankward asks for what it can decode',
}

export const headerValue: ValueKind<readonly [name: string, value: string]> = {
  read: (text) => {
    const match = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/su.exec(text)
    if (match === null || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(match[2]))
      throw refused("a header such as 'Accept-Language: en'")
    const why = ownHeaders[match[1].toLowerCase()]
    if (why !== undefined) throw refused(`another header than ${match[1]}: ${why}`)
    return [match[1], match[2]]
  },
  json: ['string'],
}

/** Held against path and query, or against the whole URL: what can match neither is a slip. */
export const patternValue: ValueKind<string> = {
  read: (text) => {
    if (!/^(?:[/*?\\]|h[t*?])/.test(text))
      throw refused(
        "a pattern for a path such as '/docs/**', or for a URL such as 'https://*.example.org/**'",
      )
    return text
  },
  json: ['string'],
}

export const proxyValue: ValueKind<string> = {
  read: (text) => {
    if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
      throw refused('the URL of an HTTP proxy such as http://proxy.example.org:3128')
    return text
  },
  json: ['string'],
}

/** As curl's: a host in brackets where it is an IPv6 address; empty parts match any, or change nothing. */
export const connectToValue: ValueKind<string> = {
  read: (text) => {
    const match = /^(?:\[[^\]]*\]|[^:[\]\s]*):(\d*):(?:\[[^\]]*\]|[^:[\]\s]*):(\d*)$/.exec(text)
    const isPort = (port: string): boolean => port === '' || (Number(port) >= 1 && Number(port) <= 65_535)
    if (match === null || !isPort(match[1]) || !isPort(match[2]))
      throw refused('HOST1:PORT1:HOST2:PORT2 such as example.org:443:127.0.0.1:8443')
    return text
  },
  json: ['string'],
}

export const dnsValue: ValueKind<string> = {
  read: (text) => {
    if (!isDnsServer(text)) throw refused('the address of a DNS server such as 9.9.9.9 or 127.0.0.1:5353')
    return text
  },
  json: ['string'],
}

export const contactValue: ValueKind<string> = {
  read: (text) => {
    const isWeb = /^https?:\/\/[^/\s]+\S*$/i.test(text) && URL.canParse(text)
    const isMail = /^(?:mailto:)?[^\s@<>()]+@[^\s@<>()]+$/i.test(text)
    if (!isWeb && !isMail)
      throw refused('a web or e-mail address such as https://example.org/bot or bot@example.org')
    return text
  },
  json: ['string'],
}

export const userAgentValue: ValueKind<string> = {
  read: (text) => {
    if (!/^[\u0020-\u007e]+$/.test(text) || text.trim() === '')
      throw refused('a User-Agent of printable ASCII such as MyCrawler/1.0')
    return text
  },
  json: ['string'],
}

function numberOf(text: string): number {
  const plain = text.replaceAll('_', '').trim()
  return /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN
}
