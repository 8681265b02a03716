/** Amounts and names in a crawl report. */
export {
  agreeing,
  bytesText,
  byteUnit,
  certainPercent,
  durationText,
  partPercent,
  percentText,
  plural,
  rateText,
  shareErrorMax,
} from '../../lib/amounts.ts'

/** Adds break opportunities to a long name, so that it fits a narrow screen. */
export function breakable(name: string): string {
  if (name.length <= 20) return name
  return name.replaceAll(/[.:/-]|[^.:/-]{16}/g, '$&\u200B').replace(/\u200B$/, '')
}

/** Truncates to this many characters: untrusted text may have any length. */
export function capped(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`
}
