/** The number formats of a report. The hover script uses the same formats: see `page-script.ts`. */

/**
 * percent: a number from 0 to 100; share: from 0 to 1; count: a whole number; seconds: a duration; plain: any
 * other.
 */
export type Numbering = 'percent' | 'share' | 'count' | 'seconds' | 'plain'

/** The format in tables and sentences. */
export function written(value: number, numbering: Numbering): string {
  if (!Number.isFinite(value)) return '–'
  switch (numbering) {
    case 'percent':
      return `${trimmed(value, 1)}%`
    case 'share':
      return value.toFixed(4)
    case 'count':
      return grouped(Math.round(value))
    case 'seconds':
      return duration(value)
    default:
      return Math.abs(value) >= 1000 ? grouped(Math.round(value)) : String(Number(value.toPrecision(4)))
  }
}

/** The format on axes: as short as possible. */
export function tickLabel(value: number, numbering: Numbering): string {
  if (numbering === 'percent') return `${trimmed(value, 2)}%`
  if (numbering === 'seconds') return duration(value)
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (Math.abs(value) >= size) return `${trimmed(value / size, 2)}${unit}`
  }
  return String(Number(value.toPrecision(3)))
}

/** 1234567 as 1,234,567. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** A share as a percentage in a sentence: 0.1234 as 12.3%. */
export function percentOf(share: number): string {
  return `${trimmed(share * 100, 1)}%`
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${trimmed(seconds, seconds < 10 ? 2 : 0)} s`
  if (seconds < 3600) return `${trimmed(seconds / 60, 1)} min`
  if (seconds < 172_800) return `${trimmed(seconds / 3600, 1)} h`
  return `${trimmed(seconds / 86_400, 1)} d`
}

function trimmed(value: number, decimals: number): string {
  return grouped(Number(value.toFixed(decimals)))
}
