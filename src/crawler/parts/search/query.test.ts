import { describe, expect, it } from 'vitest'
import { loadStemmer } from '../../../web/text/stem.ts'
import { wordsOf } from '../../../web/text/words.ts'
import { checkQuery, Query } from './query.ts'

const unitsOf = (text: string): string[] => new Query(text).units.map((unit) => unit.text)

/** Units and the places where they stand. */
function placesIn(query: Query, text: string): [unit: string, at: number][] {
  const places: [string, number][] = []
  query.find(wordsOf(text), (unit, at) => places.push([query.units[unit].text, at]))
  return places
}

describe('a query', () => {
  it.each<[string, string[]]>([
    ['solar energy', ['solar', 'energy']],
    ['"solar energy" price', ['"solar energy"', 'price']],
    ['“solar energy” «wind power»', ['“solar energy”', '«wind power»']],
    ['solar Solar SOLAR "solar"', ['solar']],
    ['"unbalanced quote', ['unbalanced', 'quote']],
    ['e-mail C++', ['e-mail', 'C++']],
    ['我们喜欢北京', ['我们', '喜欢', '北京']],
    ['"我们喜欢"', ['"我们喜欢"']],
    ['"" - …', []],
  ])('%j is made of %j', (text, units) => {
    expect(unitsOf(text)).toEqual(units)
  })

  it('finds units where their words are consecutive, and nowhere else', () => {
    const query = new Query('"a b a" b')
    expect(placesIn(query, 'a b a b a, x b a b')).toEqual([
      ['"a b a"', 0],
      ['b', 1],
      ['"a b a"', 2],
      ['b', 3],
      ['b', 6],
      ['b', 8],
    ])
    expect(placesIn(query, 'a c')).toEqual([])
  })

  it('compares stems, also where far more words come than are remembered', async () => {
    const query = new Query('"connected run"', await loadStemmer('en'))
    const many = Array.from({ length: 140_000 }, (_, i) => `w${i}`)
    const words = ['connections', 'running', ...many, 'connecting', 'runs']
    const places: number[] = []
    query.find(words, (_, at) => places.push(at))
    expect(places).toEqual([0, 140_002])
  })

  it('has a word, and not too many', () => {
    expect(() => checkQuery('"…"')).toThrow(/no word/)
    expect(() => checkQuery(Array.from({ length: 50 }, (_, i) => `w${i}`).join(' '))).not.toThrow()
    expect(() => checkQuery(Array.from({ length: 51 }, (_, i) => `w${i}`).join(' '))).toThrow(/at most 50/)
  })
})
