/** Writes page files (`page-contents.ts`) as a stream: a few pages are in memory at a time, however slow the disk is. */
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Transform } from 'node:stream'
import { RankwardError } from '../../lib/errors.ts'
import type { PageContent } from './page-contents.ts'
import { writeText } from '../../files/whole-file.ts'

/** What is handed on at once; a page alone is too little for the threads that compress. */
const pieceChars = 1 << 18
/** Of 11, which takes minutes where this takes seconds. */
const brotliQuality = 5

const endings: [ending: string, through: () => Transform | undefined][] = [
  ['.jsonl', () => undefined],
  ['.jsonl.gz', () => createGzip()],
  ['.jsonl.br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })],
]

/** Refuses a name that does not tell how the pages are to be written. */
export function checkPageFileName(path: string): void {
  throughFor(path)
}

/** All or nothing: a failure leaves no file. */
export async function writePageContents(path: string, pages: Iterable<PageContent>): Promise<void> {
  await writeText(path, pieces(pages), throughFor(path)())
}

function throughFor(path: string): () => Transform | undefined {
  const known = endings.find(([ending]) => path.endsWith(ending))
  if (known !== undefined) return known[1]
  throw new RankwardError(
    'UNKNOWN_FORMAT',
    `Cannot write pages to ${path}: the ending must be ${endings.map(([ending]) => ending).join(', ')}.`,
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
