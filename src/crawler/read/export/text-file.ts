/**
 * Tables as text, one line per row. Gzipped if the file name says so.
 *
 *   TSV    tab-separated, with a header line of column names; a cell without a value is empty; texts are escaped
 *          according to `lib/text-cell.ts`
 *   CSV    the same with commas and quotes (RFC 4180)
 *   JSONL  one object per row; a cell without a value is absent
 */
import { createWriteStream } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeWhole } from '../../../lib/files/whole-file.ts'
import { csvCell, tsvCell } from '../../../lib/text-cell.ts'
import type { Batch, Batches, Column, Value } from './table.ts'

const pieceChars = 1 << 16

interface TextTable {
  readonly columns: readonly Column[]
  readonly batches: Batches
  /** Replaces the header line: comments for an edge list, nothing for a list of URLs. */
  readonly head?: string | undefined
  /** Do not escape texts. */
  readonly rawCells?: boolean | undefined
  readonly format: TextFormat
}

type TextFormat = 'tsv' | 'csv' | 'jsonl'

export async function writeTextFile(path: string, table: TextTable): Promise<void> {
  await writeWhole(path, async (partial) => {
    const to = createWriteStream(partial)
    const from = readable(table)
    await (path.endsWith('.gz') ? pipeline(from, createGzip(), to) : pipeline(from, to))
  })
}

/** Leaves the stream open. */
export async function writeTextStream(to: Writable, table: TextTable): Promise<void> {
  await pipeline(readable(table), to, { end: false })
}

function readable(table: TextTable): Readable {
  return Readable.from(pieces(table), { objectMode: false, highWaterMark: 1 << 20 })
}

async function* pieces(table: TextTable): AsyncGenerator<string> {
  const { columns, batches, head, rawCells = false, format } = table
  const names = columns.map(({ name }) => name).join(separators[format])
  let text = format === 'jsonl' ? '' : (head ?? `${names}\n`)
  const line = format === 'jsonl' ? jsonLine : format === 'csv' ? csvLine : tsvLine
  for await (const batch of batches) {
    for (let row = 0; row < batch[0].length; row++) {
      text += line(columns, batch, row, rawCells)
      if (text.length < pieceChars) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

const separators = { tsv: '\t', csv: ',', jsonl: '' } as const

function tsvLine(columns: readonly Column[], batch: Batch, row: number, rawCells: boolean): string {
  let line = ''
  for (let i = 0; i < columns.length; i++)
    line += `${cell(columns[i], batch[i][row], rawCells, tsvCell)}${i + 1 < columns.length ? '\t' : '\n'}`
  return line
}

function csvLine(columns: readonly Column[], batch: Batch, row: number, rawCells: boolean): string {
  return `${columns.map((column, i) => cell(column, batch[i][row], rawCells, csvCell)).join(',')}\n`
}

function jsonLine(columns: readonly Column[], batch: Batch, row: number): string {
  const entries = columns.map(({ name, type }, i) => {
    const value = batch[i][row]
    if (value === undefined) return [name, value]
    if (type === 'time') return [name, new Date(value as number).toISOString()]
    return [name, type === 'json' ? (JSON.parse(value as string) as unknown) : value]
  })
  return `${JSON.stringify(Object.fromEntries(entries))}\n`
}

function cell(
  { type, separator = ' ' }: Column,
  value: Value,
  rawCells: boolean,
  escape: typeof tsvCell,
): string {
  if (value === undefined) return ''
  if (type === 'time') return new Date(value as number).toISOString()
  if (typeof value === 'object') return escape(value.join(separator), rawCells)
  // The shortest text that parses to the same number.
  return type === 'text' || type === 'json' ? escape(String(value), rawCells) : String(value)
}
