import { expect, it } from 'vitest'
import { cssUrls } from './css-urls.ts'
import { pageRequisites, styleRequisites } from './page-requisites.ts'
import { srcsetUrls } from './srcset.ts'
import { styleText } from './style-text.ts'

const page = 'http://a.example/dir/page.html'
const of = (html: string): readonly string[] => pageRequisites(html, page).urls

it('finds the files of every element that loads one', () => {
  const files =
    of(`<link rel="preload stylesheet" href=a.css><link rel="shortcut icon" href=/i.ico><link rel=preload as=image imagesrcset="p1.png 1x, p2.png 2x">
    <script src="//cdn.example/s.js"></script><img src=1.png srcset="2.png 2x,3.png 3x"><picture><source srcset="4.webp 100w, 5.webp 200w"></picture>
    <video src=v.mp4 poster=v.jpg><track src=v.vtt></video><audio src=a.ogg></audio><input type=image src=b.png><object data=o.svg></object><embed src=e.svg>
    <body background=bg.gif><svg><image xlink:href=g.png /><use href="sprite.svg#x"/></svg><img data-src=late.png>`)
  expect(files.map((url) => url.replace('http://a.example/dir/', ''))).toEqual([
    'a.css',
    'http://a.example/i.ico',
    'p1.png',
    'p2.png',
    'http://cdn.example/s.js',
    '1.png',
    '2.png',
    '3.png',

    '4.webp',
    '5.webp',
    'v.mp4',
    'v.jpg',
    'v.vtt',
    'a.ogg',
    'b.png',
    'o.svg',
    'e.svg',
    'bg.gif',
    'g.png',
    'sprite.svg',
    'late.png',
  ])
})

it('reads style elements and attributes, and resolves against the base element wherever it is', () => {
  const html = `<style>@import "x.css"; p { background: url( 'p.png' ) }</style><p style="background:url(&quot;q.png&quot;)"><base href="/other/"><base href="/never/">`
  expect(of(html)).toEqual(['x.css', 'p.png', 'q.png'].map((name) => `http://a.example/other/${name}`))
})

it('takes neither links nor data, fragments, other schemes or markup in comments and scripts', () => {
  expect(
    of(`<a href=next.html><iframe src=f.html></iframe><link rel=canonical href=c.html><link rel=next href=n.html><img src="data:image/png;base64,AA==">
      <img src=""><img src="#top"><img src="page.html#self"><img src="mailto:x@y"><!-- <img src=no.png> --><script>"<img src=no2.png>"</script>`),
  ).toEqual([])
})

it('names each file once, and at most 2,000', () => {
  const many = Array.from({ length: 2100 }, (_, i) => `<img src=${i}.png><img src=${i}.png#x>`).join('')
  const { urls, isCut } = pageRequisites(many, page)
  expect([urls.length, new Set(urls).size, isCut]).toEqual([2000, 2000, true])
})

it('sends no passwords of a page to other hosts', () => {
  expect(of('<img src="http://u:p@b.example/x.png">')).toEqual(['http://b.example/x.png'])
})

it('finds the URLs of a style sheet, and no others', () => {
  const css = `@charset "utf-8"; @namespace svg url(http://www.w3.org/2000/svg);
    @import url(one.css) screen; @import 'two.css'; /* url(no.png) */ @font-face { src: local("no"), url("f.woff2") format("woff2") }
    a { content: "url(no2.png)"; background: URL(  b\\(1\\).png  ) } b { background-image: image-set("c1.png" 1x, url(c2.png) 2x); mask: url(#id) }
    c { background: url(bad"quote.png) } d { background: u\\72l(d.png) } e { cursor: url('e\\26.cur'), auto; content: "two.css" }`
  expect(cssUrls(css).urls).toEqual([
    'one.css',
    'two.css',
    'f.woff2',
    'b(1).png',
    'c1.png',
    'c2.png',
    '#id',
    'd.png',
    'e&.cur',
  ])
  expect(
    styleRequisites('a{b:url(../x.png)} @import "y.css"', 'http://a.example/css/m.css?v=1').urls,
  ).toEqual(['http://a.example/x.png', 'http://a.example/css/y.css'])
})

