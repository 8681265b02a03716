/** Formats of numbers, times and URLs. A space before a unit does not break. */
import { grouped } from '../../pictures/numbers.ts'

export { bytesText as bytes, certainPercent, plural } from '../../pictures/amounts.ts'

const space = '\u00a0'

function trimmed(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals })
}

/** 1234567 as 1,234,567. */
export function count(value: number): string {
  return grouped(Math.round(value))
}

/** 1,234 as it is, 1,234,567 as 1.23 M. */
export function short(value: number): string {
  for (const [size, unit] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e5, 'k'],
  ] as const) {
    if (Math.abs(value) >= size) return scaled(value, unit === 'k' ? 1e3 : size, unit)
  }
  return trimmed(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
}

/** Three significant digits. */
function scaled(value: number, size: number, unit: string): string {
  const number = value / size
  return `${trimmed(number, number >= 100 ? 0 : number >= 10 ? 1 : 2)}${space}${unit}`
}

/** A share from 0 to 1. Small shares keep two significant digits; 100% is only shown for the whole. */
export function percent(share: number): string {
  const value = share * 100
  if (value === 0) return '0%'
  if (value < 0.000_1) return '<0.0001%'
  if (value < 1) return `${trimmed(Number(value.toPrecision(2)), 6)}%`
  if (value > 99 && value < 100) return `${trimmed(Math.floor(value * 100) / 100, 2)}%`
  return `${trimmed(value, value < 10 ? 2 : 1)}%`
}

/** A share in a table: always with the same number of significant digits. */
export function mass(share: number): string {
  const value = share * 100
  if (value < 0.000_1 || value > 99) return percent(share)
  return `${value < 1 ? value.toPrecision(2) : value.toFixed(value < 10 ? 2 : 1)}%`
}

/** 7,500 s as 2 h 5 min. */
export function duration(seconds: number): string {
  if (seconds < 0.0005) return `0${space}s`
  if (seconds < 1) return `${trimmed(seconds * 1000, 0)}${space}ms`
  if (seconds < 60) return `${trimmed(seconds, seconds < 10 ? 1 : 0)}${space}s`
  const parts = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const
  const largest = parts.findIndex(([size]) => seconds >= size)
  const [size, unit] = parts[largest]
  const [smaller, smallerUnit] = parts[largest + 1]
  // Rounded in the smaller unit first: 59.6 s after 1 min are 2 min.
  const inSmaller = Math.round(seconds / smaller)
  const whole = Math.floor((inSmaller * smaller) / size)
  const rest = inSmaller - (whole * size) / smaller
  if (largest > 0 && whole * size === parts[largest - 1][0]) return duration(whole * size)
  return `${count(whole)}${space}${unit}${rest > 0 ? ` ${rest}${space}${smallerUnit}` : ''}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Local time of day. */
export function timeOfDay(ms: number): string {
  const date = new Date(ms)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Local date and time. */
export function dateTime(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(ms)}`
}

/** How long ago, or how far ahead. */
export function fromNow(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1000
  if (Math.abs(seconds) < 1) return 'now'
  const length = duration(Math.abs(seconds) < 60 ? Math.round(Math.abs(seconds)) : Math.abs(seconds))
  return seconds > 0 ? `in ${length}` : `${length} ago`
}

/** The beginning and the end of a text, at most `max` characters. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const start = Math.ceil((max - 1) * 0.6)
  // No surrogate pair is cut.
  const head = text.slice(0, start).replace(/[\ud800-\udbff]$/, '')
  const tail = text.slice(text.length - (max - 1 - start)).replace(/^[\udc00-\udfff]/, '')
  return `${head}…${tail}`
}

/** Without control characters and characters that reorder text. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd')
}
