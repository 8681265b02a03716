/** Formats of quantities in a crawl report. */
import { counted as plural } from '../lib/counted.ts'

export { certainPercent, partPercent, shareErrorMax } from '../lib/percents.ts'
export { agreeing, counted as plural } from '../lib/counted.ts'

/** The unit and its name for this number of bytes. */
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

/** Adds break opportunities to a long name, so that it fits a narrow screen. */
export function breakable(name: string): string {
  if (name.length <= 20) return name
  return name.replaceAll(/[.:/-]|[^.:/-]{16}/g, '$&\u200B').replace(/\u200B$/, '')
}

/** Truncates to this many characters: untrusted text may have any length. */
export function capped(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`
}
