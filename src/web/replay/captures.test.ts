import { describe, expect, it } from 'vitest'
import { Captures } from './captures.ts'
import { seededRandom } from '../../lib/random.ts'

const place = (captures: Captures, url: string): number[] =>
  [...captures.of(url)].map((capture) => captures.place(capture).offset)

describe('captures', () => {
  it('of a URL are listed newest first, as a sorted list would', () => {
    const random = seededRandom(7)
    const captures = new Captures()
    const all: { url: string; dateMs: number; file: number; offset: number }[] = []
    for (let offset = 0; offset < 2000; offset++) {
      const [url, dateMs] = [`http://a.example/${random.below(50)}`, 1000 * random.below(40)]
      const file = random.below(3)
      all.push({ url, dateMs, file, offset })
      captures.add(url, dateMs, file, offset)
    }
    for (const url of new Set(all.map((one) => one.url))) {
      const expected = all
        .filter((one) => one.url === url)
        .toSorted((a, b) => b.dateMs - a.dateMs || b.file - a.file || b.offset - a.offset)
      expect(place(captures, url)).toEqual(expected.map(({ offset }) => offset))
    }
    expect(captures.count).toBe(2000)
    expect(captures.urlCount).toBe(50)
  })

  it('are found by the exact URL first, and by its canonical form if there is none', () => {
    const captures = new Captures()
    captures.add('http://a.example/%7eann', 1, 0, 10)
    captures.add('http://a.example/b?', 1, 0, 20)
    captures.add('http://a.example/b', 1, 0, 30)
    captures.add('http://A.example:80/c#part', 1, 0, 40)
    captures.add('dns:a.example', 1, 0, 50)
    expect(place(captures, 'http://a.example/~ann')).toEqual([10])
    expect(place(captures, 'http://a.example/%7Eann')).toEqual([10])
    expect(place(captures, 'http://a.example/b?')).toEqual([20])
    expect(place(captures, 'http://a.example/b')).toEqual([30])
    expect(place(captures, 'http://a.example/c')).toEqual([40])
    expect(place(captures, 'https://a.example/c')).toEqual([])
    expect(place(captures, 'dns:a.example')).toEqual([])
    expect(captures.isSame('http://a.example/~ann', 'http://a.example/%7eann')).toBe(true)
    expect(captures.isSame('http://a.example/b', 'http://a.example/b?')).toBe(false)
  })
})
