/** The model of an exported table: columns with names and types, rows in column-wise batches. */

/**
 * `long` may exceed 2^31; `time` is in milliseconds since the epoch; `name` is a text of a small fixed set; `list` is a list of
 * texts.
 */
export type ColumnType = 'int' | 'long' | 'double' | 'text' | 'name' | 'time' | 'flag' | 'list'

export type Value = string | number | boolean | readonly string[] | undefined

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** True if every row has a value. */
  readonly isFull?: boolean
  /** Between the texts of a list in TSV and CSV; a space by default. */
  readonly separator?: string
}

/** Some rows of a table: one array per column, all of the same length. Valid until the next batch is read. */
export type Batch = readonly (readonly Value[] | Uint32Array)[]

export type Batches = AsyncIterable<Batch> | Iterable<Batch>
