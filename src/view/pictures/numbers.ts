/** The labels of axes; the formats of all other numbers are those of `lib/amounts.ts`. */
import { durationText, grouped, type Numbering } from '../../lib/amounts.ts'

export { grouped, written, type Numbering } from '../../lib/amounts.ts'

/** As short as possible. */
export function tickLabel(value: number, numbering: Numbering): string {
  if (numbering === 'percent' || numbering === 'certain') return `${trimmed(value, 2)}%`
  if (numbering === 'seconds') return durationText(value)
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (Math.abs(value) >= size) return `${trimmed(value / size, 2)}${unit}`
  }
  return String(Number(value.toPrecision(3)))
}

/** A share as a percentage in a sentence: 0.1234 as 12.3%. */
export function percentOf(share: number): string {
  return `${trimmed(share * 100, 1)}%`
}

function trimmed(value: number, decimals: number): string {
  return grouped(Number(value.toFixed(decimals)))
}
