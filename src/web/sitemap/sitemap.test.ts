import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { cpuSeconds, secondsSince } from '../../../test/cpu-time.ts'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { parseSitemap, SitemapReader } from './sitemap-reader.ts'

const at = 'http://h/sitemap.xml'

function urlset(...locs: string[]): string {
  return `<?xml version="1.0"?><urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
}

function urlsOf(content: string | Uint8Array): string[] {
  return parseSitemap(content, at).urls.map(({ url }) => url)
}

describe('parseSitemap', () => {
  it('reads pages with what is said about them', () => {
    const xml = `<s:urlset xmlns:s="x"><s:url><s:loc> http://h/a?b&amp;c=&#x41; </s:loc><s:lastmod>2026-01-02</s:lastmod>
      <s:changefreq>daily</s:changefreq><s:priority>0.8</s:priority><i:image><i:loc>http://h/i.png</i:loc></i:image>
      <x:link rel="alternate" hreflang="de" href="/de"/></s:url><url><loc>https://other/</loc><priority>7</priority></url>`
    expect(parseSitemap(xml, at)).toEqual({
      kind: 'urlset',
      urls: [
        {
          url: 'http://h/a?b&c=A',
          foreign: false,
          lastModified: '2026-01-02',
          changeFrequency: 'daily',
          priority: 0.8,
          alternates: ['http://h/de'],
        },
        { url: 'https://other/', foreign: true },
      ],
      sitemaps: [],
      sitemapDates: [],
      truncated: false,
    })
  })

  it('reads an index, and an index of indexes as names alone', () => {
    const xml =
      '<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2026-01-02</lastmod></sitemap><sitemap><loc>http://h/sitemap.xml</loc></sitemap>'
    expect(parseSitemap(xml, at)).toEqual({
      kind: 'index',
      urls: [],
      sitemaps: ['http://h/a.xml', 'http://h/sitemap.xml'],
      sitemapDates: ['2026-01-02', undefined],
      truncated: false,
    })
  })

  it('loses nothing by entries with several addresses, with none, with a bad one, or without an entry around them', () => {
    const xml = `<sitemapindex><sitemap><loc>/a.xml</loc><loc>/b.xml</loc><lastmod>2026</lastmod></sitemap><sitemap></sitemap><sitemap/>
      <sitemap><lastmod>2025</lastmod></sitemap><sitemap><loc></loc><loc> </loc></sitemap><loc>/c.xml</loc><sitemap><loc>http://[bad</loc><loc>/d.xml</loc></sitemap>
      <sitemap><loc>/e.xml<loc>/f.xml</sitemap><sitemap><loc>/g.xml</loc><sitemap><loc/><loc>/h.xml</loc></sitemap></sitemap><loc>/i.xml</loc></sitemapindex>`
    expect(parseSitemap(xml, at).sitemaps).toEqual(
      'a b c d e f g h i'.split(' ').map((name) => `http://h/${name}.xml`),
    )
    const pages = `<urlset><url><loc>/a</loc><priority>0.5</priority><loc>/b</loc></url><url><priority>1</priority></url><loc>/c</loc>
      <url><link rel="alternate" href="/d"/><link rel="alternate" href="/e"/></url><url><loc>/f</loc></url></urlset>`
    expect(parseSitemap(pages, at).urls).toEqual([
      { url: 'http://h/a', foreign: false, priority: 0.5 },
      { url: 'http://h/b', foreign: false, priority: 0.5 },
      { url: 'http://h/c', foreign: false },
      { url: 'http://h/d', foreign: false, alternates: ['http://h/d', 'http://h/e'] },
      { url: 'http://h/f', foreign: false },
    ])
    const many = Array.from({ length: 2_500 }, (_, i) => `<loc>/${i}.xml</loc>`)
    const one = `<sitemapindex><sitemap>${many.join('')}</sitemap><sitemap><loc>/last.xml</loc></sitemap></sitemapindex>`
    expect(parseSitemap(one, at).sitemaps).toHaveLength(2_501)
  })

  it('reads a list of lines', () => {
    const text = '\uFEFFhttp://h/a\r\n  http://h/b  \n\nno url\nftp://h/\nhttp://h/c'
    expect(parseSitemap(text, at)).toMatchObject({ kind: 'text', truncated: false })
    expect(urlsOf(Buffer.from(text))).toEqual(['http://h/a', 'http://h/b', 'http://h/c'])
  })

  it('reads RSS 1 and 2 and Atom', () => {
    const rss = `<rss><channel><link>http://h/</link><image><url>http://h/i</url><link>http://h/</link></image>
      <item><title><![CDATA[<link>x</link>]]></title><link><![CDATA[http://h/1?a&b]]></link><pubDate>Mon</pubDate></item>
      <item><guid>http://h/2</guid></item><item><guid isPermaLink="false">http://h/3</guid></item><item><guid>4</guid></item>`
    expect(parseSitemap(rss, at)).toMatchObject({
      kind: 'feed',
      urls: [{ url: 'http://h/1?a&b', lastModified: 'Mon' }, { url: 'http://h/2' }],
    })
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://h/"/><entry><link rel="self" href="/x"/>
      <link rel='alternate' href='/1'/><updated>2026</updated><published>2025</published></entry></feed>`
    expect(parseSitemap(atom, at).urls).toEqual([{ url: 'http://h/1', foreign: false, lastModified: '2026' }])
    const rdf =
      '<rdf:RDF><channel><link>http://h/</link></channel><item><link>http://h/1</link></item></rdf:RDF>'
    expect(urlsOf(rdf)).toEqual(['http://h/1'])
  })

  it('tells gzip and encodings by content', () => {
    const xml = urlset('http://h/é')
    const wanted = ['http://h/%C3%A9']
    expect(urlsOf(gzipSync(xml))).toEqual(wanted)
    expect(urlsOf(gzipSync(gzipSync(xml)))).toEqual(wanted)
    expect(urlsOf(Buffer.from(`\uFEFF${xml}`))).toEqual(wanted)
    expect(urlsOf(Buffer.from(`\uFEFF${xml}`, 'utf16le'))).toEqual(wanted)
    const latin1 = xml.replace('?>', ' encoding="ISO-8859-1"?>')
    expect(urlsOf(Buffer.from(latin1, 'latin1'))).toEqual(wanted)
  })

  it('gives what could be read of a broken document', () => {
    expect(
      urlsOf('<urlset><url><loc>http://h/1</loc></url><url><loc>http://h/2</loc><url><loc>http://h/3'),
    ).toEqual(['http://h/1', 'http://h/2'])
    expect(
      urlsOf('<urlset><url><loc>http://h/1<lastmod>x</lastmod></url><url>< & <loc>http://h/2</loc>'),
    ).toEqual(['http://h/1', 'http://h/2'])
    expect(urlsOf('<html><body><a href="http://h/">x</a>')).toEqual([])
    expect(urlsOf('')).toEqual([])
    expect(parseSitemap(urlset('/a'), 'no url').urls).toEqual([])
  })

  it('loses no other address by an unescaped & in one', () => {
    expect(urlsOf(urlset('http://h/?a=1&b=2', 'http://h/2'))).toEqual(['http://h/?a=1&b=2', 'http://h/2'])
  })

  it('reads the same whole and in pieces of any length', () => {
    const xml = `<!-- <url> --><!DOCTYPE urlset [<!ENTITY a "]">]>${urlset(...Array.from({ length: 40 }, (_, i) => `http://h/${i}?a&amp;<![CDATA[b]]&c]]>`))}`
    const whole = parseSitemap(xml, at)
    expect(whole.urls.length).toBe(40)
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
        fc.boolean(),
        (lengths, asText) => {
          const reader = new SitemapReader(at)
          const bytes = Buffer.from(xml)
          for (let from = 0, i = 0; from < bytes.length; from += lengths[i++ % lengths.length]) {
            const chunk = bytes.subarray(from, from + lengths[i % lengths.length])
            reader.push(asText ? chunk.toString() : chunk)
          }
          expect(reader.end()).toEqual(whole)
        },
      ),
      seeded(200),
    )
  })

  it('answers anything', () => {
    const piece = fc.constantFrom(
      ...'<urlset> <url> <loc> http://h/ </loc> </url> <!-- --> <![CDATA[ ]]> <? ?> <! < > & &amp; " [ ] / x'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const sitemap = parseSitemap(pieces.join(''), at)
        expect(sitemap.urls.every(({ url }) => url.startsWith('http://h/'))).toBe(true)
      }),
      seeded(2000),
    )
  })
})

describe('a hostile sitemap', () => {
  it('is read up to 50,000 URLs', () => {
    const locs = Array.from({ length: 60_000 }, (_, i) => `http://h/${i}`)
    for (const content of [urlset(...locs), locs.join('\n'), gzipSync(urlset(...locs))]) {
      const sitemap = parseSitemap(content, at)
      expect([sitemap.urls.length, sitemap.truncated]).toEqual([50_000, true])
    }
    const full = parseSitemap(urlset(...locs.slice(0, 50_000)), at)
    expect([full.urls.length, full.truncated]).toEqual([50_000, false])
  })

  it('is read up to its bytes, without half a URL', () => {
    const lines = 'http://h/aaaaaaaaa\n'.repeat(100)
    for (const content of [lines, Buffer.from(lines), gzipSync(lines)]) {
      const sitemap = parseSitemap(content, at, { bytesMax: 1000 })
      expect(sitemap.truncated).toBe(true)
      expect(new Set(sitemap.urls.map(({ url }) => url))).toEqual(new Set(['http://h/aaaaaaaaa']))
      expect(sitemap.urls.length).toBeGreaterThanOrEqual(40)
      expect(sitemap.urls.length).toBeLessThanOrEqual(1000 / 19)
    }
  })

  it('does not blow up: a gzip bomb gives its start', () => {
    const bomb = gzipSync(
      Buffer.concat([
        Buffer.from('<urlset><url><loc>http://h/1</loc></url>'),
        Buffer.alloc(30_000_000, 0x20),
      ]),
    )
    const start = process.cpuUsage()
    const sitemap = parseSitemap(bomb, at, { bytesMax: 1_000_000 })
    expect(sitemap.urls).toEqual([{ url: 'http://h/1', foreign: false }])
    expect(sitemap.truncated).toBe(true)
    expect(secondsSince(start)).toBeLessThan(5)
  })

  it('gives the start of a gzip file that is cut off or damaged', () => {
    const locs = Array.from({ length: 5000 }, (_, i) => `http://h/${i * 7919}`)
    const whole = gzipSync(urlset(...locs))
    const damaged = Buffer.from(whole)
    damaged.fill(0xff, whole.length >> 1, (whole.length >> 1) + 200)
    for (const content of [whole.subarray(0, whole.length >> 1), damaged]) {
      const sitemap = parseSitemap(content, at)
      expect(sitemap.truncated).toBe(true)
      expect(sitemap.urls.length).toBeGreaterThan(1500)
      expect(sitemap.urls.slice(0, 1500).map(({ url }) => url)).toEqual(locs.slice(0, 1500))
    }
    expect(parseSitemap(Buffer.from([0x1f, 0x8b, 1, 2, 3]), at).urls).toEqual([])
  })

  it('has no entities of its own', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`
    expect(urlsOf(bomb + urlset('http://h/&b;1', 'http://h/&x;2', 'http://h/&#0;&#1114112;3'))).toEqual([
      'http://h/1',
      'http://h/2',
      'http://h/3',
    ])
  })

  it.each([
    ['<', '<'],
    ['<a', '<a'],
    ['<!', '<!'],
    ['<![', '<!['],
    ['<!DOCTYPE [', '<!DOCTYPE ['],
    ['<a "', '<a "'],
    ['<urlset><url><link', ' a'],
    ['<urlset><url><loc>', '&a'],
    ['<urlset>', '<url>'],
    ['<urlset>', '<a></b>'],
    ['', 'http://h/'],
  ])('takes linear time: %s and then a million times %s', (start, repeated) => {
    const text = start + repeated.repeat(1_000_000)
    expect(cpuSeconds(() => parseSitemap(text, at))).toBeLessThan(10)
  })
})

interface SampleCase {
  name: string
  body?: string
  bodyBase64?: string
  index: boolean | null
  urls: string[]
}

interface ScrapyCase {
  name: string
  body: string
  index: boolean | null
  entries: { loc: string; lastmod?: string; changefreq?: string; priority?: string; alternate?: string[] }[]
}

const folder = 'conformance/sitemaps'
const missing = absent(folder)
const reason = missing ? ' (skipped: ../shared/conformance/sitemaps is absent)' : ''

describe.skipIf(missing)(`sitemaps as others test them${reason}`, () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(sharedPath(`${folder}/${name}`), 'utf8'))

  it('reads the samples', () => {
    for (const one of read('samples.json') as SampleCase[]) {
      const sitemap = parseSitemap(one.body ?? Buffer.from(one.bodyBase64 ?? '', 'base64'), at)
      expect(sitemap.kind).toBe(one.index === true ? 'index' : 'urlset')
      expect(one.index === true ? sitemap.sitemaps : sitemap.urls.map(({ url }) => url)).toEqual(one.urls)
    }
  })

  it("reads Scrapy's cases", () => {
    for (const one of read('scrapy-sitemap.json') as ScrapyCase[]) {
      const sitemap = parseSitemap(one.body, at)
      if (one.index !== null) expect(sitemap.kind).toBe(one.index ? 'index' : 'urlset')
      const links = sitemap.kind === 'index' ? sitemap.sitemaps : sitemap.urls.map(({ url }) => url)
      expect(links).toEqual(one.entries.map(({ loc }) => loc))
      for (const [i, url] of sitemap.urls.entries()) {
        const { lastmod, changefreq, priority, alternate } = one.entries[i]
        expect(url.lastModified ?? '').toBe(lastmod ?? '')
        expect(url.changeFrequency).toBe(changefreq)
        expect(url.priority).toBe(priority === undefined ? undefined : Number(priority))
        expect(url.alternates).toEqual(alternate)
      }
    }
  })
})
