/** Tables whose rows, order and paging are the server's. Sorting and paging are links, so that they can be shared. */
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { grouped } from '../../../lib/amounts.ts'
import { Table } from '../../pictures/table.tsx'
import type { List } from '../api/index.ts'
import { Empty, Pending, type Answer } from './answer.tsx'
import { timeOfDay } from './format.ts'
import { choiceIn, hrefOf, numberIn, type Params, type Route } from './route.ts'

export interface Column<Row> {
  readonly title: string
  /** Value of the parameter `sort`; absent: the table cannot be sorted by it. */
  readonly sort?: string
  /** Order at the first click. Default: down. */
  readonly firstOrder?: 'up' | 'down'
  /** Right-aligned. */
  readonly isNumber?: boolean
  /** 1: always visible; 2: from 700 px; 3: from 1,200 px. Default 1. */
  readonly priority?: 1 | 2 | 3
  /** Takes the room that the others leave. */
  readonly isWide?: boolean
  readonly hint?: string
  readonly cell: (row: Row, index: number) => ComponentChildren
}

/** A column of numbers. */
export function number<Row>(
  title: string,
  cell: Column<Row>['cell'],
  more: Omit<Column<Row>, 'title' | 'cell' | 'isNumber'> = {},
): Column<Row> {
  return { title, cell, isNumber: true, ...more }
}

interface Order<Sort extends string = string> {
  readonly sort: Sort
  readonly order: 'up' | 'down'
}

/** How the route sorts; by default by the first, each in the order of its first click. */
export function orderIn<Sort extends string>(
  route: Route,
  sorts: readonly Sort[],
  up: readonly Sort[],
): Order<Sort> {
  const sort = choiceIn(route, 'sort', sorts)
  return { sort, order: choiceIn(route, 'order', up.includes(sort) ? ['up', 'down'] : ['down', 'up']) }
}

interface ListTableProps<Row> {
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Identifies a row. */
  readonly keyOf: (row: Row) => string
  readonly sorting?: (Order & { readonly route: Route }) | undefined
}

export function ListTable<Row>({ name, columns, rows, keyOf, sorting }: ListTableProps<Row>): VNode {
  const frame = useRef<HTMLDivElement>(null)
  const hadFocus = frame.current?.contains(document.activeElement) === true
  // The row that had the focus may be gone.
  useLayoutEffect(() => {
    if (hadFocus && frame.current?.contains(document.activeElement) === false)
      frame.current.focus({ preventScroll: true })
  })
  const heads = columns.map((column) => ({
    title: headOf(column, sorting),
    kind: kindOf(column),
    hint: column.hint,
    sorted:
      sorting === undefined || sorting.sort !== column.sort
        ? undefined
        : sorting.order === 'up'
          ? ('ascending' as const)
          : ('descending' as const),
  }))
  const shown = rows.map((row, index) => ({
    key: keyOf(row),
    cells: columns.map(({ cell }) => ({ content: cell(row, index) })),
  }))
  return <Table heads={heads} rows={shown} label={name} frame={frame} />
}

interface AnswerListProps<Row> extends Omit<ListTableProps<Row>, 'rows' | 'sorting'> {
  /** The name of the region. */
  readonly region: string
  readonly answer: Answer<List<Row> & { readonly isComplete?: boolean }>
  readonly route: Route
  readonly limit: number
  readonly sorting?: Order
  /** What is said instead of an empty table. */
  readonly empty: string
  /** The parameter of the route that pages through it. */
  readonly param?: string
}

/** A list of the server: its table, and links to its other pages. */
export function AnswerList<Row>(props: AnswerListProps<Row>): VNode {
  const { region, answer, route, limit, sorting, empty, param = 'offset', ...table } = props
  const order = sorting && { route, ...sorting }
  return (
    <Pending name={region} answer={answer}>
      {(list) => (
        <>
          {list.rows.length === 0 ? (
            <Empty text={empty} />
          ) : (
            <ListTable rows={list.rows} sorting={order} {...table} />
          )}
          {(param === 'offset' || list.total > limit) && (
            <Pager route={route} limit={limit} list={list} param={param} />
          )}
        </>
      )}
    </Pending>
  )
}

/** A click on the column that is sorted turns its order. */
function headOf<Row>(column: Column<Row>, sorting: ListTableProps<Row>['sorting']): ComponentChildren {
  const { title, sort, firstOrder = 'down' } = column
  if (sort === undefined || sorting === undefined) return title
  const next = sorting.sort !== sort ? firstOrder : sorting.order === 'up' ? 'down' : 'up'
  const { offset: _, ...params } = sorting.route.params
  return <a href={hrefOf(sorting.route.view, { ...params, sort, order: next })}>{title}</a>
}

function kindOf({ isNumber, isWide, priority = 1 }: Column<never>): string {
  return [isNumber && 'number', isWide && 'wide', priority > 1 && `p${priority}`].filter(Boolean).join(' ')
}

export const offsetIn = (route: Route): number => numberIn(route, 'offset') ?? 0

interface PagerProps {
  readonly route: Route
  readonly limit: number
  readonly list: List<unknown> & { readonly isComplete?: boolean }
  readonly param: string
}

/** `1–50 of 12,345`, and links to the pages before and after. An incomplete list has at least so many rows. */
function Pager({ route, limit, list, param }: PagerProps): VNode {
  const { offset, total, massesAsOfMs, isComplete = true } = list
  const shown = list.rows.length
  const link = (text: string, label: string, start: number | undefined): VNode => {
    if (start === undefined) {
      return (
        <span class="off" aria-hidden="true">
          {text}
        </span>
      )
    }
    const params: Params = { ...route.params, [param]: start > 0 ? start : undefined }
    return (
      <a href={hrefOf(route.view, params)} aria-label={label}>
        {text}
      </a>
    )
  }
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit)
  const hasBefore = offset > 0
  const hasAfter = offset + shown < total
  const range = shown === 0 ? '0' : `${grouped(offset + 1)}–${grouped(offset + shown)}`
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span>{`${range} of ${isComplete ? '' : 'at least '}${grouped(total)}`}</span>
      {massesAsOfMs !== undefined && (
        <span class="soft masses-time">{`importance at ${timeOfDay(massesAsOfMs)}`}</span>
      )}
      {(hasBefore || hasAfter) && (
        <span class="steps">
          {link('« first', 'First page', hasBefore ? 0 : undefined)}
          {link('‹ previous', 'Previous page', hasBefore ? Math.max(0, offset - limit) : undefined)}
          {link('next ›', 'Next page', hasAfter ? offset + limit : undefined)}
          {link('last »', 'Last page', hasAfter && isComplete ? last : undefined)}
        </span>
      )}
    </nav>
  )
}
