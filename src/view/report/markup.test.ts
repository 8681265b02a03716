import { h } from 'preact'
import { expect, it } from 'vitest'
import { sentence, shortened, svgSentence, WebLink } from '../pictures/words.tsx'
import { markup, scriptJson } from './page.tsx'

it('text from outside stays text', () => {
  const text = `<script>alert("1" & '2')</script>`
  expect(markup(h('p', { title: text }, text))).toBe(
    `<p title="&lt;script>alert(&quot;1&quot; &amp; '2')&lt;/script>">&lt;script>alert(&quot;1&quot; &amp; '2')&lt;/script></p>`,
  )
  expect(markup(h('p', {}, sentence('<b>`<i>`</b>')))).toBe('<p>&lt;b><code>&lt;i></code>&lt;/b></p>')
  expect(markup(h('text', {}, svgSentence('<P_ST>')))).toContain('&lt;P<tspan')
})

it('only addresses of the web become links', () => {
  expect(markup(WebLink({ href: 'javascript:alert(1)', text: 'x' }))).not.toContain('href')
  expect(markup(WebLink({ href: 'https://a.example/', text: 'x' }))).toContain('href="https://a.example/"')
})

it('characters that XML has no room for are replaced', () => {
  expect(markup(h('p', {}, 'a\u0000b\u001Bc\uD800d\uFFFFe'))).toBe('<p>a\uFFFDb\uFFFDc\uFFFDd\uFFFDe</p>')
  expect(markup(h('p', {}, 'tab\tline\n😀'))).toBe('<p>tab\tline\n😀</p>')
})

it('JSON in a script cannot end the script, and is the same JSON', () => {
  const value = { name: '</script><!--\u2028', list: [1, 0.5] }
  const text = scriptJson(value)
  expect(text).not.toMatch(/[<\u2028]/)
  expect(JSON.parse(text)).toEqual(value)
})

it('a name is cut between characters, not within one', () => {
  expect(shortened('abc', 3)).toBe('abc')
  expect(shortened('😀😀😀', 3)).toBe('😀😀😀')
  expect(shortened('😀😀😀😀', 3)).toBe('😀😀…')
})
