/**
 * Tables. A table of a report is sorted by a script, by the full value of numbers in `data-value`; one of the dashboard by the
 * server, so its heads are links.
 */
import type { ComponentChildren, Ref, VNode } from 'preact'
import { written, type Numbering } from '../../lib/amounts.ts'
import { sentence, WebLink, type Link } from './words.tsx'

/** A head, and the kind of its cells. */
interface TableHead {
  readonly title: ComponentChildren
  /** Of all cells of the column; `number` aligns them on the right. */
  readonly kind: string
  readonly hint?: string | undefined
  readonly sorted?: 'ascending' | 'descending' | undefined
  /** Neighbouring columns of the same group share a head, such as `published`. */
  readonly group?: string | undefined
}

interface TableRow {
  readonly cells: readonly {
    readonly content: ComponentChildren
    /** The full value of a number. */
    readonly value?: number | undefined
  }[]
  /** Identifies the row. */
  readonly key?: string | undefined
}

interface TableProps {
  readonly heads: readonly TableHead[]
  readonly rows: readonly TableRow[]
  readonly label?: string | undefined
  /** The id of the element with the table's title; instead of a label. */
  readonly labelledBy?: string | undefined
  /** Lets a script sort the rows. */
  readonly isSortable?: boolean | undefined
  /** The element that scrolls. */
  readonly frame?: Ref<HTMLDivElement> | undefined
}

/** A table that scrolls sideways if it is wider than its place. The first cell of a row names it. */
export function Table({
  heads,
  rows,
  label = 'Table',
  labelledBy,
  isSortable,
  frame = null,
}: TableProps): VNode {
  const classes = heads.map((_, i) => classOf(heads, i))
  const name = labelledBy === undefined ? { 'aria-label': label } : { 'aria-labelledby': labelledBy }
  return (
    <div ref={frame} class="scroll" role="region" tabindex={0} {...name}>
      <table data-sortable={isSortable === true && rows.length > 1 ? true : undefined}>
        <thead>
          {heads.some(({ group }) => group !== undefined) && <tr>{groupHeads(heads)}</tr>}
          <tr>
            {heads.map(({ title, hint, sorted }, i) => (
              <th scope="col" class={classes[i]} title={hint} aria-sort={sorted}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, key }) => (
            <tr key={key} data-key={key}>
              {cells.map(({ content, value }, i) =>
                i === 0 ? (
                  <th scope="row" class={classes[i]} data-value={value}>
                    {content}
                  </th>
                ) : (
                  <td class={classes[i]} data-value={value}>
                    {content}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A line separates groups. */
function classOf(heads: readonly TableHead[], i: number): string | undefined {
  const isFirst = i > 0 && heads[i].group !== heads[i - 1].group
  const names = `${heads[i].kind}${isFirst ? ' from' : ''}`.trim()
  return names === '' ? undefined : names
}

function groupHeads(heads: readonly TableHead[]): VNode[] {
  const starts = heads.flatMap(({ group }, i) => (i > 0 && group === heads[i - 1].group ? [] : [i]))
  return starts.map((start, i) => {
    const columns = (starts[i + 1] ?? heads.length) - start
    const { group } = heads[start]
    return group === undefined ? (
      <td colspan={columns} />
    ) : (
      <th class="group from" scope="colgroup" colspan={columns}>
        {sentence(group)}
      </th>
    )
  })
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

interface GridProps extends Omit<TableProps, 'heads' | 'rows'> {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

export function Grid({ columns, rows, ...options }: GridProps): VNode {
  const heads = columns.map(({ title, numbering, group }, i): TableHead => {
    const isLong = rows.some((row) => textOf(row[i] ?? null).length > wordsFrom)
    return {
      title: sentence(title),
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
  return <Table heads={heads} rows={filled} {...options} />
}

function contentOf(cell: Cell, { numbering = 'plain' }: Column): ComponentChildren {
  if (cell === null) return '–'
  if (typeof cell === 'object') return <WebLink {...cell} />
  return typeof cell === 'number' ? written(cell, numbering) : sentence(cell)
}

/** The text of a cell; for a link its address. */
export function textOf(cell: Cell): string {
  return cell === null ? '' : typeof cell === 'object' ? cell.href : String(cell)
}
