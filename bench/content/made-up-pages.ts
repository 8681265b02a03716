/** Small made-up pages with a menu, a text, comments and a footer, for benchmarks at their small size and for tests. */
import { seededRandom } from '../../src/lib/random.ts'
import type { AnnotatedPage } from './pages.ts'

const vocabulary =
  'stone river paper light garden winter market engine window letter number silver station harbour table'.split(
    ' ',
  )

export function* madeUpPages(count: number): Generator<AnnotatedPage> {
  const random = seededRandom(11)
  const word = (): string => vocabulary[random.below(vocabulary.length)]
  const sentence = (): string =>
    `${Array.from({ length: 8 + random.below(12) }, word).join(' ')}, ${Array.from({ length: 4 }, word).join(' ')}.`
  for (let page = 0; page < count; page++) {
    const paragraphs = Array.from({ length: 2 + random.below(6) }, () =>
      Array.from({ length: 1 + random.below(4) }, sentence).join(' '),
    )
    const title = `${word()} and ${word()} ${page}`
    const menu = Array.from({ length: 8 }, () => `<li><a href="/${word()}">${word()}</a></li>`).join('')
    const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n')
    const html = `<!doctype html><html lang="en"><head><title>${title} | Site</title></head><body>
<nav class="menu"><ul>${menu}</ul></nav><div class="content"><h1>${title}</h1>${body}</div>
<aside class="sidebar">${menu}</aside><footer class="footer"><p>Copyright ${word()}, all rights reserved.</p></footer></body></html>`
    yield {
      id: String(page),
      url: `https://site-${page % 20}.example/${page}`,
      type: page % 3 === 0 ? 'documentation' : 'article',
      title,
      author: null,
      date: null,
      content: [title, ...paragraphs].join('\n\n'),
      with: [],
      without: [],
      html,
    }
  }
}
