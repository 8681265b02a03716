/**
 * The words of a text in any language: runs of letters, marks and digits, in compatibility form (NFKC) and
 * lower case. Scripts without spaces between words are segmented with Node's dictionary (Intl.Segmenter).
 */

/**
 * A soft hyphen inside a word does not end it; an apostrophe does, because the part before it is a word in
 * many languages.
 */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u{AD}]*/gu
const softHyphen = /\u{AD}/gu
/** Trade and service marks, whose compatibility form is letters: `Rankward™` would be `rankwardtm`. */
const letterMarks = /[\u{2120}\u{2122}]/gu
const notAscii = /[^\0-\x7f]/
const asciiWord = /[a-z0-9]+/g
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Few texts need the slow path. */
const special = new RegExp(`${unspaced.source}|${softHyphen.source}`, 'u')
/** Longer runs are data, not words. */
const wordLengthMax = 64

/** Segmenting takes quadratic time: 100,000 characters took 16 seconds as a whole, and 0.2 in pieces. */
const pieceChars = 1024

let segmenter: Intl.Segmenter | undefined

export function wordsOf(text: string): string[] {
  if (!notAscii.test(text)) return (text.toLowerCase().match(asciiWord) ?? []).filter(isShort)
  const normal = text.replace(letterMarks, ' ').normalize('NFKC').toLowerCase()
  const runs: string[] = normal.match(word) ?? []
  return special.test(normal) ? runs.flatMap(wordsOfRun) : runs.filter(isShort)
}

function wordsOfRun(run: string): string[] {
  const plain = run.replace(softHyphen, '')
  const words = unspaced.test(plain)
    ? Array.from(segmentsOf(plain), ({ segment, isWordLike }) => (isWordLike ? segment : ''))
    : [plain]
  return words.filter((each) => each !== '' && isShort(each))
}

const isShort = (each: string): boolean => each.length <= wordLengthMax

/** Segments a run of characters without spaces; `index` is relative to the run. */
export function* segmentsOf(run: string): Generator<{ segment: string; index: number; isWordLike: boolean }> {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  for (let start = 0; start < run.length;) {
    const piece = run.slice(start, start + pieceChars)
    const isLast = start + piece.length === run.length
    let next = start + piece.length
    for (const { segment, index, isWordLike = false } of segmenter.segment(piece)) {
      // The last word of a piece may continue in the next one.
      if (!isLast && index > 0 && index + segment.length === piece.length) next = start + index
      else yield { segment, index: start + index, isWordLike }
    }
    start = next
  }
}
