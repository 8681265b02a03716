/** The model of an exported table: columns with names and types, rows in column-wise batches. */

/** `long` may exceed 2^31; `time` is in milliseconds since the epoch. */
export type ColumnType = 'int' | 'long' | 'double' | 'text' | 'time' | 'flag'

export type Value = string | number | boolean | undefined

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** True if every row has a value. */
  readonly isFull?: boolean
}

/** Some rows of a table: one array per column, all of the same length. Valid until the next batch is read. */
export type Batch = readonly (readonly Value[] | Uint32Array)[]

export type Batches = AsyncIterable<Batch> | Iterable<Batch>
