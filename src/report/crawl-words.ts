/** Quantities as a crawl's report writes them. */
import { grouped } from './numbers.ts'

/** 1 page, 2,000 pages. */
export function plural(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? '' : 's'}`
}

/** The unit in which so many bytes are a handful, and its name. */
export function byteUnit(bytes: number): readonly [bytes: number, name: string] {
  const units = [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const
  return units.find(([size]) => bytes >= size * 0.9995) ?? [1, 'bytes']
}

/** 54321000 as 54.3 MB. */
export function bytesText(bytes: number): string {
  const [size, unit] = byteUnit(bytes)
  return size === 1 ? plural(Math.round(bytes), 'byte') : `${Number((bytes / size).toPrecision(3))} ${unit}`
}

/** 1234 as 1.23 s, 56.7 as 57 ms. */
export function millisecondsText(ms: number): string {
  return ms >= 1000 ? `${Number((ms / 1000).toPrecision(3))} s` : `${Math.round(ms)} ms`
}

/** Computed shares are off by this at most: mass that was still on its way. */
export const shareMin = 2e-7

/** What is certain, in percent: rounded down, so that it is never more than it is. */
export function certainPercent(share: number): string {
  if (share > 1 - shareMin) return '100%'
  if (share > 0 && share < 0.001) return '<0.1%'
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1)}%`
}

/** Any other part: a little is never shown as nothing. */
export function partPercent(share: number): string {
  return share > shareMin && share < 0.0005 ? '<0.1%' : `${(share * 100).toFixed(1)}%`
}

/** Places where a line may break in a name that has none, so that a long host fits a narrow screen. */
export function breakable(name: string): string {
  if (name.length <= 20) return name
  return name.replaceAll(/[.:/-]|[^.:/-]{16}/g, '$&\u200B').replace(/\u200B$/, '')
}

/** At most so many characters: text from outside may have any length. */
export function capped(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`
}
