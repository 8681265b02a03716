/** Formats of quantities and of text from the web, in the views of a crawl on a terminal and in the dashboard. */
import { grouped, plural } from '../../lib/amounts.ts'

export { agreeing, bytesText, durationText, percentText, plural, rateText } from '../../lib/amounts.ts'

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
