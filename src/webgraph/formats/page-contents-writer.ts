/**
 * Writes page files (`page-contents.ts`) as a stream: only a few pages are in memory at a time, even if the
 * disk is slow.
 */
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Transform } from 'node:stream'
import { RankwardError } from '../../lib/errors.ts'
import type { PageContent } from './page-contents.ts'
import { writeText } from '../../lib/files/whole-file.ts'

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
