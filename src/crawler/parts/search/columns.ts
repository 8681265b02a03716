/**
 * Columns of numbers, one row per page or document. On disk they follow each other, the widest first:
 *
 *   rows (4) · CRC-32 of the columns (4) · columns, little-endian as all processors that run Node
 */
import { crc32 } from 'node:zlib'

type Column = Float64Array | Uint32Array | Uint8Array
type ColumnKind = new (buffer: ArrayBuffer, offset: number, length: number) => Column

/** The kinds of the columns by name, the widest first. */
type Schema = Readonly<Record<string, ColumnKind & { readonly BYTES_PER_ELEMENT: number }>>

export type Columns<S extends Schema> = { readonly [Name in keyof S]: InstanceType<S[Name]> }
type Row<S extends Schema> = { readonly [Name in keyof S]: number }

const headBytes = 8

/** All zero. */
export function newColumns<S extends Schema>(schema: S, rows: number): Columns<S> {
  return columnsIn(schema, new ArrayBuffer(headBytes + rowBytes(schema) * rows), rows)
}

export function rowAt<S extends Schema>(columns: Columns<S>, row: number): Row<S> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]])) as Row<S>
}

/** Copies the columns of the schema, the rows in this order. */
export function copyRows<S extends Schema>(
  schema: S,
  from: Columns<S>,
  order: Uint32Array,
  into: Columns<S>,
): void {
  for (const name in schema) order.forEach((row, i) => (into[name][i] = from[name][row]))
}

export function encodeColumns<S extends Schema>(schema: S, columns: Columns<S>, rows: number): Buffer {
  const bytes = Buffer.alloc(headBytes + rowBytes(schema) * rows)
  const into = columnsIn(schema, bytes.buffer, rows, bytes.byteOffset)
  for (const name in schema) into[name].set(columns[name].subarray(0, rows))
  bytes.writeUInt32LE(rows, 0)
  bytes.writeUInt32LE(crc32(bytes.subarray(headBytes)), 4)
  return bytes
}

/** Undefined if the bytes are damaged. They have memory of their own. */
export function decodeColumns<S extends Schema>(
  schema: S,
  bytes: Buffer,
): { readonly rows: number; readonly columns: Columns<S> } | undefined {
  if (bytes.length < headBytes) return undefined
  const rows = bytes.readUInt32LE(0)
  if (bytes.length !== headBytes + rowBytes(schema) * rows) return undefined
  if (bytes.readUInt32LE(4) !== crc32(bytes.subarray(headBytes))) return undefined
  return { rows, columns: columnsIn(schema, bytes.buffer as ArrayBuffer, rows, bytes.byteOffset) }
}

function rowBytes(schema: Schema): number {
  return Object.values(schema).reduce((sum, kind) => sum + kind.BYTES_PER_ELEMENT, 0)
}

function columnsIn<S extends Schema>(schema: S, buffer: ArrayBuffer, rows: number, start = 0): Columns<S> {
  let at = start + headBytes
  const columns = Object.entries(schema).map(([name, kind]) => {
    const column = new kind(buffer, at, rows)
    at += kind.BYTES_PER_ELEMENT * rows
    return [name, column]
  })
  return Object.fromEntries(columns) as Columns<S>
}

/** Columns that rows are added to. */
export class GrowingColumns<S extends Schema> {
  readonly #schema: S
  #columns: Columns<S>
  #capacity = 1024
  count = 0

  constructor(schema: S) {
    this.#schema = schema
    this.#columns = newColumns(schema, this.#capacity)
  }

  /** Returns the number of the row. */
  add(row: Row<S>): number {
    if (this.count === this.#capacity) {
      const larger = newColumns(this.#schema, (this.#capacity *= 2))
      for (const name in this.#schema) larger[name].set(this.#columns[name])
      this.#columns = larger
    }
    for (const name in this.#schema) this.#columns[name][this.count] = row[name]
    return this.count++
  }

  /** Of length `count` or longer; valid until the next addition. */
  get columns(): Columns<S> {
    return this.#columns
  }
}
