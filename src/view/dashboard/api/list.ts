/** Lists, and the states of pages. */

/** Parameters of every list. */
export interface ListQuery {
  readonly offset?: number
  readonly limit?: number
}

/** One part of a sorted list. */
export interface List<Row> {
  readonly rows: readonly Row[]
  /** Number of rows that match, of which `rows` are those from `offset` on. */
  readonly total: number
  readonly offset: number
  /** When the state that the rows show was current. */
  readonly asOfMs: number
  /** When their masses were, if these are older. */
  readonly massesAsOfMs?: number | undefined
}

export type PageState =
  | 'fetched'
  | 'redirect'
  | 'waiting'
  | 'robots'
  | 'scope'
  | 'limit'
  | 'unreachable'
  | 'failed'
  | 'temporary'
