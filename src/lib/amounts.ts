/**
 * Formats of amounts: the only ones, for the terminal, reports, the dashboard and axes. The same amount has the same text
 * everywhere. The functions use nothing but each other, because the script of a report carries their source.
 */

/** 1234567 as 1,234,567. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** 1 page, 2,000 pages. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** The form of a word that agrees with a count: `agreeing(count, 'is', 'are')`. */
export function agreeing(count: number, one: string, many: string): string {
  return count === 1 ? one : many
}

/** 99999 as 99,999, 1234567 as 1.23 M. */
export function shortCount(value: number): string {
  const size = Math.abs(value)
  const [unitSize, unit] =
    size >= 1e12 ? [1e12, ' T'] : size >= 1e9 ? [1e9, ' G'] : size >= 1e6 ? [1e6, ' M'] : [1e3, ' k']
  if (size >= 1e5) return `${Number((value / unitSize).toPrecision(3))}${unit}`
  return size >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(size >= 1 ? 3 : 2)))
}

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

/** 0.057 as 57 ms, 1.234 as 1.23 s, 75 as 1:15 min, 7500 as 2:05 h, 90000 as 1 d 1 h. */
export function durationText(seconds: number): string {
  const of = (whole: number, part: number): string =>
    `${Math.floor(whole / part)}:${String(whole % part).padStart(2, '0')}`
  if (seconds < 0.0005) return '0 s'
  if (seconds < 0.9995) return `${Math.round(1000 * seconds)} ms`
  if (seconds < 9.995) return `${Number(seconds.toFixed(2))} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${of(whole, 60)} min`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${of(minutes, 60)} h`
  const hours = Math.round(seconds / 3600)
  return `${grouped(Math.floor(hours / 24))} d${hours % 24 === 0 ? '' : ` ${hours % 24} h`}`
}

/** 41.26 as 41.3, 0.0512 as 0.051. */
export function rateText(perSecond: number): string {
  if (perSecond >= 100) return grouped(Math.round(perSecond))
  return String(Number(perSecond.toPrecision(perSecond >= 1 ? 3 : 2)))
}

/** Maximum error of computed shares: the mass that was still moving. A share this close to 1 counts as 1. */
export const shareErrorMax = 2e-7

/** A certain share, rounded down so that it is never overstated, with one decimal: 0.99996 is 99.9%. */
export function certainPercent(share: number): string {
  // The value of `shareErrorMax`: a report carries functions, not constants.
  if (share > 1 - 2e-7) return '100%'
  if (share > 0 && share < 0.001) return '<0.1%'
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1)}%`
}

/** A certain share in a sentence: 0.95 is 95%. */
export function percentText(share: number): string {
  return certainPercent(share).replace('.0%', '%')
}

/** Any other share, rounded to nearest; neither a small part is shown as 0% nor a large one as 100%. */
export function partPercent(share: number): string {
  if (share > 2e-7 && share < 0.0005) return '<0.1%'
  return share >= 0.9995 && share < 1 - 2e-7 ? '99.9%' : `${(share * 100).toFixed(1)}%`
}

/**
 * A certain share that may be small, rounded down: one decimal from 10% on, as `certainPercent`, two from 1% on, two
 * significant digits below. 0.000123 is 0.012%.
 */
export function finePercent(share: number): string {
  const percent = 100 * share
  if (share > 1 - 2e-7) return '100%'
  if (percent <= 0) return '0%'
  if (percent < 0.0001) return '<0.0001%'
  const decimals = percent >= 10 ? 1 : percent >= 1 ? 2 : 1 - Math.floor(Math.log10(percent))
  return `${(Math.floor(percent * 10 ** decimals + 1e-6) / 10 ** decimals).toFixed(decimals)}%`
}

/** The same in a sentence: without zeros at its end. */
export function finePercentText(share: number): string {
  return finePercent(share).replace(/\.0+%$|(?<=\.\d*[1-9])0+%$/, '%')
}

/** A share in a sentence, with at most one decimal: 0.1234 is 12.3%. */
export function percentOf(share: number): string {
  return `${grouped(Number((share * 100).toFixed(1)))}%`
}

/** A number with so many decimals, for columns and comparisons: 2.5 as 2.50. */
export function fixed(value: number, decimals: number): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : '–'
}

/**
 * The kind of a number. percent: from 0 to 100; certain: a certain share in percent, rounded down; share: from 0 to 1;
 * count: a whole number; seconds: a duration; plain: any other.
 */
export type Numbering = 'percent' | 'certain' | 'share' | 'count' | 'seconds' | 'plain'

/** The format of a number of this kind in tables and sentences. */
export function written(value: number, numbering: Numbering): string {
  if (!Number.isFinite(value)) return '–'
  switch (numbering) {
    case 'percent':
      return `${grouped(Number(value.toFixed(1)))}%`
    case 'certain':
      return certainPercent(value / 100)
    case 'share':
      return value.toFixed(4)
    case 'count':
      return grouped(Math.round(value))
    case 'seconds':
      return durationText(value)
    default:
      return Math.abs(value) >= 1000 ? grouped(Math.round(value)) : String(Number(value.toPrecision(4)))
  }
}

/** The label of an axis: as short as possible. */
export function tickLabel(value: number, numbering: Numbering): string {
  if (numbering === 'percent' || numbering === 'certain') return `${grouped(Number(value.toFixed(2)))}%`
  if (numbering === 'seconds') return durationText(value)
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (Math.abs(value) >= size) return `${grouped(Number((value / size).toFixed(2)))}${unit}`
  }
  return String(Number(value.toPrecision(3)))
}
