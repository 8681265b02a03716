import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { loadStemmer } from '../../../web/text/stem.ts'
import { Query } from './query.ts'
import { pageSnippet, snippetOf } from './snippet.ts'

const marked = ({ text, found }: ReturnType<typeof snippetOf>): string[] =>
  found.map(([start, end]) => text.slice(start, end))

describe('a snippet', () => {
  it('is all of a short text, with white space made single', () => {
    const snippet = snippetOf(' The \n solar\t energy ,\u{F0C1} at last. ', new Query('energy SOLAR'))
    expect(snippet.text).toBe('The solar energy, at last.')
    expect(marked(snippet)).toEqual(['solar', 'energy'])
  })

  it('shows the part of the text with the most units of the query', () => {
    const far = 'word '.repeat(100)
    const text = `solar solar solar ${far} wind and solar power ${far} power`
    const snippet = snippetOf(text, new Query('solar wind power'))
    expect(snippet.text).toMatch(/^… (?:word )+wind and solar power (?:word )+…$/)
    expect(marked(snippet)).toEqual(['wind', 'solar', 'power'])
  })

  it('marks the words of a phrase only where they are consecutive', () => {
    const snippet = snippetOf('energy, solar; solar energy', new Query('"solar energy"'))
    expect(snippet.found).toEqual([
      [15, 20],
      [21, 27],
    ])
  })

  it('is the beginning of a text that has nothing of it', () => {
    const snippet = snippetOf('word '.repeat(100), new Query('solar'))
    expect(snippet.text).toMatch(/^word .*word …$/)
    expect(snippet.found).toEqual([])
    expect(snippetOf('', new Query('solar'))).toEqual({ text: '', found: [] })
  })

  it('marks stems, accents, ligatures and words without spaces at their own places', async () => {
    const stems = new Query('connect', await loadStemmer('en'))
    expect(marked(snippetOf('Connections, connecting', stems))).toEqual(['Connections', 'connecting'])
    expect(marked(snippetOf('cafe\u{301} ﬁne', new Query('café fine')))).toEqual(['cafe\u{301}', 'ﬁne'])
    expect(marked(snippetOf('我们喜欢北京', new Query('北京 我们')))).toEqual(['我们', '北京'])
  })

  it('of any text is short, splits no character, and marks the matches', () => {
    const word = fc.constantFrom(
      'solar',
      'Solar',
      'wind',
      'x',
      'zzzzzzzzzz',
      '🌞🌞🌞',
      '北京',
      'é',
      ',',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), fc.constantFrom(' ', ''), (words, separator) => {
        const snippet = snippetOf(words.join(separator), new Query('solar "wind solar" 北京'))
        expect(snippet.text.length).toBeLessThanOrEqual(184)
        expect(snippet.text).not.toMatch(/\p{Surrogate}/u)
        for (const each of marked(snippet)) expect(each).toMatch(/^(?:solar|wind|北京)$/i)
        const starts = snippet.found.map(([start]) => start)
        expect(starts).toEqual(starts.toSorted((a, b) => a - b))
        if (separator === ' ' && words.includes('solar')) expect(snippet.found.length).toBeGreaterThan(0)
      }),
      seeded(300),
    )
  })

  it('is of the main content, unless the whole text shows more of the words', () => {
    const main = 'Wind turbines are explained at length.'
    const whole = `Solar energy Wind energy ${main}`
    expect(pageSnippet(main, whole, new Query('wind')).text).toBe(main)
    expect(pageSnippet(main, whole, new Query('wind solar')).text).toContain('Solar energy Wind')
    expect(pageSnippet('', whole, new Query('nothing')).text).toBe(whole)
  })
})
