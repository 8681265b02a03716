import { describe, expect, it, vi } from 'vitest'
import { RankwardError } from '../../lib/errors.ts'
import { parseHotRule, parseHotRules, type HotMetrics } from './hot-rule.ts'
import { sevenPages } from './seven-pages.cases.ts'

const metrics: HotMetrics = {
  pagerank: () => sevenPages.pagerank,
  backlinks: () => sevenPages.backlinks,
  forwardLinks: () => sevenPages.forwardLinks,
}

const texts = (list: string | string[]): string[] => parseHotRules(list).map(({ text }) => text)

/** The ids of the hot pages of the worked case. */
function hotIds(text: string): number[] {
  const { pages, count } = parseHotRule(text).hotPages(metrics)
  const ids = [1, 2, 3, 4, 5, 6, 7].filter((id) => pages.has(id - 1))
  expect(count).toBe(ids.length)
  return ids
}

describe('a hot rule', () => {
  it.each([
    ['backlinks>=3', [5]],
    ['backlinks>=1', [1, 2, 3, 4, 5, 6, 7]],
    ['backlinks>1', [5]],
    ['backlinks > 3', []],
    ['forward-links>=3', [1, 3]],
    ['forward-links≥1', [1, 2, 3, 4, 5]],
    ['pagerank>=1.2', [5, 7]],
    ['PageRank >= 1', [2, 5, 7]],
    ['pagerank>=1e-3', [1, 2, 3, 4, 5, 6, 7]],
    ['top 1%', [5]],
    ['top 2', [5, 7]],
    ['top 28%', [5, 7]],
    ['top 28.6% pagerank', [2, 5, 7]],
    ['top 3 by pagerank', [2, 5, 7]],
    ['top 1 backlinks', [5]],
    ['top 100', [1, 2, 3, 4, 5, 6, 7]],
    ['top 100%', [1, 2, 3, 4, 5, 6, 7]],
  ])('%s chooses pages %j of the worked case', (text, ids) => {
    expect(hotIds(text)).toEqual(ids)
  })

  it('takes all that tie with the last page of a top', () => {
    expect(hotIds('top 4')).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(hotIds('top 2 backlinks')).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it("has its threshold in the metric's own scale", () => {
    expect(parseHotRule('pagerank>=13').hotPages(metrics).threshold).toBe(13)
    expect(parseHotRule('top 2').hotPages(metrics).threshold).toBeCloseTo((7 * 21) / 107, 14)
    expect(parseHotRule('top 1 backlinks').hotPages(metrics).threshold).toBe(3)
  })

  it('ties values that are equal in exact arithmetic', () => {
    const equal = new Float64Array(49).fill(1 / 49)
    expect(equal[0] * 49).toBeLessThan(1)
    expect(parseHotRule('pagerank>=1').hotPages({ ...metrics, pagerank: () => equal }).count).toBe(49)
  })

  it('takes a percentage with decimals exactly', () => {
    expect(Math.ceil((0.07 * 10_000) / 100)).toBe(8)
    const pagerank = Float64Array.from({ length: 10_000 }, (_, page) => page)
    expect(parseHotRule('top 0.07%').hotPages({ ...metrics, pagerank: () => pagerank }).count).toBe(7)
  })

  it('chooses nothing of a web without pages', () => {
    const nothing = { ...metrics, pagerank: () => new Float64Array(0) }
    expect(parseHotRule('top 1%').hotPages(nothing)).toMatchObject({ threshold: 0, count: 0, of: 0 })
    expect(parseHotRule('pagerank>=1').hotPages(nothing)).toMatchObject({ threshold: 1, count: 0, of: 0 })
  })

  it('computes only the metric that it needs', () => {
    const asked = vi.fn(() => new Float64Array(7))
    parseHotRule('backlinks>=3').hotPages({ ...metrics, pagerank: asked, forwardLinks: asked })
    expect(asked).not.toHaveBeenCalled()
  })
})

describe('a list of hot rules', () => {
  it('is separated by commas, repeated, or both, and keeps each rule once', () => {
    expect(texts('backlinks>=100, top 1%')).toEqual(['backlinks>=100', 'top 1%'])
    expect(texts(['backlinks>=100,top 1%', ' pagerank>=13 ', 'top 1%'])).toEqual([
      'backlinks>=100',
      'top 1%',
      'pagerank>=13',
    ])
    expect(texts([])).toEqual([])
  })
})

describe('a bad hot rule', () => {
  it.each([
    '',
    'backlinks',
    'backlinks>=',
    'backlinks=5',
    'backlinks<=5',
    'backlinks>=-1',
    'backlinks>=many',
    'backlinks>=1e999',
    'links>=5',
    'constructor>=5',
    'top',
    'top 0',
    'top 0%',
    'top 1.5',
    'top 101%',
    'top 5 links',
    'top -1',
    'top\n1\nx',
    'backlinks>=100;top 1%',
  ])('%j is refused in one line that has the text, the expected form and an example', (text) => {
    const refusal = expect.objectContaining({
      code: 'USAGE',
      message: expect.stringMatching(/^".*expected.*such as.*$/),
    })
    expect(() => parseHotRule(text)).toThrow(refusal)
    expect(() => parseHotRule(text)).toThrow(RankwardError)
    expect(() => parseHotRule(text)).toThrow(JSON.stringify(text))
  })

  it('is refused at any position in a list', () => {
    expect(() => parseHotRules('top 1%,')).toThrow(RankwardError)
    expect(() => parseHotRules(['top 1%', 'backlinks>=1,000'])).toThrow('"000"')
  })
})
