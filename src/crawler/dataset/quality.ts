/**
 * Numbers about the quality of a text, with the default verdicts of four published rules: Gopher's quality and repetition rules (Rae et al.
 * 2021, tables A1 and following), C4 (Raffel et al. 2020) and FineWeb (Penedo et al. 2024). Formulas and limits are those of datatrove
 * (bench/content/compare-datatrove.py checks it); words and sentences are split by a rule of our own, since datatrove's depend on a language model.
 */
import type { Value } from '../read/export/table.ts'

export const qualityRules = ['gopher', 'gopher-repetition', 'c4', 'fineweb'] as const
export type QualityRule = (typeof qualityRules)[number]

export interface Quality {
  /** By column name. */
  readonly numbers: Readonly<Record<string, Value>>
  /** The first test that fails, by rule; undefined if the text passes. */
  readonly failures: Readonly<Record<QualityRule, string | undefined>>
}

const word = /[\p{L}\p{N}\p{M}_]+(?:['’][\p{L}]+)*|[^\s\p{L}\p{N}\p{M}_]/gu
const sentenceEnd = /[.!?…。！？]["'”’)\]]*(?:\s+(?=[\p{Lu}\p{N}"'“‘(])|$)/gu
const stopWords = ['the', 'be', 'to', 'of', 'and', 'that', 'have', 'with']
const punctuation = new Set(
  '!/—”:％１〈&(、━\\【#%「」，】；+^]~“《„\';’{|∶´[=-`*．（–？！：$～«〉,><》)?）。…@_."}►»',
)
/** As datatrove has them: those of Unicode 15.0 that end sentences, and three of Khmer. */
const terminal =
  /(?![\u1b4e\u1b4f\u1b7f\u2024\u2cf9-\u2cfb\ufe12\ufe15\ufe16\u{113d4}\u{113d5}\u{16d6e}\u{16d6f}])[\p{Sentence_Terminal}\u17d6\u17d9\u17da]$/u
const control = /\p{Cc}/u
const isPunctuation = (char: string): boolean =>
  punctuation.has(char) || control.test(char) || (char > '\x7f' && terminal.test(char))
const c4Citation = /\[\d*]|\[edit]|\[citation needed]/g
const c4Policies = [
  'terms of use',
  'privacy policy',
  'cookie policy',
  'uses cookies',
  'use of cookies',
  'use cookies',
]
const topRuns: readonly (readonly [words: number, share: number])[] = [
  [2, 0.2],
  [3, 0.18],
  [4, 0.16],
]
const repeatedRuns: readonly (readonly [words: number, share: number])[] = [
  [5, 0.15],
  [6, 0.14],
  [7, 0.13],
  [8, 0.12],
  [9, 0.11],
  [10, 0.1],
]

export function qualityWords(text: string): string[] {
  return text.match(word) ?? []
}

export function sentenceCount(text: string): number {
  if (text.trim() === '') return 0
  const ends = text.trim().match(sentenceEnd)?.length ?? 0
  return Math.max(1, ends + (/[.!?…。！？]["'”’)\]]*$/u.test(text.trim()) ? 0 : 1))
}

export function qualityOf(text: string, words: readonly string[] = qualityWords(text)): Quality {
  const gopher = gopherQuality(text, words)
  const repetition = gopherRepetition(text, words)
  const c4 = c4Quality(text)
  const fineweb = finewebQuality(text, words)
  return {
    numbers: { ...gopher.numbers, ...repetition.numbers, ...c4.numbers, ...fineweb.numbers },
    failures: {
      gopher: gopher.failure,
      'gopher-repetition': repetition.failure,
      c4: c4.failure,
      fineweb: fineweb.failure,
    },
  }
}

interface Verdict {
  readonly numbers: Record<string, Value>
  readonly failure: string | undefined
}

/** The name of the first test that fails. */
function firstOf(tests: readonly (readonly [name: string, fails: boolean])[]): string | undefined {
  return tests.find(([, fails]) => fails)?.[0]
}

/** Characters as Python counts them. */
function chars(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--
  return count
}

function linesOf(text: string): string[] {
  // oxlint-disable-next-line no-control-regex -- where Python's splitlines splits
  const lines = text.split(/\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1
}

function gopherQuality(text: string, words: readonly string[]): Verdict {
  const spoken = words.filter((each) => Array.from(each).some((char) => !isPunctuation(char)))
  const meanLength =
    spoken.length === 0 ? 0 : spoken.reduce((sum, each) => sum + chars(each), 0) / spoken.length
  const all = Math.max(1, words.length)
  const hashes = occurrences(text, '#') / all
  const ellipses = (occurrences(text, '...') + occurrences(text, '…')) / all
  const lines = linesOf(text)
  const share = (test: (line: string) => boolean): number =>
    lines.filter(test).length / Math.max(1, lines.length)
  const bullets = share((line) => /^\s*[•-]/.test(line))
  const endings = share((line) => /(?:\.\.\.|…)\s*$/.test(line))
  const alphabetic = words.filter((each) => /\p{L}/u.test(each)).length / all
  const known = new Set(words)
  const stops = stopWords.filter((each) => known.has(each)).length
  return {
    numbers: {
      gopher_words: spoken.length,
      gopher_mean_word_length: meanLength,
      gopher_hash_ratio: hashes,
      gopher_ellipsis_ratio: ellipses,
      gopher_bullet_lines: bullets,
      gopher_ellipsis_lines: endings,
      gopher_alphabetic_words: alphabetic,
      gopher_stop_words: stops,
    },
    failure: firstOf([
      ['gopher_short_doc', spoken.length < 50],
      ['gopher_long_doc', spoken.length > 100_000],
      ['gopher_below_avg_threshold', meanLength < 3],
      ['gopher_above_avg_threshold', meanLength > 10],
      ['gopher_too_many_hashes', hashes > 0.1],
      ['gopher_too_many_ellipsis', ellipses > 0.1],
      ['gopher_too_many_bullets', bullets > 0.9],
      ['gopher_too_many_end_ellipsis', endings > 0.3],
      ['gopher_below_alpha_threshold', alphabetic < 0.8],
      ['gopher_enough_stop_words', stops < 2],
    ]),
  }
}

function duplicatesIn(texts: readonly string[]): { readonly count: number; readonly chars: number } {
  const seen = new Set<string>()
  let count = 0
  let length = 0
  for (const text of texts) {
    if (!seen.has(text)) seen.add(text)
    else {
      count++
      length += chars(text)
    }
  }
  return { count, chars: length }
}

function gopherRepetition(text: string, words: readonly string[]): Verdict {
  if (text === '') return { numbers: {}, failure: 'empty' }
  const length = chars(text)
  const paragraphs = text.trim().split(/\n{2,}/)
  const ofParagraphs = duplicatesIn(paragraphs)
  const lines = text.split(/\n+/)
  const ofLines = duplicatesIn(lines)
  const tests: [string, number, number][] = [
    ['dup_para_frac', ofParagraphs.count / paragraphs.length, 0.3],
    ['dup_para_char_frac', ofParagraphs.chars / length, 0.2],
    ['dup_line_frac', ofLines.count / lines.length, 0.3],
    ['dup_line_char_frac', ofLines.chars / length, 0.2],
    ...topRuns.map(([size, share]): [string, number, number] => [
      `top_${size}_gram`,
      topRun(words, size) / length,
      share,
    ]),
    ...repeatedRuns.map(([size, share]): [string, number, number] => [
      `duplicated_${size}_n_grams`,
      repeatedChars(words, size) / length,
      share,
    ]),
  ]
  return {
    numbers: Object.fromEntries(tests.map(([name, value]) => [name, value])),
    failure: firstOf(tests.map(([name, value, most]) => [name, value > most] as const)),
  }
}

/** Characters of the most frequent run of words, all its occurrences together; of several the first. */
function topRun(words: readonly string[], size: number): number {
  const counts = new Map<string, number>()
  for (let at = 0; at + size <= words.length; at++) {
    const run = words.slice(at, at + size).join(' ')
    counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  let top = ''
  let most = 0
  for (const [run, count] of counts) {
    if (count <= most) continue
    most = count
    top = run
  }
  return chars(top) * most
}

function repeatedChars(words: readonly string[], size: number): number {
  const seen = new Set<string>()
  let repeated = 0
  for (let at = 0; at + size <= words.length;) {
    const run = words.slice(at, at + size).join('')
    if (seen.has(run)) {
      repeated += chars(run)
      at += size
    } else {
      seen.add(run)
      at++
    }
  }
  return repeated
}

function c4Quality(text: string): Verdict {
  let sentences = 0
  let kept = 0
  let failure: string | undefined
  const lines = linesOf(text)
  for (const each of lines) {
    const words = each.split(/\s+/).filter(Boolean)
    if (words.some((one) => chars(one) > 1000)) continue
    const line = each.trim().replace(c4Citation, '')
    if (!/[.?!"']$/.test(line) || line.endsWith('...') || words.length < 3) continue
    const lower = line.toLowerCase()
    if (lower.includes('lorem ipsum')) failure ??= 'lorem_ipsum'
    if (lower.includes('javascript')) continue
    if (line.includes('{')) failure ??= 'curly_bracket'
    if (c4Policies.some((policy) => lower.includes(policy))) continue
    sentences += sentenceCount(line)
    kept++
  }
  return {
    numbers: { c4_sentences: sentences, c4_kept_lines: kept / Math.max(1, lines.length) },
    failure: failure ?? (sentences < 5 ? 'too_few_sentences' : undefined),
  }
}

function finewebQuality(text: string, words: readonly string[]): Verdict {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return { numbers: {}, failure: 'empty' }
  const ended = lines.filter((line) => terminal.test(line)).length / lines.length
  const short = lines.filter((line) => chars(line) <= 30).length / lines.length
  const duplicate = duplicatesIn(lines).chars / Math.max(1, chars(text.replaceAll('\n', '')))
  const breaks = occurrences(text, '\n') / Math.max(1, words.length)
  return {
    numbers: {
      fineweb_line_punctuation: ended,
      fineweb_short_lines: short,
      fineweb_duplicate_chars: duplicate,
      fineweb_line_breaks: breaks,
    },
    failure: firstOf([
      ['line_punct_ratio', ended < 0.12],
      ['short_line_ratio', short > 0.67],
      ['char_dup_ratio', duplicate > 0.01],
      ['list_ratio', breaks > 0.3],
    ]),
  }
}
