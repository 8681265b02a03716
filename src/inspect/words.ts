/** Formats of quantities and of text from the web, in the views of a crawl on a terminal and in the dashboard. */
import { counted as plural, groupedCount as grouped } from '../lib/counted.ts'

export { agreeing, counted as plural } from '../lib/counted.ts'
export { percentText } from '../lib/percents.ts'

/** Control characters, and those that change the text direction. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Makes text from files and the web safe to print: control characters are escaped. */
export function safe(text: string): string {
  return text.replaceAll(unsafe, (char) => {
    const code = char.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
  })
}

/** Quotes a path for a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${safe(text).replaceAll("'", "'\\''")}'`
}

/** 54321000 as 54.3 MB. */
export function bytesText(bytes: number): string {
  for (const [size, unit] of [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const) {
    if (bytes >= size * 0.9995) return `${Number((bytes / size).toPrecision(3))} ${unit}`
  }
  return plural(Math.round(bytes), 'byte')
}

/** 75 as 1:15 min, 90000 as 1 d 1 h. */
export function durationText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)} min`
  const minutes = Math.round(seconds / 60)
  if (minutes < 2880) return `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`
  const hours = Math.round(seconds / 3600)
  return `${grouped(Math.floor(hours / 24))} d ${hours % 24} h`
}

/** 41.26 as 41.3, 0.0512 as 0.051. */
export function rateText(perSecond: number): string {
  if (perSecond >= 100) return grouped(Math.round(perSecond))
  return String(Number(perSecond.toPrecision(perSecond >= 1 ? 3 : 2)))
}

/** Errors by kind, the most frequent first: `timeout 8, dns 4, 2 others`. */
export function errorsText(errors: Readonly<Record<string, number>>, kindsMax = Infinity): string {
  const kinds = Object.entries(errors)
    .filter(([, count]) => count > 0)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const rest = kinds.slice(kindsMax).reduce((sum, [, count]) => sum + count, 0)
  const parts = kinds.slice(0, kindsMax).map(([kind, count]) => `${kind} ${grouped(count)}`)
  return [...parts, ...(rest > 0 ? [plural(rest, 'other')] : [])].join(', ')
}

export function errorCount(errors: Readonly<Record<string, number>>): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0)
}
