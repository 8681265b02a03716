import type { Progress } from '../../lib/progress.ts'
import type { ByteSource } from './byte-source.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/**
 * The lines of a file as bytes, without their ends; valid until the next one is asked for. A line that does not end
 * within `bytesMax` is given as far as it was read, and is the last.
 */
export async function* readLines(
  source: ByteSource,
  progress?: Progress,
  bytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of source.chunks(progress)) {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      yield withoutReturn(bytes.subarray(from, end))
      from = end + 1
    }
    left = bytes.subarray(from)
    if (left.length > bytesMax) break
  }
  if (left.length > 0) yield withoutReturn(left)
}

function withoutReturn(line: Buffer): Buffer {
  return line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line
}
