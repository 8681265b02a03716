import type { Progress } from '../lib/progress.ts'
import type { ByteSource } from './byte-source.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/**
 * The lines of a file as bytes, without their ends; valid until the next one is asked for. A line that does not end
 * within `bytesMax` is given as far as it was read, and is the last.
 *
 * Each byte is looked at once and copied once at most, however long a line is: the pieces of one that has not ended wait
 * in a row, and are joined when its end has come.
 */
export async function* readLines(
  source: ByteSource,
  progress?: Progress,
  bytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of source.chunks(progress)) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, end)
      yield withoutReturn(length === 0 ? rest : Buffer.concat([...pieces, rest]))
      if (length > 0) pieces = []
      length = 0
      from = end + 1
    }
    if (from === chunk.length) continue
    pieces.push(from === 0 ? chunk : chunk.subarray(from))
    length += chunk.length - from
    if (length > bytesMax) break
  }
  if (length > 0) yield withoutReturn(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
}

function withoutReturn(line: Buffer): Buffer {
  return line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line
}
