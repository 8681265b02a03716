import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { extractLinks, extractPage } from './page.ts'
import { robotsDirectives } from './robots-directives.ts'

const conformance = (name: string): string => `conformance/html/${name}.json`
const cases = <Case>(name: string): Case[] => JSON.parse(readFileSync(sharedPath(conformance(name)), 'utf8'))

interface BodyCase {
  body?: string
  bodyBase64?: string
  charset?: string
  url: string
}

const bytesOf = ({ body, bodyBase64 }: BodyCase): Uint8Array =>
  body === undefined ? Buffer.from(bodyBase64!, 'base64') : Buffer.from(body)
const pageOf = (one: BodyCase): ReturnType<typeof extractPage> =>
  extractPage(bytesOf(one), one.url, {
    headers: { 'Content-Type': `text/html; charset=${one.charset ?? 'utf-8'}` },
  })

/** Where we go by the HTML standard and not by the suite, and why. */
const refreshDeviations: Record<string, string> = {
  '<meta http-equiv="refresh" content="5;url=newpage"': 'a tag that the end of the page cuts off is no tag',
}
/** The content of noscript is markup where no scripts are run. */
const isInNoscript = ({ body = '' }: BodyCase): boolean => /<noscript[^>]*>\s*<(?:base|meta)/.test(body)

describe('a page, by public suites', () => {
  it.skipIf(absent(conformance('base-url')))(
    `has the base URL that w3lib finds (needs ../shared/${conformance('base-url')})`,
    () => {
      const all = cases<BodyCase & { baseUrl: string }>('base-url')
      expect(all.length).toBe(18)
      expect(all.filter(isInNoscript).length).toBe(2)
      for (const one of all) {
        if (!isInNoscript(one)) expect({ ...one, baseUrl: pageOf(one).base }).toEqual(one)
        else expect(pageOf(one).base).toBe('http://evil.example/')
      }
    },
  )

  it.skipIf(absent(conformance('meta-refresh')))(
    `refreshes to where w3lib finds (needs ../shared/${conformance('meta-refresh')})`,
    () => {
      const all = cases<BodyCase & { delay: number | null; target: string | null }>('meta-refresh')
      expect(all.length).toBe(24)
      for (const one of all) {
        if (refreshDeviations[one.body ?? '']) continue
        const { refresh } = pageOf(one)
        if (isInNoscript(one)) {
          expect(refresh?.target).toBe('http://example.org/javascript_required')
          continue
        }
        expect({ ...one, delay: refresh?.delaySeconds ?? null, target: refresh?.target ?? null }).toEqual(one)
      }
    },
  )

  it.skipIf(absent(conformance('robots-meta')))(
    `asks of robots what three crawlers read (needs ../shared/${conformance('robots-meta')})`,
    () => {
      const all = cases<{
        headers: Record<string, string[]>
        body: string
        noindex: boolean
        nofollow: boolean
      }>('robots-meta')
      expect(all.length).toBe(16)
      for (const { headers, body, noindex, nofollow } of all) {
        const page = extractPage(body, 'http://example.org/', { headers })
        expect({ body, noindex: page.noindex, nofollow: page.nofollow }).toEqual({ body, noindex, nofollow })
      }
    },
  )
})

describe('extractLinks', () => {
  it('resolves against the base, keeps http alone, and reads anchors as a reader does', () => {
    const html = `<base href="/dir/"><a href="a.html"> One <b>bold</b>\n &amp; <!-- no --> two<script>no</script></a>
      <a href="mailto:x@y.z">mail</a><a href="javascript:void(0)">js</a><a href="http://[bad">bad</a>
      <area href=//other.org/x rel="noopener NOFOLLOW"><a rel=ugc href=?q>Q</a><iframe src=f></iframe><a>none</a>`
    expect(extractLinks(html, 'https://example.org/page')).toEqual([
      { url: 'https://example.org/dir/a.html', anchor: 'One bold & two', nofollow: false },
      { url: 'https://other.org/x', anchor: '', nofollow: true },
      { url: 'https://example.org/dir/?q', anchor: 'Q', nofollow: true },
      { url: 'https://example.org/dir/f', anchor: '', nofollow: false },
    ])
  })

  it('marks all links of a page that asks robots not to follow', () => {
    const html = '<meta name=robots content="NOFOLLOW"><a href=/x>x</a>'
    expect(extractLinks(html, 'http://example.org/')).toEqual([
      { url: 'http://example.org/x', anchor: 'x', nofollow: true },
    ])
  })

  it('has nothing to resolve against a URL that is none, and does not throw', () => {
    expect(extractLinks('<a href=/x>x</a><a href=http://a.b/>y</a>', 'nonsense')).toEqual([])
  })
})

describe('extractPage', () => {
  it('finds canonical, next, prev, alternates, title and refresh', () => {
    const html = `<title> A &lt;b&gt;
      title </title><title>second</title><link rel=canonical href=/c><link rel="Next" href=/n><link rel=prev href=/p>
      <link rel=alternate hreflang=de href=/de><link rel=alternate type=application/rss+xml href=/feed>
      <meta http-equiv=Refresh content="0; URL='/to'"><svg><title>not this</title></svg>`
    const page = extractPage(html, 'http://example.org/')
    expect(page).toMatchObject({
      title: 'A <b> title',
      canonical: 'http://example.org/c',
      next: 'http://example.org/n',
      prev: 'http://example.org/p',
      alternates: [{ url: 'http://example.org/de', hreflang: 'de' }],
      refresh: { delaySeconds: 0, target: 'http://example.org/to' },
      cut: false,
    })
  })

  it('sends the query of a link in the encoding of its page', () => {
    const html = Buffer.from('<a href="/\xe9?q=\xe9#\xe9">x</a>', 'latin1')
    const links = (charset: string): string[] =>
      extractPage(html, 'http://example.org/', {
        headers: { 'content-type': `text/html;charset=${charset}` },
      }).links.map(({ url }) => url)
    expect(links('windows-1252')).toEqual(['http://example.org/%C3%A9?q=%E9#%C3%A9'])
    expect(links('koi8-r')).toEqual(['http://example.org/%D0%98?q=%E9#%D0%98'])
  })
})

describe('robotsDirectives', () => {
  it.each<[string | string[], string[], boolean, boolean]>([
    ['rankward: noindex', [], true, false],
    ['otherbot: noindex', [], false, false],
    ['otherbot: noindex, nofollow', [], false, false],
    ['nofollow, otherbot: noindex', [], false, true],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', [], true, false],
    ['*: none', [], true, true],
    [['all', 'NoFollow'], [], false, true],
    ['', ['index,follow', 'noindex'], true, false],
    ['max-snippet: 0', [' none '], true, true],
  ])('%j and %j', (header, metas, noindex, nofollow) => {
    expect(robotsDirectives({ 'x-robots-tag': header }, metas)).toEqual({ noindex, nofollow })
  })
})
