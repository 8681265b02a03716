import { describe, expect, it } from 'vitest'
import { wordsOf } from './words.ts'

describe('words', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  \n—! ', []],
    ['The Quick, brown fox (7 years)', ['the', 'quick', 'brown', 'fox', '7', 'years']],
    ["don't say 'no'", ['don', 't', 'say', 'no']],
    ['C3PO e-mail a_b', ['c3po', 'e', 'mail', 'a', 'b']],
    ['Straße ÉTÉ été', ['straße', 'été', 'été']],
    ['l’énergie solaire', ['l', 'énergie', 'solaire']],
    ['ﬁne ½ Ⅳ', ['fine', '1', '2', 'iv']],
    ['ΣΊΣΥΦΟΣ Привет', ['σίσυφος', 'привет']],
    ['我们喜欢北京', ['我们', '喜欢', '北京']],
    ['สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    [`${'x'.repeat(65)} ${'y'.repeat(64)}`, ['y'.repeat(64)]],
    ['co­operate', ['cooperate']],
    ['Rankward™ Crawl℠ Web® 3 m²', ['rankward', 'crawl', 'web', '3', 'm2']],
    ['co­operate 我们喜欢 Straße', ['cooperate', '我们', '喜欢', 'straße']],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('of plain ASCII are found as those of any text', () => {
    const text = "It's 10 o'clock; RUN-time x' 'y don''t"
    expect(wordsOf(text)).toEqual(wordsOf(`${text} é`).slice(0, -1))
  })

  it('of a long text without spaces are those of its parts, in bounded time', () => {
    const part = ['我们', '喜欢', '北京']
    const times = 20_000
    const words = wordsOf(part.join('').repeat(times))
    expect(words.join('')).toBe(part.join('').repeat(times))
    expect(words).toEqual(Array.from({ length: times }, () => part).flat())
    // Characters of two halves are not cut between them, wherever pieces end.
    for (const before of ['', '一'])
      expect(wordsOf(before + '𠀀'.repeat(1500)).join('')).toBe(before + '𠀀'.repeat(1500))
  })
})
