/**
 * Document frequencies of words, for the inverse document frequency. They either grow with the crawl (IS' of
 * Cho et al.) or come from a fixed reference. 256 KiB, regardless of the number of words.
 */
import type { StateCodec } from '../../lib/state.ts'
import { cellCount, cellOf } from './cells.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { Stemmer } from '../text/stem.ts'
import { wordsOf } from '../text/words.ts'

export class DocumentFrequencies {
  documents = 0
  readonly counts: Uint32Array
  /** True for a fixed reference. */
  readonly isFixed: boolean

  /** Empty, or from known frequencies. */
  constructor(
    known?: { readonly documents: number; readonly counts: Uint32Array },
    isFixed = known !== undefined,
  ) {
    this.counts = known?.counts ?? new Uint32Array(cellCount)
    this.documents = known?.documents ?? 0
    this.isFixed = isFixed
  }

  /** Adds a fetched page, given its distinct cells. */
  add(cells: ArrayLike<number>): void {
    if (this.isFixed) return
    this.documents++
    for (let i = 0; i < cells.length; i++) this.counts[cells[i]]++
  }

  /** A reference is part of the options, so it is not transferred. */
  transfer(state: StateCodec): void {
    state.section('document frequencies', 1)
    state.option('isFixed', this.isFixed)
    if (this.isFixed) return
    this.documents = state.number(this.documents)
    state.fixed(this.counts)
  }

  /** ln(1 + (N + 1) / (n + 1)) for a word in n of N pages: never 0, and defined for a word in no page. */
  idf(cell: number): number {
    return Math.log(1 + (this.documents + 1) / (this.counts[cell] + 1))
  }
}

/**
 * Reads word frequencies from a file: a line `# Documents: N`, then lines `word<TAB>pages` with the number of
 * the N pages that have the word.
 */

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
