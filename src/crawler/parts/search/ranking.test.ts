import { join } from 'node:path'
import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { loadStemmer } from '../../../web/text/stem.ts'
import { wordsOf } from '../../../web/text/words.ts'
import type { PageText } from '../../../web/html/page-text.ts'
import { newColumns } from './columns.ts'
import { SegmentBuilder } from './index/segment-builder.ts'
import { mergeSegments } from './index/segment-merge.ts'
import { SegmentReader } from './index/segment.ts'
import { TermStems } from './index/term-stems.ts'
import { countUnits } from './index/unit-counts.ts'
import { otherText, pageColumns, type PageTable } from './page-table.ts'
import { Query } from './query.ts'
import { Ranking } from './ranking.ts'
import { UnitCounter } from './scanned-pages.ts'

interface RankedPage {
  readonly page: number
  readonly score: number
}

/** A page with its number. */
interface Page extends PageText {
  readonly page: number
}

type Match = 'all' | 'any'

/** A table of these pages; by the weight of PageRank, their scores are multiplied by up to 1.5. */
function tableOf(pages: readonly number[]): PageTable {
  const columns = newColumns(pageColumns, pages.length)
  pages.forEach((page, row) => {
    columns.page[row] = page
    columns.original[row] = page
    columns.pageRank[row] = 1 + ((page * 7) % 5)
  })
  return { count: pages.length, columns, files: [], lowest: 1, highest: 5, url: String }
}

function pagesOf(ranking: Ranking, table: PageTable, match: Match, limit = 1000): RankedPage[] {
  const { best } = ranking.ranked(match, limit)
  return best.map(({ row, score }) => ({ page: table.columns.page[row], score }))
}

/** Pages ranked without an index. */
function scanned(query: Query, pages: readonly Page[], match: Match, rankWeight = 0): RankedPage[] {
  const table = tableOf(pages.map(({ page }) => page))
  const counter = new UnitCounter(query, table)
  pages.forEach((page, row) => counter.add(row, page))
  const ranking = new Ranking(table, rowsOf(table), query, counter.counts(), rankWeight)
  expect(ranking.pages).toBe(pages.length)
  return pagesOf(ranking, table, match)
}

const rowsOf = ({ count }: PageTable): Uint32Array => Uint32Array.from({ length: count }, (_, row) => row)

/** Pages ranked by MiniSearch, which knows no phrases: each occurrence of one is a token of its own. */
function ranksOfMiniSearch(query: Query, pages: readonly Page[], match: Match, rankWeight = 0): RankedPage[] {
  const phrase = ' '
  const index = new MiniSearch<Page>({
    idField: 'page',
    fields: ['title', 'text'],
    tokenize: (text) => {
      const words = wordsOf(text)
      const phrases: string[] = []
      query.find(words, (unit) => {
        if (query.units[unit].words.length > 1) phrases.push(phrase + unit)
      })
      return [...words, ...phrases]
    },
    processTerm: (token) => (token.startsWith(phrase) ? token : (query.stem?.(token) ?? token)),
  })
  index.addAll(pages)
  const terms = query.units.map(({ words }, unit) =>
    words.length > 1 ? phrase + unit : query.words[words[0]],
  )
  const table = tableOf(pages.map(({ page }) => page))
  const boosts = new Ranking(table, rowsOf(table), query, [], rankWeight)
  const boostDocument = (page: number): number => boosts.boost(table.columns.page.indexOf(page))
  const found = index.search(
    { queries: terms },
    {
      tokenize: (term) => [term],
      processTerm: (term) => term,
      combineWith: match === 'all' ? 'AND' : 'OR',
      boost: { title: 2 },
      boostDocument,
    },
  )
  return found
    .map(({ id, score }) => ({ page: id as number, score }))
    .toSorted((a, b) => b.score - a.score || a.page - b.page)
}

const ofText = (text: string, page: number): Page => ({ page, title: '', text })

/** Few words, so that they meet. */
const letters = fc.array(fc.constantFrom(...'a b c d e f'.split(' ')), { maxLength: 30 })
const match = fc.constantFrom<Match>('all', 'any')

interface Fields {
  readonly title: readonly string[]
  readonly text: readonly string[]
}

