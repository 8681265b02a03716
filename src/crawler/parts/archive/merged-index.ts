/**
 * The CDXJ indexes of several WARC files as one, in byte order, and in the compressed form of WACZ files: gzip members of 1,024 lines,
 * with a list of their first keys, so that a reader loads only the member that it needs. Indexes of finished files are merged as
 * streams; one that is still being written is not sorted, and is sorted in memory.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { openBytes } from '../../../lib/files/byte-source.ts'
import { readLines } from '../../../lib/files/lines.ts'
import { remoteChunks } from '../../../web/store/byte-ranges.ts'
import { isBucket } from '../../../web/store/store-address.ts'
import { incompleteIndex } from '../../../web/warc/failure.ts'

export interface IndexPart {
  readonly path: string
  /** Lines of records beyond this length of the WARC file are left out: they are not recorded yet. */
  readonly warcLength: number
  /** Bytes of the other lines, according to the record; undefined if it does not say. */
  readonly indexBytes: number | undefined
}

const blockLines = 1024

/** All lines, without line ends. */
export async function* mergedLines(parts: readonly IndexPart[]): AsyncGenerator<Buffer> {
  const heads: { line: Buffer; rest: AsyncIterator<Buffer> }[] = []
  const enter = async (rest: AsyncIterator<Buffer>): Promise<void> => {
    const { value: line, done } = await rest.next()
    if (done === true) return
    let [low, high] = [0, heads.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (Buffer.compare(heads[middle].line, line) <= 0) low = middle + 1
      else high = middle
    }
    heads.splice(low, 0, { line, rest })
  }
  for (const part of parts) await enter(await sortedLines(part))
  for (let first = heads.shift(); first !== undefined; first = heads.shift()) {
    yield first.line
    await enter(first.rest)
  }
}

async function sortedLines(part: IndexPart): Promise<AsyncGenerator<Buffer>> {
  let before: Buffer | undefined
  for await (const line of linesOf(part)) {
    if (before !== undefined && Buffer.compare(before, line) > 0) return sorted(part)
    before = line
  }
  return linesOf(part)
}

async function* sorted(part: IndexPart): AsyncGenerator<Buffer> {
  const lines: Buffer[] = []
  for await (const line of linesOf(part)) lines.push(line)
  yield* lines.toSorted((a, b) => Buffer.compare(a, b))
}

/** Throws `BAD_WARC` if lines are missing. */
async function* linesOf({ path, warcLength, indexBytes }: IndexPart): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const line of readLines(
    isBucket(path) ? { chunks: () => remoteChunks(path) } : await openBytes(path),
  )) {
    const copy = Buffer.from(line)
    if (!isWithin(copy.toString('utf8'), warcLength)) continue
    bytes += copy.length + 1
    yield copy
  }
  if (indexBytes !== undefined && bytes !== indexBytes) throw incompleteIndex(path, bytes, indexBytes)
}

/** False for a line that is torn, too. */
function isWithin(line: string, warcLength: number): boolean {
  try {
    const { offset, length } = JSON.parse(line.slice(line.indexOf('{'))) as { offset: string; length: string }
    return Number(offset) + Number(length) <= warcLength
  } catch {
    return false
  }
}

/** The members of `index.cdx.gz`; when all are read, `list` has the lines of `index.idx`. */
export class CompressedIndex {
  readonly #parts: readonly IndexPart[]
  list = ''

  constructor(parts: readonly IndexPart[]) {
    this.#parts = parts
  }

  async *members(): AsyncGenerator<Buffer> {
    const head = JSON.stringify({ format: 'cdxj-gzip-1.0', filename: 'index.cdx.gz' })
    this.list = `!meta 0 ${head}\n`
    let offset = 0
    let lines: Buffer[] = []
    const member = (): Buffer => {
      const bytes = gzipSync(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])))
      const key = lines[0].toString('utf8').split(' {', 1)[0]
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      this.list += `${key} ${JSON.stringify({ offset, length: bytes.length, digest, filename: 'index.cdx.gz' })}\n`
      offset += bytes.length
      lines = []
      return bytes
    }
    for await (const line of mergedLines(this.#parts)) {
      lines.push(line)
      if (lines.length === blockLines) yield member()
    }
    if (lines.length > 0) yield member()
  }
}
