/**
 * Precision, recall and cost of the index of near-duplicates.
 *
 *   npm run bench -- near-duplicates [--pages 50673]   pages of uci-ics (evenly spaced, if fewer are requested)
 *                                                      and the 100 articles of ../shared/conformance
 *
 * As in a crawl: pages are processed in order, texts equal to an earlier one are skipped, each text is
 * searched among the originals so far, and becomes an original if none matches. The truth is the Jaccard
 * coefficient of the sets of shingles: all pairs of at least 0.8 are found exactly, by the rarest shingles of
 * each page (exact-pairs.ts).
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import { seededRandom } from '../src/lib/random.ts'
import { NearIndex } from '../src/web/near/near-index.ts'
import { PageSketcher, Sketcher } from '../src/web/near/sketch.ts'
import { ShingleReader } from '../src/web/near/shingles.ts'
import { WordHashes } from '../src/web/text/word-hashes.ts'
import { HtmlScanner } from '../src/web/html/scanner.ts'
import { benchmarkMain, bestSeconds, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { exactPairs, jaccardOf, type Pairs } from './exact-pairs.ts'
import { markdownTable, numberOption, realPath, short, tell } from './webs.ts'

type Rows = BenchmarkResult['rows']

const thresholds = [0.8, 0.9, 0.95]
const least = 0.8

interface Text {
  readonly bytes: Uint8Array
  readonly ranges: Int32Array
}

/**
 * Distinct shingles, ascending, of each text that is long enough for a sketch and differs from all earlier
 * texts.
 */
interface Sets {
  readonly name: string
  readonly texts: number
  readonly sets: readonly Uint32Array[]
}

export const nearDuplicatesBenchmark: Benchmark = async (size) => {
  if (size === 'small') {
    const rows = judged(setsOf('made up', madeUp(300)))
    return { rows, check: checkOf(rows) }
  }
  const rows: Rows = []
  const articles = join('..', 'shared', 'conformance', 'near-duplicates', 'articles-100.tsv')
  if (existsSync(articles)) rows.push(...judged(setsOf('articles-100', articleTexts(articles))))
  const path = realPath('uci-ics.pages.jsonl.br')
  if (path !== undefined) {
    const timed: Text[] = []
    const sets = await pageSets(path, numberOption('pages', 50_673), timed)
    rows.push(...judged(sets))
    console.log(`${markdownTable(await sketchingCost(timed))}\n`)
  }
  console.log(`${markdownTable([indexCost(1_000_000)])}\n\n${markdownTable(rows)}\n`)
  return { rows, check: checkOf(rows) }
}

/** Searches every text among the earlier ones, at each threshold. */
function judged({ name, texts, sets }: Sets): Rows {
  const pairs = exactPairs(sets, least)
  tell(`${name}: ${sets.length} different texts, ${pairs.count} pairs of at least ${least}`)
  return thresholds.map((threshold) => ({ set: name, ...judgedAt(threshold, texts, sets, pairs) }))
}

function judgedAt(
  threshold: number,
  texts: number,
  sets: readonly Uint32Array[],
  pairs: Pairs,
): Rows[number] {
  const sketcher = new Sketcher(threshold)
  const index = new NearIndex({ threshold })
  const isOriginal = new Uint8Array(sets.length)
  const counts = { wanted: 0, wantedFound: 0, found: 0, right: 0, nearlyRight: 0 }
  sets.forEach((set, page) => {
    const sketch = sketcher.sketch(set, set.length)
    if (sketch === undefined) return
    const original = index.find(sketch)
    const isWanted = pairs.of(page).some(([other, like]) => isOriginal[other] === 1 && like >= threshold)
    if (isWanted) counts.wanted++
    if (isWanted && original >= 0) counts.wantedFound++
    if (original < 0) {
      isOriginal[page] = 1
      index.add(page, sketch)
      return
    }
    const exact = jaccardOf(set, sets[original])
    counts.found++
    if (exact >= threshold) counts.right++
    if (exact >= threshold - 0.05) counts.nearlyRight++
  })
  return {
    threshold,
    texts,
    compared: sets.length,
    'near-duplicates': counts.wanted,
    recall: short(counts.wantedFound / counts.wanted),
    precision: short(counts.right / counts.found),
    'precision, 0.05 less': short(counts.nearlyRight / counts.found),
    'bytes a text': short(index.byteLength / texts),
  }
}

function checkOf(rows: Rows): number {
  return rows.reduce((sum, row) => sum + Number(row['near-duplicates']) * Number(row['recall']), 0)
}

function setsOf(name: string, texts: Iterable<Text>): Sets {
  const collector = new SetCollector()
  for (const text of texts) collector.add(text)
  return { name, texts: collector.texts, sets: collector.sets }
}

