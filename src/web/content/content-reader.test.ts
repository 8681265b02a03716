import { describe, expect, it } from 'vitest'
import { ContentReader } from './content-reader.ts'
import { hostilePages } from './hostile-pages.cases.ts'
import { mainContent, siteTemplate } from './main-content.ts'

const sentence = 'The engine fetches the important pages first, and it can say how much of the web it holds.'
const paragraphs = Array.from({ length: 8 }, (_, i) => `<p>Paragraph ${i}. ${sentence} ${sentence}</p>`).join(
  '\n',
)
const menu = ['Home', 'Products', 'About us', 'Contact', 'Login']
  .map((name) => `<li><a href="/${name}">${name}</a></li>`)
  .join('')

function page(content: string, footer = ''): string {
  return `<!doctype html><html lang="en"><head><title>How it works | Site</title>
<meta name="author" content="Ada L."><meta property="article:published_time" content="2026-11-16T09:30:00+01:00">
<link rel="license" href="/licence"><meta name="description" content="What it does"></head>
<body><header class="site-header"><nav class="menu"><ul>${menu}</ul></nav></header>
<main><article class="post-content"><h1>How it works</h1>${content}</article></main>
<footer class="site-footer"><p>© 2026 Site. All rights reserved. <a href="/privacy">Privacy policy</a></p>${footer}</footer></body></html>`
}

const url = 'https://site.example/blog/how-it-works'

describe('mainContent', () => {
  it('keeps the text and leaves out menu and footer', () => {
    const { text, type, blocks } = mainContent(page(paragraphs), { url })
    expect(text).toContain('Paragraph 0. The engine')
    expect(text).toContain('Paragraph 7. The engine')
    expect(text).not.toContain('Products')
    expect(text).not.toContain('All rights reserved')
    expect(type).toBe('article')
    expect(blocks.filter(({ kind }) => kind === 'paragraph').length).toBeGreaterThanOrEqual(8)
  })

  it('reads metadata', () => {
    const { title, author, publishedAt, description, language, license } = mainContent(page(paragraphs), {
      url,
    })
    expect({ title, author, publishedAt, description, language, license }).toEqual({
      title: 'How it works',
      author: 'Ada L.',
      publishedAt: '2026-11-16T08:30:00Z',
      description: 'What it does',
      language: 'en',
      license: 'https://site.example/licence',
    })
  })

  it('prefers JSON-LD and survives broken and hostile JSON-LD', () => {
    const good = {
      '@type': 'NewsArticle',
      headline: 'Real title',
      author: [{ name: 'A' }, { name: 'B' }],
      datePublished: '2025-01-02',
    }
    const script = (text: string): string => `<script type="application/ld+json">${text}</script>`
    const deep = '['.repeat(200_000)
    const { author, publishedAt } = mainContent(
      page(
        script('{broken') +
          script(deep) +
          script(JSON.stringify({ '@graph': [{ '@type': 'Organization', name: 'Site' }, good] })) +
          paragraphs,
      ),
      { url },
    )
    expect(author).toBe('A, B')
    expect(publishedAt).toBe('2025-01-02')
  })

  it('decodes bytes by their declared encoding', () => {
    const html = page(paragraphs.replaceAll('engine', 'moteur à café'))
    const { text } = mainContent(Buffer.from(html, 'latin1'), {
      url,
      contentType: 'text/html; charset=iso-8859-1',
    })
    expect(text).toContain('moteur à café')
  })

  it('reads pages whose encoding is declared wrongly, not known, or broken', () => {
    const html = page(paragraphs.replaceAll('engine', 'café'))
    const read = (bytes: Uint8Array, charset: string): string =>
      mainContent(bytes, { url, contentType: `text/html; charset=${charset}` }).text
    const utf8 = Buffer.from(html)
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8])
    const utf16 = Buffer.from(`\uFEFF${html}`, 'utf16le')
    // A byte order mark counts more than what is declared.
    expect(read(marked, 'iso-8859-1')).toContain('The café fetches')
    expect(read(utf16, 'utf-8')).toContain('The café fetches')
    expect(read(utf8, 'no-such-charset')).toContain('The café fetches')
    // Of a wrong one, only what is not ASCII is lost.
    const declared = Array.from(['iso-8859-1', 'windows-1251', 'shift_jis', 'utf-7'], (name) =>
      read(utf8, name),
    )
    declared.push(read(Buffer.from(html, 'latin1'), 'utf-8'), read(utf8.subarray(0, -7), 'utf-8'))
    for (const text of declared) expect(text).toContain('fetches the important pages first')
  })

  it('reads a page that is one table', () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) =>
        `<tr><td>Town ${i}</td><td>${1000 + i} people</td><td>Number ${i} by the river, with ${i + 2} old bridges.</td></tr>`,
    )
    const table = `<table><tr><th>Name</th><th>People</th><th>About</th></tr>${rows.join('')}</table>`
    const { text, markdown } = mainContent(`<title>Towns</title>${table}`, { url })
    for (const i of [0, 20, 39]) expect(text).toContain(`${1000 + i} people`)
    expect(markdown).toContain('| Town 39 | 1039 people | Number 39 by the river, with 41 old bridges. |')
  })

  it('separates words of neighbouring boxes, not of formatted letters', () => {
    const reader = new ContentReader()
    reader.read('<p><span>one</span><span>two</span> <b>T</b>hree <span>F</span>our<br>five</p>', url)
    reader.taken.fill(1)
    expect(reader.text()).toBe('one two Three Four five')
  })

  it('gives nothing for pages without text', () => {
    for (const html of [
      '',
      '<',
      '<!--',
      '<p',
      '</',
      '<script>',
      '<svg>',
      '<html><body></body></html>',
      '&',
      '<a href="',
      '\0',
    ]) {
      expect(mainContent(html, { url: '' }).text.length).toBeLessThan(3)
    }
  })

  it('knows the frame of a site from its pages', () => {
    const notice =
      'Our shop in the old town is open every day from nine to six, and we are glad to help you choose. Come and see us, bring a friend, and stay for a coffee by the window.'
    const pages = Array.from({ length: 12 }, (_, i) =>
      page(`<p>${notice}</p>${paragraphs.replaceAll('Paragraph', `Text ${i} of`)}`),
    )
    const alone = mainContent(pages[0], { url })
    const known = mainContent(pages[0], { url }, siteTemplate(pages))
    expect(alone.text).toContain('Our shop in the old town')
    expect(known.text).not.toContain('Our shop in the old town')
    expect(known.text).toContain('Text 0 of 7. The engine')
    expect(mainContent(pages[0], { url }, siteTemplate(pages.slice(0, 7))).text).toContain('Our shop')
  })
})

/** test/linear-work.test.ts compares the work at two sizes. */
it.each(hostilePages)('hostile pages are read to their end: %s', (_, size, html) => {
  const { text, markdown } = mainContent(html(size), { url })
  expect(typeof text + typeof markdown).toBe('stringstring')
})
