/** Tables whose rows, order and paging are the server's. Sorting and paging are links, so that they can be shared. */
import { rowTag, tableTag, type TableHead } from '../../pictures/table.ts'
import { elementOf, html, replace, type Child } from './element.ts'
import { count, timeOfDay } from './format.ts'
import { hrefOf, type Params, type Route } from './route.ts'

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
  readonly cell: (row: Row, index: number) => Child | readonly Child[]
}

interface TableOptions<Row> {
  readonly name: string
  readonly columns: readonly Column<Row>[]
  /** Identifies a row, to keep the focus when rows are replaced. */
  readonly key: (row: Row) => string
}

export class Table<Row> {
  readonly element: HTMLElement
  readonly #body: HTMLTableSectionElement
  readonly #heads: readonly TableHead<Node>[]
  readonly #headCells: readonly HTMLTableCellElement[]
  readonly #options: TableOptions<Row>

  constructor(options: TableOptions<Row>) {
    this.#options = options
    this.#heads = options.columns.map((column) => ({
      title: [column.sort === undefined ? column.title : html('a', { href: '#' }, column.title)],
      kind: kindOf(column),
      hint: column.hint,
    }))
    this.element = elementOf(tableTag<Node>(this.#heads, [], { label: options.name }))
    this.#body = this.element.querySelector('tbody')!
    this.#headCells = [...this.element.querySelectorAll('th')]
  }

  /** Shows which column is sorted, and what a click on each does. */
  setSort(route: Route, sort: string, order: 'up' | 'down'): void {
    for (const [i, { sort: own, firstOrder = 'down' }] of this.#options.columns.entries()) {
      const link = this.#headCells[i].querySelector('a')
      if (own === undefined || link === null) continue
      const isSorted = own === sort
      if (isSorted) this.#headCells[i].setAttribute('aria-sort', order === 'up' ? 'ascending' : 'descending')
      else this.#headCells[i].removeAttribute('aria-sort')
      const next = isSorted ? (order === 'up' ? 'down' : 'up') : firstOrder
      const { offset: _, ...params } = route.params
      link.href = hrefOf(route.view, { ...params, sort: own, order: next })
    }
  }

  fill(rows: readonly Row[]): void {
    const focus = this.#focus()
    replace(this.#body, ...rows.map((row, index) => this.#row(row, index)))
    focus?.()
  }

  #row(row: Row, index: number): HTMLElement {
    const { columns, key } = this.#options
    const cells = columns.map((column) => ({ content: contentOf(column.cell(row, index)) }))
    return elementOf(rowTag<Node>(this.#heads, { cells, key: key(row) }))
  }

  /** A function that focuses the same link in the same row again. */
  #focus(): (() => void) | undefined {
    const active = document.activeElement
    const row = active?.closest('tr')
    if (!(active instanceof HTMLElement) || row === null || row === undefined) return undefined
    if (row.parentElement !== this.#body) return undefined
    const place = [...row.querySelectorAll('a, button')].indexOf(active)
    const { key } = row.dataset
    return () => {
      const again = [...this.#body.rows].find((each) => each.dataset['key'] === key)
      ;(again?.querySelectorAll<HTMLElement>('a, button')[place] ?? this.element).focus({
        preventScroll: true,
      })
    }
  }
}

function contentOf(cell: Child | readonly Child[]): (Node | string)[] {
  const children = Array.isArray(cell) ? (cell as readonly Child[]) : [cell as Child]
  return children
    .filter((child) => child !== undefined && child !== false)
    .map((child) => (typeof child === 'number' ? String(child) : child))
}

function kindOf({
  isNumber,
  isWide,
  priority = 1,
}: Pick<Column<never>, 'isNumber' | 'isWide' | 'priority'>): string {
  return [isNumber && 'number', isWide && 'wide', priority > 1 && `p${priority}`].filter(Boolean).join(' ')
}

interface PagerPlace {
  readonly route: Route
  readonly offset: number
  readonly limit: number
  readonly total: number
  /** Rows on this page of the list. */
  readonly shown: number
  /** False: there are at least `total`. */
  readonly isComplete?: boolean
  /** Of when the masses are, if they are older than the rest. */
  readonly massesAsOfMs?: number | undefined
  /** Name of the parameter. Default `offset`. */
  readonly param?: string
}

/** `1–50 of 12,345`, and links to the pages before and after. */
export function pager({
  route,
  offset,
  limit,
  total,
  shown,
  isComplete = true,
  massesAsOfMs,
  param = 'offset',
}: PagerPlace): HTMLElement {
  const to = (start: number): string => {
    const params: Params = { ...route.params, [param]: start > 0 ? start : undefined }
    return hrefOf(route.view, params)
  }
  const link = (text: string, label: string, start: number | undefined): HTMLElement =>
    start === undefined
      ? html('span', { class: 'off', 'aria-hidden': 'true' }, text)
      : html('a', { href: to(start), 'aria-label': label }, text)
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit)
  const hasBefore = offset > 0
  const hasAfter = offset + shown < total
  const range = shown === 0 ? '0' : `${count(offset + 1)}–${count(offset + shown)}`
  return html(
    'nav',
    { class: 'pager', 'aria-label': 'Pages of the list' },
    html('span', {}, `${range} of ${isComplete ? '' : 'at least '}${count(total)}`),
    massesAsOfMs !== undefined &&
      html('span', { class: 'soft masses-time' }, `importance at ${timeOfDay(massesAsOfMs)}`),
    (hasBefore || hasAfter) &&
      html(
        'span',
        { class: 'steps' },
        link('« first', 'First page', hasBefore ? 0 : undefined),
        link('‹ previous', 'Previous page', hasBefore ? Math.max(0, offset - limit) : undefined),
        link('next ›', 'Next page', hasAfter ? offset + limit : undefined),
        link('last »', 'Last page', hasAfter && isComplete ? last : undefined),
      ),
  )
}