class SetCollector {
  readonly #words = new WordHashes()
  readonly #reader = new ShingleReader()
  readonly #sketcher = new Sketcher(0.9)
  readonly #seen = new Set<string>()
  readonly sets: Uint32Array[] = []
  texts = 0

  add({ bytes, ranges }: Text): void {
    this.texts++
    this.#reader.read(this.#words.read(bytes, ranges, ranges.length))
    const set = Uint32Array.from(new Set(this.#reader.hashes.subarray(0, this.#reader.count))).sort()
    const sketch = this.#sketcher.sketch(set, set.length)
    if (sketch === undefined) return
    const name = `${set.length} ${sketch.join(' ')} ${set.reduce((sum, hash) => (sum + hash) % 2 ** 50, 0)}`
    if (this.#seen.has(name)) return
    this.#seen.add(name)
    this.sets.push(set)
  }
}

async function pageSets(path: string, wanted: number, timed: Text[]): Promise<Sets> {
  const all = 50_673
  const collector = new SetCollector()
  const scanner = new HtmlScanner()
  const lines = createInterface({ input: createReadStream(path).pipe(createBrotliDecompress()) })
  let line = 0
  for await (const json of lines) {
    // Evenly spread over the hosts, which are consecutive.
    if (Math.floor((line * wanted) / all) === Math.floor((++line * wanted) / all)) continue
    const bytes = Buffer.from((JSON.parse(json) as { content: string }).content)
    const marks = scanner.scan(bytes)
    const text = { bytes, ranges: marks.texts.slice(0, marks.textsLength) }
    collector.add(text)
    if (collector.texts % 16 === 0 && timed.length < 2000) timed.push(text)
  }
  return { name: 'uci-ics', texts: collector.texts, sets: collector.sets }
}

function* articleTexts(path: string): Generator<Text> {
  for (const line of readFileSync(path, 'utf8').trim().split('\n'))
    yield plainText(line.slice(line.indexOf('\t')))
}

function plainText(text: string): Text {
  const bytes = Buffer.from(text)
  return { bytes, ranges: Int32Array.of(0, bytes.length) }
}

/** Texts in families of six; each member has more words of its own than the previous one. */
function* madeUp(families: number): Generator<Text> {
  for (let family = 0; family < families; family++) {
    const random = seededRandom(1, family)
    const words = Array.from({ length: 100 + random.below(400) }, () => `w${random.below(4000)}`)
    for (let member = 0; member < 6; member++) {
      const copy = [...words]
      for (let i = 0; i < member; i++) copy[random.below(copy.length)] = `x${random.below(1_000_000)}`
      yield plainText(copy.join(' '))
    }
  }
}

async function sketchingCost(texts: readonly Text[]): Promise<Rows> {
  const words = new WordHashes()
  const sketcher = new PageSketcher(0.9)
  const scanner = new HtmlScanner()
  const bytes = texts.reduce((sum, text) => sum + text.bytes.length, 0)
  const textBytes = texts.reduce(
    (sum, { ranges }) => sum + ranges.reduce((all, at, i) => all + (i % 2 === 0 ? -at : at), 0),
    0,
  )
  const sketching = await bestSeconds(5, () => {
    for (const { bytes: html, ranges } of texts) sketcher.sketch(words.read(html, ranges, ranges.length))
  })
  const scanning = await bestSeconds(5, () => {
    for (const { bytes: html } of texts) scanner.scan(html)
  })
  return [
    {
      pages: texts.length,
      'bytes of HTML a page': Math.round(bytes / texts.length),
      'bytes of text a page': Math.round(textBytes / texts.length),
      'ns a page, sketching': Math.round((1e9 * sketching) / texts.length),
      'ns a byte of text': short((1e9 * sketching) / textBytes),
      'ns a page, scanning for links': Math.round((1e9 * scanning) / texts.length),
    },
  ]
}

/** Sketches without anything in common. */
function indexCost(count: number): Rows[number] {
  const random = seededRandom(1, 1)
  const index = new NearIndex({ threshold: 0.9 })
  const sketch = new Uint32Array(10)
  let seconds = 0
  for (let page = 0; page < count; page++) {
    for (let i = 0; i < sketch.length; i++) sketch[i] = random.below(0x1_0000_0000)
    const start = performance.now()
    index.find(sketch)
    index.add(page, sketch)
    seconds += (performance.now() - start) / 1000
  }
  return {
    'sketches in the index': count,
    'bytes a sketch': short(index.byteLength / count),
    'ns to look for one and add it': Math.round((1e9 * seconds) / count),
  }
}

await benchmarkMain(import.meta.url, nearDuplicatesBenchmark)
