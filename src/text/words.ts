/**
 * The words of a text in any language: runs of letters, marks and digits, in compatibility form (NFKC) and lower case. Scripts that
 * put no space between words are cut by the dictionary that Node has (Intl.Segmenter).
 */

/** A soft hyphen inside a word does not end it; an apostrophe does, since what stands before it is a word in many languages. */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u{AD}]*/gu
const softHyphen = /\u{AD}/gu
const notAscii = /[^\0-\x7f]/
const asciiWord = /[a-z0-9]+/g
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Longer ones are not words but data. */
const wordLengthMax = 64

let segmenter: Intl.Segmenter | undefined

export function wordsOf(text: string): string[] {
  if (!notAscii.test(text)) return (text.toLowerCase().match(asciiWord) ?? []).filter(isShort)
  const words: string[] = []
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(word)) {
    const plain = run.replace(softHyphen, '')
    if (!unspaced.test(plain)) {
      if (isShort(plain)) words.push(plain)
      continue
    }
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
    for (const { segment, isWordLike } of segmenter.segment(plain))
      if (isWordLike === true && isShort(segment)) words.push(segment)
  }
  return words
}

const isShort = (each: string): boolean => each.length <= wordLengthMax
