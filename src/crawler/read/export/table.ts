/** The model of an exported table: columns with names and types, rows in column-wise batches. */

/**
 * `long` may exceed 2^31; `time` is in milliseconds since the epoch; `name` is a text of a small fixed set; `list` is a list of
 * texts; `json` is a text that JSON lines have as the value that it stands for.
 */
export type ColumnType = 'int' | 'long' | 'double' | 'text' | 'name' | 'time' | 'flag' | 'list' | 'json'

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

/** A column whose values follow from a row. */
export interface RowColumn<Row> extends Column {
  of(row: Row): Value
}

export async function batchesOf<Row>(
  columns: readonly RowColumn<Row>[],
  rows: AsyncIterable<Row>,
  batchRows: number,
): Promise<Batch[]> {
  const batches: Value[][][] = []
  for await (const row of rows) {
    const last = batches.at(-1)
    const batch = last === undefined || last[0].length >= batchRows ? columns.map(() => []) : last
    if (batch !== last) batches.push(batch)
    columns.forEach((column, i) => batch[i].push(column.of(row)))
  }
  return batches
}
