/**
 * Tables. A table of a report is sorted by a script, by the full value of numbers in `data-value`; one of the dashboard by the
 * server, so its heads are links.
 */
import { linkTag, type Link } from './link.ts'
import { sentenceTags } from './markup-tags.ts'
import { written, type Numbering } from './numbers.ts'
import { tag, tagHtml, type Tag } from './tags.ts'

/** A head, and the kind of its cells. */
export interface TableHead<Leaf = never> {
  readonly title: readonly (Tag<Leaf> | Leaf | string)[]
  /** Of all cells of the column; `number` aligns them on the right. */
  readonly kind: string
  readonly hint?: string | undefined
  /** Neighbouring columns of the same group share a head, such as `published`. */
  readonly group?: string | undefined
}

interface TableCell<Leaf = never> {
  readonly content: readonly (Tag<Leaf> | Leaf | string)[]
  /** The full value of a number. */
  readonly value?: number | undefined
}

interface TableOptions {
  readonly label?: string | undefined
  /** The id of the element with the table's title; instead of a label. */
  readonly labelledBy?: string | undefined
  /** Lets a script sort the rows. */
  readonly isSortable?: boolean | undefined
}

interface TableRow<Leaf = never> {
  readonly cells: readonly TableCell<Leaf>[]
  /** Identifies the row. */
  readonly key?: string | undefined
}

/** A table that scrolls sideways if it is wider than its place. */
export function tableTag<Leaf = never>(
  heads: readonly TableHead<Leaf>[],
  rows: readonly TableRow<Leaf>[],
  { label = 'Table', labelledBy, isSortable = false }: TableOptions = {},
): Tag<Leaf> {
  const name = labelledBy === undefined ? { 'aria-label': label } : { 'aria-labelledby': labelledBy }
  const isGrouped = heads.some(({ group }) => group !== undefined)
  return tag<Leaf>(
    'div',
    { class: 'scroll', role: 'region', tabindex: 0, ...name },
    tag<Leaf>(
      'table',
      { 'data-sortable': isSortable && rows.length > 1 },
      tag<Leaf>(
        'thead',
        {},
        isGrouped && groupRow(heads),
        tag<Leaf>(
          'tr',
          {},
          ...heads.map(({ title, hint }, i) =>
            tag<Leaf>('th', { scope: 'col', class: classOf(heads, i), title: hint }, ...title),
          ),
        ),
      ),
      tag<Leaf>('tbody', {}, ...rows.map((row) => rowTag(heads, row))),
    ),
  )
}

/** The first cell names the row. */
export function rowTag<Leaf = never>(
  heads: readonly TableHead<Leaf>[],
  { cells, key }: TableRow<Leaf>,
): Tag<Leaf> {
  return tag<Leaf>(
    'tr',
    { 'data-key': key },
    ...cells.map(({ content, value }, i) =>
      tag<Leaf>(
        i === 0 ? 'th' : 'td',
        { scope: i === 0 ? 'row' : undefined, class: classOf(heads, i), 'data-value': value },
        ...content,
      ),
    ),
  )
}

/** A line separates groups. */
function classOf(heads: readonly TableHead<unknown>[], i: number): string | undefined {
  const isFirst = i > 0 && heads[i].group !== heads[i - 1].group
  const names = `${heads[i].kind}${isFirst ? ' from' : ''}`.trim()
  return names === '' ? undefined : names
}

function groupRow(heads: readonly TableHead<unknown>[]): Tag {
  const cells: Tag[] = []
  for (let i = 0; i < heads.length;) {
    const { group } = heads[i]
    let end = i + 1
    while (end < heads.length && heads[end].group === group) end++
    cells.push(
      group === undefined
        ? tag('td', { colspan: end - i })
        : tag('th', { class: 'group from', scope: 'colgroup', colspan: end - i }, ...sentenceTags(group)),
    )
    i = end
  }
  return tag('tr', {}, ...cells)
}

// Tables of a report

export interface Column {
  readonly title: string
  /** The number format; a column of words has none. */
  readonly numbering?: Numbering
  readonly group?: string
}

export type Cell = string | number | Link | null

/** Cells with more characters are broken into lines. */
const wordsFrom = 30

export function gridHtml(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions = {},
): string {
  const heads = columns.map(({ title, numbering, group }, i): TableHead => {
    const isLong = rows.some((row) => textOf(row[i] ?? null).length > wordsFrom)
    return {
      title: sentenceTags(title),
      group,
      kind: numbering !== undefined ? 'number' : isLong ? 'words' : '',
    }
  })
  const { isSortable = false } = options
  const filled = rows.map((row): TableRow => ({
    cells: row.map((cell, i) => ({
      content: contentOf(cell, columns[i]),
      value: isSortable && typeof cell === 'number' && Number.isFinite(cell) ? cell : undefined,
    })),
  }))
  return tagHtml(tableTag(heads, filled, options))
}

function contentOf(cell: Cell, { numbering = 'plain' }: Column): readonly (Tag | string)[] {
  if (cell === null) return ['–']
  if (typeof cell === 'object') return [linkTag(cell)]
  return typeof cell === 'number' ? [written(cell, numbering)] : sentenceTags(cell)
}

/** The text of a cell; for a link its address. */
export function textOf(cell: Cell): string {
  return cell === null ? '' : typeof cell === 'object' ? cell.href : String(cell)
}
