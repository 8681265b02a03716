import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../../../test/temporary-folder.ts'
import { loadStemmer } from '../../../../web/text/stem.ts'
import { wordsOf } from '../../../../web/text/words.ts'
import { PageIndex } from '../page-index.ts'
import type { PageText } from '../../archive/page-text.ts'
import { Query } from '../query.ts'
import { noLanguage } from './documents.ts'
import { IndexedPages } from './indexed-pages.ts'
import { mergeSegments } from './segment-merge.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { SegmentReader } from './segment-reader.ts'
import { TermStems } from './term-stems.ts'
import type { PageColumns } from './page-table.ts'

const folder = temporaryFolder()
let files = 0
const newPath = (): string => join(folder, `${files++}.segment`)

/** A version of a page; the newest is the one that counts. */
interface Version extends PageText {
  readonly page: number
}

async function segmentOf(versions: readonly Version[]): Promise<SegmentReader> {
  const builder = new SegmentBuilder()
  for (const { page, title, text } of versions) {
    const place = { page, thread: 0, serial: 0, offset: 0, kind: noLanguage }
    builder.add(place, { title: wordsOf(title), text: wordsOf(text) })
  }
  const path = newPath()
  return new SegmentReader(path, (await builder.write(path)).bytes)
}

/** The newest document of each page, by page. */
function newestOf(segments: readonly SegmentReader[]): Map<number, number> {
  const newest = new Map<number, number>()
  let at = 0
  for (const { documents } of segments) for (const page of documents.pages) newest.set(page, at++)
  return newest
}

function tableOf(newest: ReadonlyMap<number, number>): PageColumns {
  const documents = Uint32Array.from(newest.values())
  const { length: count } = documents
  const numbers = Uint32Array.from(documents, (_, i) => i)
  return {
    count,
    indexable: count,
    lowest: 1,
    highest: 1,
    pageRanks: new Float64Array(count),
    documents,
    originals: numbers,
    copies: new Uint32Array(count),
    depths: new Uint32Array(count),
    order: numbers,
  }
}

const words = [
  ...'connect connection connected running run trees tree of the a'.split(' '),
  ...'constructor __proto__ naïve 北京 我们 𠀀 ﬁne zürich x1 2026'.split(' '),
]
const field = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((each) => each.join(' '))
const version = fc.record({ page: fc.nat(12), title: field, text: field })
const segmentation = fc.array(fc.array(version, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 5,
})
const queries = [
  'trees connecting',
  '"the tree" of running',
  '"of the a" "a a"',
  '北京 "我们 北京"',
  'absent',
  'constructor __proto__',
]
const boost = (page: number): number => 1 + ((page * 7) % 5) / 10

describe('the index on disk', () => {
  it('ranks as an index of the query alone: the same pages, the same scores to the last bit', async () => {
    const stem = await loadStemmer('en')
    await fc.assert(
      fc.asyncProperty(
        segmentation,
        fc.constantFrom(...queries),
        fc.constantFrom<'all' | 'any'>('all', 'any'),
        fc.boolean(),
        fc.boolean(),
        async (parts, text, match, isStemmed, isMerged) => {
          let segments = await Promise.all(parts.map(segmentOf))
          if (isMerged) segments = [await mergedOf(segments)]
          const newest = newestOf(segments)
          const indexed = new IndexedPages(segments, tableOf(newest), false)
          const query = new Query(text, isStemmed ? stem : undefined)
          const stems = isStemmed
            ? await Promise.all(segments.map((segment) => TermStems.build(segment, stem)))
            : undefined
          const pages = [...newest.keys()]
          const counted = indexed.count(query, stems)
          const ranking = indexed.ranked(counted, match, (row) => boost(pages[row]), 1000)

          const reference = new PageIndex(query)
          const texts = new Map(parts.flat().map((each) => [each.page, each]))
          for (const page of pages) reference.add(page, texts.get(page)!)
          const expected = reference.ranked(match, boost)
          expect(ranking.best.map(({ row, score }) => ({ page: pages[row], score }))).toEqual(expected)
          expect(ranking.matches).toBe(expected.length)
          expect(indexed.pages).toBe(pages.length)
          const some = indexed.ranked(counted, match, (row) => boost(pages[row]), 2)
          expect(some.best).toEqual(ranking.best.slice(0, 2))
          for (const segment of segments) segment.close()
        },
      ),
      seeded(60),
    )
  })

  it('finds words among thousands, rare and common, in one segment and after a merge', async () => {
    const many = (from: number): Version[] =>
      Array.from({ length: 300 }, (_, i) => ({
        page: from + i,
        title: `title${from + i}`,
        text: `common ${'filler '.repeat(i % 7)} word${(from + i) * 7} unique${from + i}x common`,
      }))
    const first = await segmentOf(many(0))
    const second = await segmentOf(many(300))
    const merged = await mergedOf([first, second])
    expect(merged.terms).toBe(first.terms + second.terms - 2)
    for (const segments of [[first, second], [merged]]) {
      const indexed = new IndexedPages(segments, tableOf(newestOf(segments)), false)
      const found = (text: string): number =>
        indexed.ranked(indexed.count(new Query(text), undefined), 'all', () => 1, 10).matches
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

async function mergedOf(segments: readonly SegmentReader[]): Promise<SegmentReader> {
  const newest = new Set(newestOf(segments).values())
  const bases: number[] = []
  let base = 0
  for (const { documents } of segments) {
    bases.push(base)
    base += documents.count
  }
  const path = newPath()
  const { bytes } = await mergeSegments(segments, (i, document) => newest.has(bases[i] + document), path)
  for (const segment of segments.slice(0, segments.length === 2 ? 0 : undefined)) segment.close()
  return new SegmentReader(path, bytes)
}