/** BM25+ as MiniSearch documents it, k 1.2, b 0.7, d 0.5, over fields and units; times the units found. */
function naiveScore(pages: readonly Fields[], at: number, units: readonly string[][]): number {
  let sum = 0
  let found = 0
  for (const unit of units) {
    if (timesIn(pages[at].title, unit) + timesIn(pages[at].text, unit) > 0) found++
    for (const [field, boost] of [['title', 2] as const, ['text', 1] as const]) {
      const times = timesIn(pages[at][field], unit)
      if (times === 0) continue
      const having = pages.filter((each) => timesIn(each[field], unit) > 0).length
      const lengths = pages.map((each) => lengthOf(each[field], units))
      const average = lengths.reduce((a, b) => a + b) / pages.length
      const rarity = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5))
      sum += boost * rarity * (0.5 + (times * 2.2) / (times + 1.2 * (0.3 + (0.7 * lengths[at]) / average)))
    }
  }
  return sum * found
}

const timesIn = (words: readonly string[], unit: readonly string[]): number =>
  words.filter((_, at) => unit.every((word, i) => words[at + i] === word)).length

/** Different words, and different phrases that are searched for. */
const lengthOf = (words: readonly string[], units: readonly string[][]): number =>
  new Set(words).size + units.filter((unit) => unit.length > 1 && timesIn(words, unit) > 0).length

describe('the ranking', () => {
  it('gives each page the BM25+ of the formula, also for phrases', () => {
    const units = [['a'], ['b', 'a'], ['c', 'c']]
    const query = new Query('a "b a" "c c"')
    const page = fc.record({ title: letters, text: letters })
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 20 }), match, (pages, which) => {
        const texts = pages.map(({ title, text }, i) => ({
          page: i,
          title: title.join(' '),
          text: text.join(' '),
        }))
        const ranked = scanned(query, texts, which)
        const has = (each: Fields, unit: string[]): boolean =>
          timesIn(each.title, unit) + timesIn(each.text, unit) > 0
        const matching = pages.flatMap((each, i) =>
          (which === 'all' ? units.every((unit) => has(each, unit)) : units.some((unit) => has(each, unit)))
            ? [i]
            : [],
        )
        expect(ranked.map(({ page: at }) => at).toSorted((a, b) => a - b)).toEqual(matching)
        for (const { page: at, score } of ranked) expect(score).toBeCloseTo(naiveScore(pages, at, units), 9)
      }),
      seeded(200),
    )
  })

  it('holds more for more of a word, for a shorter page, for a rarer word and for a title', () => {
    const filler = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ')
    const texts = [`common ${filler}`, `common common ${filler}`, 'common short', `rare ${filler}`]
    const pages = [...texts.map(ofText), { page: 4, title: 'common', text: filler }]
    const ranked = scanned(new Query('common rare'), pages, 'any')
    const scores = ranked.toSorted((a, b) => a.page - b.page).map(({ score }) => score)
    expect(scores).toHaveLength(5)
    for (const better of scores.slice(1)) expect(better).toBeGreaterThan(scores[0])
  })

  it('multiplies scores by the boost of a page, and breaks ties by discovery order', () => {
    const pages = [5, 3, 10, 4].map((page) => ofText('a b', page))
    const plain = scanned(new Query('a'), pages, 'all')
    expect(plain.map(({ page }) => page)).toEqual([3, 4, 5, 10])
    // PageRanks 1, 2, 1 and 4, of 1 to 5.
    const boosted = scanned(new Query('a'), pages, 'all', 1)
    expect(boosted.map(({ page }) => page)).toEqual([4, 3, 5, 10])
    expect(boosted[0].score).toBeCloseTo((1 + Math.log(4) / Math.log(5)) * plain[0].score, 12)
  })
})

const words = [
  ...'connect connection connected running run trees tree of the a'.split(' '),
  ...'constructor __proto__ naïve 北京 我们 𠀀 ﬁne zürich x1 2026'.split(' '),
]
const field = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((each) => each.join(' '))
/** Versions of pages by segment; the newest of a page counts. */
const segmentation = fc.array(
  fc.array(fc.record({ page: fc.nat(12), title: field, text: field }), { minLength: 1, maxLength: 6 }),
  { minLength: 1, maxLength: 5 },
)
const queries = [
  'trees connecting',
  '"the tree" of running',
  '"of the a" "a a"',
  '北京 "我们 北京"',
  'absent',
  'constructor __proto__',
]

const folder = temporaryFolder()
let files = 0
const newPath = (): string => join(folder, `${files++}.segment`)

async function segmentOf(versions: readonly Page[]): Promise<SegmentReader> {
  const builder = new SegmentBuilder()
  for (const { page, title, text } of versions)
    builder.add({ file: page, offset: 0, kind: otherText, title: wordsOf(title), text: wordsOf(text) })
  const path = newPath()
  return new SegmentReader(path, await builder.write(path))
}

