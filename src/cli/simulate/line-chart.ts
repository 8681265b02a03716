/**
 * Curves in a terminal. Each series has a letter; where several coincide, the first one is shown. Letters
 * instead of colours keep the chart readable in copies, log files and for colour-blind readers.
 */
import { fixed } from '../../lib/amounts.ts'

interface Series {
  readonly name: string
  /** Evenly spaced values, the last at the right edge. */
  readonly values: readonly number[]
  /** Its mark. Default: the next letter. */
  readonly mark?: string
}

interface ChartOptions {
  readonly width?: number
  readonly height?: number
  /** Values at the bottom and the top. Default: 0 and 1. */
  readonly range?: readonly [number, number]
  readonly xLabel?: string
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

export function markOf(index: number): string {
  return letters[index % letters.length]
}

export function lineChart(series: readonly Series[], options: ChartOptions = {}): string {
  const { width = 72, height = 18, range = [0, 1], xLabel = 'share of the web crawled' } = options
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => ' '))
  for (let s = series.length - 1; s >= 0; s--) {
    const { values, mark = markOf(s) } = series[s]
    for (let x = 0; x < width; x++) {
      const value = values[Math.round(((x + 1) / width) * values.length) - 1] ?? values[0]
      const share = (value - range[0]) / (range[1] - range[0])
      const y = height - 1 - Math.round(Math.max(0, Math.min(1, share)) * (height - 1))
      rows[y][x] = mark
    }
  }
  const body = rows.map((row, y) => {
    const value = range[1] - (y / (height - 1)) * (range[1] - range[0])
    const label = y % 4 === 0 || y === height - 1 ? fixed(value, 2) : ''
    return `${label.padStart(5)} ┤${row.join('').trimEnd()}`
  })
  const axis = `${' '.repeat(6)}└${'─'.repeat(width)}`
  const ticks = `${' '.repeat(6)}0%${'50%'.padStart(Math.floor(width / 2) - 1)}${'100%'.padStart(width - Math.floor(width / 2))}`
  return [...body, axis, ticks, `${' '.repeat(7)}${xLabel}`].join('\n')
}
