/** The annotated pages of WCXB's development set and the stored pages of uci-ics, read as streams, and the score of WCXB's authors. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import { getDomain } from 'tldts'

export interface AnnotatedPage {
  readonly id: string
  readonly url: string
  readonly type: string
  readonly title: string | null
  readonly author: string | null
  readonly date: string | null
  readonly content: string
  readonly with: readonly string[]
  readonly without: readonly string[]
  readonly html: string
}

export async function* annotatedPages(path: string): AsyncGenerator<AnnotatedPage> {
  const input = createReadStream(path).pipe(createBrotliDecompress())
  for await (const line of createInterface({ input })) yield JSON.parse(line) as AnnotatedPage
}

const uciPages = 53_765

/** Pages of uci-ics in runs of this many consecutive ones, evenly spread: pages of a folder are consecutive, and so are near-duplicates. */
export async function* uciPagesIn(
  path: string,
  wanted: number,
  runPages: number,
): AsyncGenerator<Pick<AnnotatedPage, 'html' | 'url'>> {
  let line = 0
  for await (const json of createInterface({
    input: createReadStream(path).pipe(createBrotliDecompress()),
  })) {
    const run = Math.floor(line++ / runPages)
    const runs = (wanted * run) / uciPages
    if (Math.floor(runs) === Math.floor(runs + wanted / uciPages)) continue
    const { url, content } = JSON.parse(json) as { url: string; content: string }
    yield { url, html: content }
  }
}

export function siteOf(url: string): string {
  return getDomain(url) ?? url
}

const word = /[\p{L}\p{N}\p{M}_]+/gu

/** Python's `\w+`, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? []
}

export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Over multisets of words. Two empty texts agree. */
export function wordScore(found: readonly string[], expected: readonly string[]): Score {
  if (found.length === 0 && expected.length === 0) return { precision: 1, recall: 1, f1: 1 }
  const counts = new Map<string, number>()
  for (const each of expected) counts.set(each, (counts.get(each) ?? 0) + 1)
  let hits = 0
  for (const each of found) {
    const left = counts.get(each) ?? 0
    if (left === 0) continue
    hits++
    counts.set(each, left - 1)
  }
  const precision = found.length === 0 ? 0 : hits / found.length
  const recall = expected.length === 0 ? 0 : hits / expected.length
  return { precision, recall, f1: hits === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}
