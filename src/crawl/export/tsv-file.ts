/**
 * Tables as text: a line a row, tabs between cells, the first line the columns' names. A cell without a value is empty;
 * a tab, a line's end or a backslash inside a text is written `\t`, `\n`, `\r`, `\\`. Gzipped where the name says so.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeWhole } from '../../graph/formats/whole-file.ts'
import type { Batches, Column, Value } from './table.ts'

const pieceChars = 1 << 16

export async function writeTsv(path: string, columns: readonly Column[], batches: Batches): Promise<void> {
  await writeLines(path, `${columns.map(({ name }) => name).join('\t')}\n`, columns, batches)
}

/** The same under any first lines: an edge list has comments there, a list of URLs nothing. */
export async function writeLines(
  path: string,
  head: string,
  columns: readonly Column[],
  batches: Batches,
): Promise<void> {
  await writeWhole(path, async (partial) => {
    const from = Readable.from(pieces(head, columns, batches), {
      objectMode: false,
      highWaterMark: 1 << 20,
    })
    const to = createWriteStream(partial)
    await (path.endsWith('.gz') ? pipeline(from, createGzip(), to) : pipeline(from, to))
  })
}

async function* pieces(head: string, columns: readonly Column[], batches: Batches): AsyncGenerator<string> {
  let text = head
  for await (const batch of batches) {
    for (let row = 0; row < batch[0].length; row++) {
      for (let i = 0; i < columns.length; i++) {
        text += `${cell(columns[i], batch[i][row])}${i + 1 < columns.length ? '\t' : '\n'}`
      }
      if (text.length < pieceChars) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

function cell({ type }: Column, value: Value): string {
  if (value === undefined) return ''
  if (type === 'time') return new Date(value as number).toISOString()
  // The shortest text that reads back as the same number.
  if (type !== 'text') return String(value)
  return String(value).replaceAll(/[\t\n\r\\]/g, (char) => escapes[char])
}
