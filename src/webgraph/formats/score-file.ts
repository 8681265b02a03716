/**
 * Files with one number per page: `id<TAB>number` per line, original ids. Input: scores of an earlier crawl,
 * trust vectors, page sizes and sites. Output: PageRank scores, with 17 significant digits, so that reading
 * them back gives the same doubles.
 */
import { RankwardError } from '../../lib/errors.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { idOf, pageOfId, type Web } from '../web.ts'
import { openBytes } from '../../lib/files/byte-source.ts'
import { printable } from './edge-parser.ts'
import { readLines } from '../../lib/files/lines.ts'
import { writeText } from '../../lib/files/whole-file.ts'

export async function writeScores(
  web: Web,
  scores: Float64Array,
  path: string,
  progress: Progress = silent,
): Promise<void> {
  await writeText(path, scoreLines(web, scores, progress))
}

function* scoreLines(web: Web, scores: Float64Array, progress: Progress): Generator<string> {
  let text = ''
  for (let page = 0; page < scores.length; page++) {
    text += `${idOf(web, page)}\t${scores[page].toPrecision(17)}\n`
    if (text.length < 1 << 16) continue
    yield text
    text = ''
    progress(page, scores.length)
  }
  yield text
}

/** The numbers that a file may have. */
export interface NumberKind {
  /** The second column, such as `weight`. */
  readonly name: string
  /** What is expected there, for messages. */
  readonly expected: string
  readonly accepts: (value: number) => boolean
}

export const notNegative = (name: string): NumberKind => ({
  name,
  expected: 'a number of at least 0',
  accepts: (value) => value >= 0,
})

/** Calls `take` with page and number for each line; unknown ids are skipped and counted. */
export async function readNumbers(
  web: Web,
  path: string,
  kind: NumberKind,
  take: (page: number, value: number) => void,
): Promise<{ unknownIds: number }> {
  const source = await openBytes(path)
  let number = 0
  let unknownIds = 0
  for await (const bytes of readLines(source)) {
    number++
    if (bytes.length === 0 || bytes[0] === 0x23) continue
    const text = Buffer.from(bytes).toString('latin1')
    const [id, value, ...rest] = text.split(/[\t ,]+/)
    if (
      !/^\d+$/.test(id) ||
      value === undefined ||
      value === '' ||
      rest.length > 0 ||
      !Number.isFinite(Number(value)) ||
      !kind.accepts(Number(value))
    ) {
      throw new RankwardError(
        'BAD_SCORE_FILE',
        `${path}:${number}: expected "id<TAB>${kind.name}" with ${kind.expected} (read "${printable(bytes.subarray(0, 60))}").`,
      )
    }
    const page = pageOfId(web, Number(id))
    if (page === undefined) unknownIds++
    else take(page, Number(value))
  }
  return { unknownIds }
}
