/**
 * Reads word frequencies from a file: a line `# Documents: N`, then lines `word<TAB>pages` with the number of
 * the N pages that have the word.
 */
import { RankwardError } from '../../lib/errors.ts'
import type { Stemmer } from '../text/stem.ts'
import { wordsOf } from '../text/words.ts'
import { cellCount, cellOf } from './cells.ts'

export function wordFrequencies(
  text: string,
  path: string,
  stem: Stemmer = (word) => word,
): { documents: number; counts: Uint32Array } {
  const counts = new Uint32Array(cellCount)
  let documents: number | undefined
  text.split('\n').forEach((line, i) => {
    if (line.startsWith('#')) {
      const [, number] = /^#\s*documents:\s*(\d+)\s*$/i.exec(line) ?? []
      if (number !== undefined) documents = Number(number)
      return
    }
    if (line.trim() === '') return
    const [word, number, ...rest] = line.split('\t')
    const pages = Number(number)
    if (rest.length > 0 || number === undefined || !Number.isInteger(pages) || pages < 0)
      throw new RankwardError(
        'BAD_SCORE_FILE',
        `${path}:${i + 1}: expected "word<TAB>pages", read ${JSON.stringify(line.slice(0, 80))}.`,
      )
    // Forms with the same stem share the count of the most frequent one.
    for (const each of wordsOf(word)) counts[cellOf(stem(each))] = Math.max(counts[cellOf(stem(each))], pages)
  })
  if (documents === undefined)
    throw new RankwardError(
      'BAD_SCORE_FILE',
      `${path} does not say how many pages were counted: it needs a line "# Documents: N".`,
    )
  return { documents, counts }
}
