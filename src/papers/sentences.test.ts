import { describe, expect, it } from 'vitest'
import { exactSentence, sampleText, windowSentence } from './sentences.ts'

describe('a sentence of a report follows from the figures', () => {
  it('the sample of Kendall’s tau is all pages where there are no more than 5,000', () => {
    expect(sampleText(4883)).toBe('all 4,883 pages')
    expect(sampleText(5000)).toBe('all 5,000 pages')
    expect(sampleText(5001)).toBe('a sample of 5,000 pages')
  })

  it.each([
    [[3, 5, 5], /^The smaller the window, the fewer/],
    [[5, 5, 3], /^The larger the window, the fewer/],
    [[5, 3, 4], /^The number of downloads is not monotone/],
    [[4, 4, 4], /^The size of the window makes no difference/],
    [[4, 9, null], /^The smaller the window, the fewer/],
  ])('windows that took %j downloads', (downloads, expected) => {
    const needed = downloads.map((each, i) => ({ name: `window ${i}`, downloads: each }))
    expect(windowSentence(needed)).toMatch(expected)
  })

  it('exact-rankmass is compared with the best of the others', () => {
    const needed = (
      exact: number | null,
      ...others: (number | null)[]
    ): Parameters<typeof exactSentence>[0] => [
      { name: 'exact-rankmass', downloads: exact },
      ...others.map((downloads, i) => ({ name: `other ${i}`, downloads })),
    ]
    expect(exactSentence(needed(7, 9, 8), '0.98')).toBe(
      'Here it took 7 downloads for a guarantee of 0.98; of the others, other 1 took the fewest, 8.',
    )
    expect(exactSentence(needed(7, 6, 6, null), '0.98')).toMatch(/other 0 and other 1 took the fewest, 6\.$/)
    expect(exactSentence(needed(7, null), '0.98')).toMatch(/no other algorithm reached it\.$/)
    expect(exactSentence(needed(null, 7), '0.98')).toBe('Here it never reached a guarantee of 0.98.')
  })
})
