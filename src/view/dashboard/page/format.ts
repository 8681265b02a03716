/** Formats of times and URLs; those of amounts are the same as everywhere. */
import { durationText } from '../../../lib/amounts.ts'

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
  const length = durationText(Math.round(Math.abs(seconds)))
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
