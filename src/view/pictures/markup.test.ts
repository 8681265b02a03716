import { expect, it } from 'vitest'
import { escaped, scriptJson, sentence, shortened, svgWords } from './markup.ts'

it('text from outside stays text', () => {
  expect(escaped(`<script>alert("1" & '2')</script>`)).toBe(
    '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;',
  )
  expect(sentence('<b>`<i>`</b>')).toBe('&lt;b&gt;<code>&lt;i&gt;</code>&lt;/b&gt;')
  expect(svgWords('<P_ST>')).toContain('&lt;P<tspan')
})

it('characters that XML has no room for are replaced', () => {
  expect(escaped('a\u0000b\u001Bc\uD800d\uFFFFe')).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFDe')
  expect(escaped('tab\tline\n😀')).toBe('tab\tline\n😀')
})

it('JSON in a script cannot end the script, and is the same JSON', () => {
  const value = { name: '</script><!--\u2028', list: [1, 0.5] }
  const text = scriptJson(value)
  expect(text).not.toMatch(/[<\u2028]/)
  expect(JSON.parse(text)).toEqual(value)
})

it('a name is cut between characters, not within one', () => {
  expect(shortened('abc', 3)).toBe('abc')
  expect(shortened('😀😀😀😀', 3)).toBe('😀😀…')
})