it.each([
  'url(',
  'url("',
  '@import',
  '@import "',
  '\\',
  '/*',
  '"\\',
  'a{b:url(\\',
  '@',
  '((((',
  'image-set(',
])('ends at the end of a style sheet that is cut at %s', (css) => {
  expect(cssUrls(css).urls.join('').length).toBeLessThan(3)
})

it('splits srcset at commas between candidates only', () => {
  expect(srcsetUrls('a.png, b.png 2x , c,d.png 3x,e.png')).toEqual(['a.png', 'b.png', 'c,d.png', 'e.png'])
  expect(srcsetUrls('data:image/png;base64,AA== 1x, f.png calc(1, 2), g.png')).toEqual([
    'data:image/png;base64,AA==',
    'f.png',
    'g.png',
  ])
  expect(srcsetUrls(' , ')).toEqual([])
})

it('decodes a style sheet by byte order mark, header, @charset, or as UTF-8', () => {
  const latin = Buffer.from('@charset "iso-8859-1"; a{b:url(ä.png)}', 'latin1')
  expect(styleText(latin, 'text/css')).toContain('ä.png')
  expect(styleText(Buffer.from('a{b:url(ä.png)}', 'latin1'), 'text/css; charset=iso-8859-1')).toContain(
    'ä.png',
  )
  expect(styleText(Buffer.from('\uFEFFa{b:url(ä.png)}'), 'text/css; charset=iso-8859-1')).toContain('ä.png')
  expect(styleText(Buffer.from('a{b:url(ä.png)}'), undefined)).toContain('ä.png')
  expect(styleText(Buffer.from('@charset "utf-16"; a{b:url(ä.png)}'), undefined)).toContain('ä.png')
})

it('reads a srcset with more candidates than a call has room for arguments', () => {
  const { urls, isCut } = pageRequisites(`<img srcset="${'a ,'.repeat(200_000)}b 2x">`, page)
  expect(urls).toEqual(['http://a.example/dir/a', 'http://a.example/dir/b'])
  expect(isCut).toBe(false)
})

// With quadratic time, these take minutes to hours.
it('reads a million commas within a URL of a srcset in linear time', () => {
  const word = `x${','.repeat(1_000_000)}y`
  expect(srcsetUrls(`${word},,, z 2x`)).toEqual([word, 'z'])
})

it('resolves no relative URL against a base of megabytes', () => {
  const base = `<base href="http://b.example/${'b'.repeat(1_000_000)}/">`
  const { urls, isCut } = pageRequisites(
    `${base}${'<img src=a>'.repeat(50_000)}<img src=http://c.example/d>`,
    page,
  )
  expect(urls).toEqual(['http://c.example/d'])
  expect(isCut).toBe(true)
})

it('reads elements with the names of members of objects', () => {
  expect(of('<constructor src=a><toString><hasOwnProperty><img src=b constructor=c>')).toEqual([
    'http://a.example/dir/b',
  ])
})

// With a stack of open elements, each takes minutes to hours.
it.each(['<b>|</i>', '<b>|<p>', '<svg>|<b>', '<div>|</p>', '<form>|<form>'])(
  'reads 300,000 tags of each of these in linear time: %s',
  (tags) => {
    const [first, then] = tags.split('|')
    const html = `${first.repeat(300_000)}${then.repeat(300_000)}<img src=a>`
    expect(of(html)).toEqual(['http://a.example/dir/a'])
  },
)

it('reads images and style sheets in inline SVG', () => {
  const svg = `<svg><defs><style>a{fill:url(f.svg)}</style><filter><feImage href=n.png /></filter></defs><image href=i.png /><g/></svg>`
  expect(of(`${svg}<img src=a>`)).toEqual(
    ['f.svg', 'n.png', 'i.png', 'a'].map((name) => `http://a.example/dir/${name}`),
  )
})