/** The newest document of each page, by page. */
function newestOf(segments: readonly SegmentReader[]): Map<number, number> {
  const newest = new Map<number, number>()
  let at = 0
  for (const segment of segments) for (const page of segment.documents().file) newest.set(page, at++)
  return newest
}

async function mergedOf(segments: readonly SegmentReader[]): Promise<SegmentReader> {
  const newest = new Set(newestOf(segments).values())
  const bases: number[] = []
  let base = 0
  for (const { end } of segments) {
    bases.push(base)
    base += end.documents
  }
  const path = newPath()
  const end = await mergeSegments(segments, (i, document) => newest.has(bases[i] + document), path)
  return new SegmentReader(path, end)
}

/** A table of the newest documents, with what the segments say about them. */
function indexedTable(segments: readonly SegmentReader[]): PageTable {
  const newest = newestOf(segments)
  const table = tableOf([...newest.keys()])
  const rowOf = new Map([...newest.values()].map((document, row) => [document, row]))
  let at = 0
  for (const segment of segments) {
    const { titleWords, textWords, kind } = segment.documents()
    for (let i = 0; i < segment.end.documents; i++, at++) {
      const row = rowOf.get(at)
      if (row === undefined) continue
      table.columns.document[row] = at
      table.columns.kind[row] = kind[i]
      table.columns.titleWords[row] = titleWords[i]
      table.columns.textWords[row] = textWords[i]
    }
  }
  return table
}

describe('a search with and without the index', () => {
  it('ranks as MiniSearch: the same pages, the same scores to the last bit', async () => {
    const stem = await loadStemmer('en')
    await fc.assert(
      fc.asyncProperty(
        segmentation,
        fc.constantFrom(...queries),
        match,
        fc.boolean(),
        fc.boolean(),
        async (parts, text, which, isStemmed, isMerged) => {
          const written = await Promise.all(parts.map(segmentOf))
          const segments = isMerged ? [await mergedOf(written)] : written
          const query = new Query(text, isStemmed ? stem : undefined)
          const stems = isStemmed
            ? await Promise.all(segments.map((segment) => TermStems.build(segment, stem)))
            : undefined
          const table = indexedTable(segments)
          const rows = rowsOf(table)
          const counts = countUnits(query, segments, stems, table.columns, rows)
          const ranking = new Ranking(table, rows, query, counts, 0.5)
          const texts = new Map(parts.flat().map((each) => [each.page, each]))
          const pages = Array.from(table.columns.page, (page) => texts.get(page)!)

          const expected = ranksOfMiniSearch(query, pages, which, 0.5)
          expect(scanned(query, pages, which, 0.5)).toEqual(expected)
          expect(pagesOf(ranking, table, which)).toEqual(expected)
          expect(pagesOf(ranking, table, which, 2)).toEqual(expected.slice(0, 2))
          expect(ranking.ranked(which, 2).matches).toBe(expected.length)
          for (const segment of new Set([...written, ...segments])) segment.close()
        },
      ),
      seeded(60),
    )
  })

  it('finds words among thousands, rare and common, in one segment and after a merge', async () => {
    const many = (from: number): Page[] =>
      Array.from({ length: 300 }, (_, i) => ({
        page: from + i,
        title: `title${from + i}`,
        text: `common ${'filler '.repeat(i % 7)} word${(from + i) * 7} unique${from + i}x common`,
      }))
    const first = await segmentOf(many(0))
    const second = await segmentOf(many(300))
    const merged = await mergedOf([first, second])
    const termsIn = (segment: SegmentReader): number => [...segment.entries()].length
    expect(termsIn(merged)).toBe(termsIn(first) + termsIn(second) - 2)
    for (const segments of [[first, second], [merged]]) {
      const table = indexedTable(segments)
      const found = (text: string): number => {
        const query = new Query(text)
        const counts = countUnits(query, segments, undefined, table.columns, rowsOf(table))
        return new Ranking(table, rowsOf(table), query, counts, 0).ranked('all', 10).matches
      }
      expect(found('common')).toBe(600)
      expect(found('filler')).toBe(600 - 2 * 43)
      expect(found('unique417x')).toBe(1)
      expect(found('title3')).toBe(1)
      expect(found('word9 unique')).toBe(0)
      expect(found('"unique599x common"')).toBe(1)
      expect(found('"common unique599x"')).toBe(0)
    }
  })
})
