/** The numbers behind figures and tables as CSV (RFC 4180), all digits. */
import type { Plot } from './plot.ts'
import type { Table } from './report.ts'

/** A row a point. */
export function plotCsv(plot: Plot): string {
  const rows = plot.series.flatMap(({ name, points }) => points.map(([x, y]) => [name, x, y]))
  return csvText([['series', plot.x.label, plot.y.label], ...rows])
}

export function tableCsv({ columns, rows }: Table): string {
  return csvText([
    columns.map(({ title, group }) => (group === undefined ? title : `${group}: ${title}`)),
    ...rows,
  ])
}

export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return ''
  if (typeof value === 'number') return String(value)
  // Half a surrogate pair has no place in UTF-8, and a spreadsheet would take a text that starts like a formula for one.
  const whole = value.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
  const text = /^[=+\-@\t\r]/.test(whole) ? `'${whole}` : whole
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
