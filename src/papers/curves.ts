/** Curves of the experiments, and sentences about them. */
import type { Axis, Point, Series } from '../view/pictures/plot.ts'

export const crawledAxis: Axis = { label: 'share of the web crawled', numbering: 'percent', min: 0, max: 100 }

/** Values at 1% … 100% as percentages, starting at 0. */
export function percentCurve(shares: readonly number[]): Point[] {
  return [[0, 0], ...shares.map((share, i): Point => [i + 1, share * 100])]
}

/** Values at 1% … 100% unchanged, starting at 0. */
export function shareCurve(shares: readonly number[]): Point[] {
  return [[0, 0], ...shares.map((share, i): Point => [i + 1, share])]
}

/** A random crawler: its share of anything is its share of the web. */
export function randomLine(most: 1 | 100): Series {
  return {
    name: 'at random',
    points: [
      [0, 0],
      [100, most],
    ],
    reference: true,
    look: 3,
  }
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`
}

export interface Named {
  readonly name: string
  readonly value: number
}

/** Largest first. */
export function ranking(values: readonly Named[]): Named[] {
  return values.toSorted((a, b) => b.value - a.value)
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The number of points at which the first is above the second, and vice versa. */
export function duel(first: readonly number[], second: readonly number[]): { ahead: number; behind: number } {
  let ahead = 0
  let behind = 0
  first.forEach((value, i) => {
    if (value > second[i]) ahead++
    else if (value < second[i]) behind++
  })
  return { ahead, behind }
}

/** The first checkpoint at which the curve has reached this share, as a percentage of the web. */
export function percentReaching(curve: readonly number[], share: number): number | undefined {
  const place = curve.findIndex((value) => value >= share)
  return place < 0 ? undefined : place + 1
}

/** The time average of a step function over each of `parts` equal intervals. */
export function meanSteps(steps: readonly Point[], end: number, parts: number): Point[] {
  const width = end / parts
  const sums = new Float64Array(parts)
  steps.forEach(([from, value], i) => {
    const to = Math.min(end, steps[i + 1]?.[0] ?? end)
    for (let part = Math.floor(from / width); part < parts && part * width < to; part++)
      sums[part] += value * Math.max(0, Math.min(to, (part + 1) * width) - Math.max(from, part * width))
  })
  return Array.from(sums, (sum, part) => [part * width, width > 0 ? sum / width : 0])
}

/** The share of the time during which it is below a limit. */
export function shareBelow(steps: readonly Point[], end: number, limit: number): number {
  const below = steps.reduce(
    (sum, [from, value], i) => (value < limit ? sum + Math.max(0, (steps[i + 1]?.[0] ?? end) - from) : sum),
    0,
  )
  return end === 0 ? 0 : below / end
}

/** An ideal crawler fetches only hot pages until it has them all. */
export function idealLine(name: string, hot: number, pages: number): Series {
  const reached = Math.min(100, (100 * hot) / Math.max(1, pages))
  return {
    name,
    points: [
      [0, 0],
      [reached, 100],
      [100, 100],
    ],
    reference: true,
  }
}
