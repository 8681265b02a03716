import { expect, it } from 'vitest'
import { decodeHtml } from '../charset/html-text.ts'
import { pageLanguage } from './text.ts'

it.each([
  ['<!doctype html><html lang="en-GB">', 'en-GB'],
  ['<HTML class=x LANG=de><p>', 'de'],
  ["<html xml:lang='fr' lang = 'fr'>", 'fr'],
  ['<html\nlang=pt_BR>', 'pt_BR'],
  [`<!-- ${'x'.repeat(3000)} --><html lang=en>`, 'en'],
  ['<html data-lang="en">', undefined],
  ['<html-x lang="en">', undefined],
  ['<html lang="">', undefined],
  ['<html>', undefined],
  ['<p lang=en>', undefined],
  [`<!-- ${'x'.repeat(5000)} --><html lang=en>`, undefined],
])("a page's language, of %j, is %s", (html, language) => {
  expect(pageLanguage(decodeHtml(Buffer.from(html)))).toBe(language)
})
