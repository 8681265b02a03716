/**
 * Writes tables as Parquet files: one row group per batch, so that at most one batch is in memory. Compressed
 * with Snappy.
 */
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { writeWhole } from '../../../lib/files/whole-file.ts'
import type { Batch, Batches, Column, ColumnType } from './table.ts'

const types: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  int: { type: 'INT32' },
  long: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  name: { type: 'BYTE_ARRAY', converted_type: 'ENUM' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  list: { converted_type: 'LIST', num_children: 1 },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  flag: { type: 'BOOLEAN' },
}

export async function writeParquet(
  path: string,
  columns: readonly Column[],
  batches: Batches,
): Promise<void> {
  await writeWhole(path, async (partial) => {
    const writer = new ParquetWriter({ writer: fileWriter(partial), schema: schemaOf(columns) })
    for await (const batch of batches) {
      const rows = batch[0].length
      if (rows === 0) continue
      await writer.write({
        columnData: columns.map((column, i) => ({ name: column.name, data: cells(column, batch[i]) })),
        rowGroupSize: rows,
      })
    }
    await writer.finish()
  })
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap(({ name, type, isFull }) => [
      {
        name,
        ...types[type],
        repetition_type: isFull === true ? ('REQUIRED' as const) : ('OPTIONAL' as const),
      },
      ...(type === 'list' ? listElements : []),
    ]),
  ]
}

/** Parquet's standard form of a list of texts. */
const listElements: readonly SchemaElement[] = [
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
]

/** The library expects BigInts for 64-bit integers, and Dates for times. */
function cells({ type }: Column, values: Batch[number]): unknown[] | Uint32Array {
  if (values instanceof Uint32Array) return values
  if (type === 'long')
    return values.map((value) => (value === undefined ? undefined : BigInt(value as number)))
  if (type === 'time')
    return values.map((value) => (value === undefined ? undefined : new Date(Number(value))))
  return [...values]
}
