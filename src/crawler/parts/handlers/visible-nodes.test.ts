import { parseDocument } from 'htmlparser2'
import type { Element } from 'domhandler'
import { expect, it } from 'vitest'
import { selectorOf } from './page-selection.ts'
import { visibleLines } from './visible-nodes.ts'

it('writes a line for each block, and no scripts', () => {
  const $ = selectorOf(
    () =>
      '<main><h1>One</h1><p>Two <b>th</b>ree\n four<br>five</p><script>x</script><ul><li>a<li>b</ul></main><i>c</i><i>d</i>',
  )
  expect($('main').text()).toBe('One\nTwo three four\nfive\na\nb')
  expect($('i').text()).toBe('c d')
  expect($('li').text()).toBe('a\nb')
  expect($('none').text()).toBe('')
})

it('reads 100,000 nested elements', () => {
  const document = parseDocument('<div>'.repeat(100_000) + 'deep')
  expect(visibleLines(document.children as Element[])).toBe('deep')
})
