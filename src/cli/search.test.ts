import { describe, expect, it } from 'vitest'
import type { SearchResults } from '../crawler/parts/search/options.ts'
import { searchText, wrapped } from './search.ts'

describe('lines of a terminal', () => {
  it.each<[string, number, number, string[]]>([
    ['one two three', 7, 9, ['one two', 'three']],
    ['one two three', 8, 9, ['one two', 'three']],
    ['one two three', 3, 2, ['one', 'two']],
    ['a verylongword b', 6, 9, ['a', 'verylo', 'ngword', 'b']],
    ['北京大学图书馆', 6, 9, ['北京大', '学图书', '馆']],
    ['', 10, 9, []],
  ])('of %j are cut to %d columns', (text, width, linesMax, lines) => {
    expect(wrapped(text, width, linesMax)).toEqual(lines)
  })
})

describe('what a search found', () => {
  const results: SearchResults = {
    query: 'solar wind',
    units: ['solar', 'wind\u{1b}'],
    pages: 1200,
    matches: 12,
    match: 'all',
    language: undefined,
    results: Array.from({ length: 10 }, (_, i) => ({
      url: `http://example.org/${i}`,
      title: i === 0 ? '' : `Title ${i} \u{1b}[2J`,
      snippet: '… the solar wind …',
      found: [
        [6, 11],
        [12, 16],
      ],
      score: 1234.5678,
      bm25: 0.000123456,
      pageRank: 0.5,
      depth: 2,
      copies: i,
    })),
  }

  it('is formatted line by line', () => {
    const lines = searchText(results).split('\n')
    expect(lines.slice(0, 11)).toEqual([
      '12 of 1,200 pages have all of: solar, wind\\x1b',
      '',
      ' 1  http://example.org/0',
      '    … the solar wind …',
      '    score 1230 · text 0.000123 · PageRank 0.5 · depth 2',
      '',
      ' 2  Title 1 \\x1b[2J',
      '    http://example.org/1',
      '    … the solar wind …',
      '    score 1230 · text 0.000123 · PageRank 0.5 · depth 2 · 1 copy',
      '',
    ])
    expect(lines.at(-1)).toBe('… and 2 more pages (--limit)')
  })

  it.each<[Partial<SearchResults>, boolean, string]>([
    [{ pages: 0 }, true, 'The crawl has no pages to search.'],
    [{ matches: 0 }, true, 'None of 1,200 pages has all of: a, b'],
    [{ matches: 0, match: 'any' }, true, 'None of 1,200 pages has any of: a, b'],
    [{ matches: 0, match: 'any', units: ['a'], pages: 1 }, true, 'None of 1 page has: a'],
    [{ match: 'any' }, true, 'No page has all of: a, b. 12 of 1,200 pages have some.'],
    [{ match: 'any' }, false, '12 of 1,200 pages have any of: a, b'],
    [{ matches: 1, language: 'de' }, true, '1 of 1,200 pages has all of: a, b (German stems)'],
  ])('with %j begins as it should', (part, mayFallBack, head) => {
    const found = { ...results, units: ['a', 'b'], results: [], ...part }
    expect(searchText(found, 80, mayFallBack).split('\n')[0]).toBe(head)
  })
})
