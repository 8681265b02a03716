import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { csvCell, tsvCell } from './text-cell.ts'

describe('a text cell', () => {
  it.each([
    ['=1+1', "'=1+1", "'=1+1"],
    ['+1', "'+1", "'+1"],
    ['-1', "'-1", "'-1"],
    ['@SUM(A1)', "'@SUM(A1)", "'@SUM(A1)"],
    ["'=1", "''=1", "''=1"],
    ["it's", "it's", "it's"],
    ["'quoted'", "'quoted'", "'quoted'"],
    ['\t=1', '\\t=1', "'\t=1"],
    ['\r=1', '\\r=1', '"\'\r=1"'],
    ['a\tb\nc\\d', 'a\\tb\\nc\\\\d', '"a\tb\nc\\d"'],
    ['a\u001B[31m\u0000\u009F', 'a\\u001B[31m\\u0000\\u009F', 'a\\u001B[31m\\u0000\\u009F'],
    ['5 - 3 = 2, "so"', '5 - 3 = 2, "so"', '"5 - 3 = 2, ""so"""'],
    ['Zoë – 中文 😀', 'Zoë – 中文 😀', 'Zoë – 中文 😀'],
  ])('%j is no formula and has no control character', (text, tsv, csv) => {
    expect([tsvCell(text, false), csvCell(text, false)]).toEqual([tsv, csv])
  })

  it('is unchanged with raw, except for the escapes that the format needs', () => {
    expect(tsvCell('=\u001B\t\\', true)).toBe('=\u001B\\t\\\\')
    expect(csvCell('=\u001B"\n', true)).toBe('"=\u001B""\n"')
  })

  it('is read back as it was from TSV, and never begins like a formula', () => {
    const unescaped: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' }
    const parsed = (cell: string): string =>
      cell
        .replace(/^'('*[=+\-@])/, '$1')
        .replaceAll(/\\(?:u([0-9A-F]{4})|(.))/g, (_, code?: string, char?: string) =>
          code === undefined ? unescaped[char!] : String.fromCharCode(parseInt(code, 16)),
        )
    const chars = fc.constantFrom(
      "'",
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\n',
      '\r',
      '\\',
      'u',
      '0',
      'n',
      '\u0007',
      'é',
    )
    const texts = fc.oneof(
      fc.array(chars, { maxLength: 8 }).map((all) => all.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const cell = tsvCell(text, false)
        expect(cell).not.toMatch(/^[=+\-@]|\p{Cc}/u)
        expect(parsed(cell)).toBe(text)
      }),
      seeded(500),
    )
  })
})
