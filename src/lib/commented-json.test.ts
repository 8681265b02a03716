import { describe, expect, it } from 'vitest'
import { JsonError, parseCommentedJson } from './commented-json.ts'

describe('JSON with comments', () => {
  it.each([
    '{}',
    '[]',
    'null',
    '-1.5e3',
    '"a\\u0041\\n\\"//"',
    '{"a": [1, {"b": "/* no comment */"}], "c": true}',
    ' [ 0 , 1e-7 , false ] ',
  ])('%s has the value that JSON gives it', (text) => {
    expect(parseCommentedJson(text).value).toEqual(JSON.parse(text))
  })

  it('skips comments and trailing commas, and knows the lines of keys', () => {
    const text = `\uFEFF// options
{
  /* several
     lines */ "seeds": ["https://a.org/", // one
  ],
  "pages": 5, // "wait": 1
}
`
    const { value, lines } = parseCommentedJson(text)
    expect(value).toEqual({ seeds: ['https://a.org/'], pages: 5 })
    expect([...lines]).toEqual([
      ['seeds', 4],
      ['pages', 6],
    ])
  })

  it('keeps a key named __proto__ as a key', () => {
    expect(Object.entries(parseCommentedJson('{"__proto__": 1}').value as object)).toEqual([['__proto__', 1]])
  })

  it.each([
    ['', 1, 'expected a value, not the end of the file'],
    ['{\n"a": 1\n"b": 2}', 3, 'expected a comma or }, not """'],
    ['{a: 1}', 1, 'expected a name in double quotes, or }, not "a"'],
    ['{"a" 1}', 1, 'expected a colon after "a", not "1"'],
    ['{"a": 1,\n "a": 2}', 2, '"a" is there twice'],
    ['{"a": yes}', 1, 'expected a value, not "yes"'],
    ['{"a": 01}', 1, 'expected a value, not "01"'],
    ['{"a": "x\n"}', 1, 'a text in double quotes does not end, or has a bad escape'],
    ['[1,,2]', 1, 'expected a value, not ","'],
    ['{} x', 1, 'expected the end of the file, not "x"'],
    ['\n/* {}', 2, 'a comment does not end'],
    ['['.repeat(200), 1, 'the values are nested too deeply'],
  ])('%j is refused with its line', (text, line, message) => {
    expect(() => parseCommentedJson(text)).toThrow(message)
    expect(() => parseCommentedJson(text)).toThrow(expect.objectContaining({ line, name: JsonError.name }))
  })
})
