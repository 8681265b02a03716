/**
 * The data of figures and tables as CSV (RFC 4180), with all digits; texts are escaped according to
 * `text-cell.ts`.
 */
import { csvCell } from '../../lib/text-cell.ts'
import type { Plot } from '../pictures/plot.ts'
import { textOf, type Cell } from '../pictures/table.tsx'
import type { Table } from './report.ts'

/** One row per point; with the ends of the band, if there are bands. */
export function plotCsv(plot: Plot, rawCells = false): string {
  const titles = ['series', plot.x.label, plot.y.label]
  if (plot.series.every(({ band }) => band === undefined)) {
    const rows = plot.series.flatMap(({ name, points }) => points.map(([x, y]) => [name, x, y]))
    return csvText([titles, ...rows], rawCells)
  }
  const rows = plot.series.flatMap(({ name, points, band }) => {
    const ends = new Map(band?.map(([x, low, high]) => [x, [low, high]]))
    return points.map(([x, y]) => [name, x, y, ...(ends.get(x) ?? [null, null])])
  })
  return csvText([[...titles, 'low', 'high'], ...rows], rawCells)
}

export function tableCsv({ columns, rows }: Table, rawCells = false): string {
  const titles = columns.map(({ title, group }) => (group === undefined ? title : `${group}: ${title}`))
  return csvText([titles, ...rows], rawCells)
}

function csvText(rows: readonly (readonly Cell[])[], rawCells: boolean): string {
  return rows.map((row) => `${row.map((value) => cell(value, rawCells)).join(',')}\r\n`).join('')
}

function cell(value: Cell, rawCells: boolean): string {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return ''
  return typeof value === 'number' ? String(value) : csvCell(textOf(value), rawCells)
}
