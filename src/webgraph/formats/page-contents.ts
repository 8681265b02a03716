/**
 * Page files: the contents of a web's pages, in a file next to its graph, one JSON object per line,
 *
 *   {"id": 17, "url": "http://a.example/b", "encoding": "utf-8", "content": "<!doctype html>…"}
 *
 * plain, gzip or Brotli. `id` is the page's id in the graph file and is optional; other properties are
 * ignored. Read as a stream, one line at a time. (`src/simulator/contents/` reads these and WARC files alike.)
 */
import { RankwardError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/progress.ts'
import type { ByteSource } from '../../lib/files/byte-source.ts'
import { printable } from './edge-parser.ts'
import { readLines } from '../../lib/files/lines.ts'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Transform } from 'node:stream'
import { writeText } from '../../lib/files/whole-file.ts'

export interface PageContent {
  /** The page's id in its graph file, if given. */
  readonly id?: number
  readonly url: string
  readonly content: string
}

const idMax = 0xffff_fffe
/** Longer lines are refused. */
const lineBytesMax = 1 << 26

export async function* pageLinesOf(source: ByteSource, progress?: Progress): AsyncGenerator<PageContent> {
  let line = 0
  for await (const bytes of readLines(source, progress, lineBytesMax)) {
    line++
    if (bytes.length > lineBytesMax)
      throw refused(`${source.path}:${line}`, 'it is longer than 64 MiB', bytes)
    // A file may end with empty lines.
    if (bytes.length > 0) yield pageOfLine(bytes, `${source.path}:${line}`)
  }
}

function pageOfLine(bytes: Uint8Array, place: string): PageContent {
  const { id, url, content } = objectOf(bytes, place)
  if (typeof url !== 'string') throw refused(place, '"url" is missing or not a string', bytes)
  if (typeof content !== 'string') throw refused(place, '"content" is missing or not a string', bytes)
  if (id === undefined || id === null) return { url, content }
  if (!isId(id)) throw refused(place, `"id" is not a whole number from 0 to ${idMax}`, bytes)
  return { id, url, content }
}

function isId(id: unknown): id is number {
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= idMax
}

function objectOf(bytes: Uint8Array, place: string): { id?: unknown; url?: unknown; content?: unknown } {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch (cause) {
    throw refused(place, 'it is not JSON', bytes, cause)
  }
  if (typeof value !== 'object' || value === null) throw refused(place, 'it is not a JSON object', bytes)
  return value
}

function refused(place: string, why: string, bytes: Uint8Array, cause?: unknown): RankwardError {
  return new RankwardError(
    'BAD_PAGE_CONTENTS',
    `${place}: ${why} (read "${printable(bytes.subarray(0, 80))}"). Each line must be like {"id": 0, "url": "http://host/path", "content": "<html>…"}.`,
    { cause },
  )
}

/**
 * Writes page files (`page-contents.ts`) as a stream: only a few pages are in memory at a time, even if the
 * disk is slow.
 */

/** Size of the pieces passed to the compressor; single pages are too small for its threads. */
const pieceChars = 1 << 18
/** The maximum is 11, which takes minutes instead of seconds. */
const brotliQuality = 5

const endings: [ending: string, through: () => Transform | undefined][] = [
  ['.jsonl', () => undefined],
  ['.jsonl.gz', () => createGzip()],
  ['.jsonl.br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })],
]

/** Refuses an unknown file extension. */
export function checkPageFileName(path: string): void {
  throughFor(path)
}

/** A failure leaves no file. */
export async function writePageContents(path: string, pages: Iterable<PageContent>): Promise<void> {
  await writeText(path, pieces(pages), throughFor(path)())
}

function throughFor(path: string): () => Transform | undefined {
  const known = endings.find(([ending]) => path.endsWith(ending))
  if (known !== undefined) return known[1]
  throw new RankwardError(
    'UNKNOWN_FORMAT',
    `Cannot write pages to ${path}: the extension must be ${endings.map(([ending]) => ending).join(', ')}.`,
  )
}

function* pieces(pages: Iterable<PageContent>): Generator<string> {
  let piece = ''
  for (const { id, url, content } of pages) {
    piece += `${JSON.stringify({ id, url, encoding: 'utf-8', content })}\n`
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
