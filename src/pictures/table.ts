/** Tables as HTML. Numbers have their full value in `data-value`, by which a script can sort the rows. */
import { linkHtml, type Link } from './link.ts'
import { escaped, sentence } from './markup.ts'
import { written, type Numbering } from './numbers.ts'

export interface Column {
  readonly title: string
  /** The number format; a column of words has none. */
  readonly numbering?: Numbering
  /** Neighbouring columns of the same group share a header, such as `published`. */
  readonly group?: string
}

export type Cell = string | number | Link | null

/** Cells with more characters are broken into lines. */
const wordsFrom = 30

export interface GridOptions {
  /** The id of the element with the table's title. */
  readonly labelledBy?: string | undefined
  /** Let a script sort the rows. */
  readonly isSortable?: boolean | undefined
}

export function gridHtml(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { labelledBy, isSortable = false }: GridOptions = {},
): string {
  const label = labelledBy === undefined ? 'aria-label="Table"' : `aria-labelledby="${escaped(labelledBy)}"`
  const isGrouped = columns.some(({ group }) => group !== undefined)
  const classes = columns.map((_, i) => classAttribute(columns, rows, i))
  const body = rows.map((row) => {
    const cells = row.map((cell, i) => {
      const [start, end] = i === 0 ? ['<th scope="row"', '</th>'] : ['<td', '</td>']
      return `${start}${classes[i]}${valueAttribute(cell, isSortable)}>${cellHtml(cell, columns[i])}${end}`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  const heads = columns.map(({ title }, i) => `<th scope="col"${classes[i]}>${sentence(title)}</th>`)
  return `<div class="scroll" role="region" tabindex="0" ${label}><table${isSortable && rows.length > 1 ? ' data-sortable' : ''}>
<thead>${isGrouped ? groupRow(columns) : ''}<tr>${heads.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>`
}

function classAttribute(columns: readonly Column[], rows: readonly (readonly Cell[])[], i: number): string {
  const { numbering, group } = columns[i]
  const isLong = (cell: Cell): boolean => textOf(cell).length > wordsFrom
  const kind = numbering !== undefined ? 'number' : rows.some((row) => isLong(row[i] ?? null)) ? 'words' : ''
  const names = [kind, group !== columns[i - 1]?.group && i > 0 ? 'from' : ''].join(' ').trim()
  return names === '' ? '' : ` class="${names}"`
}

function valueAttribute(cell: Cell, isSortable: boolean): string {
  return isSortable && typeof cell === 'number' && Number.isFinite(cell) ? ` data-value="${cell}"` : ''
}

function groupRow(columns: readonly Column[]): string {
  let cells = ''
  for (let i = 0; i < columns.length;) {
    const { group } = columns[i]
    let end = i + 1
    while (end < columns.length && columns[end].group === group) end++
    cells +=
      group === undefined
        ? `<td colspan="${end - i}"></td>`
        : `<th class="group from" scope="colgroup" colspan="${end - i}">${sentence(group)}</th>`
    i = end
  }
  return `<tr>${cells}</tr>`
}

function cellHtml(cell: Cell, { numbering = 'plain' }: Column): string {
  if (cell === null) return '–'
  if (typeof cell === 'object') return linkHtml(cell)
  return typeof cell === 'number' ? escaped(written(cell, numbering)) : sentence(cell)
}

/** The text of a cell; for a link its address. */
export function textOf(cell: Cell): string {
  return cell === null ? '' : typeof cell === 'object' ? cell.href : String(cell)
}
