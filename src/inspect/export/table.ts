/** Tables on their way into files: columns with names and types, rows in batches, column by column. */

/** `long` may pass 2^31; `time` is milliseconds of the epoch. */
export type ColumnType = 'int' | 'long' | 'double' | 'text' | 'time' | 'flag'

export type Value = string | number | boolean | undefined

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Has every row a value? */
  readonly isFull?: boolean
}

/** Some rows of a table: an array for each column, all of one length. Read before the next batch is asked for. */
export type Batch = readonly (readonly Value[] | Uint32Array)[]

export type Batches = AsyncIterable<Batch> | Iterable<Batch>
