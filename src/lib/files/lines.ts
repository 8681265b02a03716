import type { Progress } from '../progress.ts'
import type { ByteSource } from './byte-source.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/**
 * The lines of a file as bytes, without line ends, each valid until the next is read. A line longer than
 * `bytesMax` is truncated, and is the last.
 *
 * Each byte is examined once and copied at most once, however long a line is: the pieces of an incomplete
 * line are kept in a list and joined at its end.
 */
export async function* readLines(
  source: Pick<ByteSource, 'chunks'>,
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
