import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extractLinks } from '../../src/web/html/page.ts'
import { type Answer, ask } from './ask.ts'
import { withPlainHttp } from './content-pages.ts'
import {
  type Content,
  contentNote,
  type ContentWeb,
  readContent,
  serveContent,
  withoutContent,
} from './content-web.ts'

describe('https in a page', () => {
  const hosts = new Set(['a.uci.edu'])

  it.each([
    ['<a href="https://a.uci.edu/x">', '<a href="http://a.uci.edu/x">'],
    ['<a href="HTTPS://A.UCI.EDU">', '<a href="http://A.UCI.EDU">'],
    ['<a href="https://b.uci.edu/x">', '<a href="https://b.uci.edu/x">'],
    ['<a href="https://a.uci.edu.example/">', '<a href="https://a.uci.edu.example/">'],
    ['<a href="https://www.a.uci.edu/">', '<a href="https://www.a.uci.edu/">'],
    ['https://b.example/?u=https://a.uci.edu/', 'https://b.example/?u=http://a.uci.edu/'],
  ])('%s becomes %s', (before, after) => {
    expect(withPlainHttp(before, hosts)).toBe(after)
  })
})

/** Small sites early in the file, one by https and one by http. */
const hosts = ['aiclub.ics.uci.edu', 'alderis.ics.uci.edu']

describe.skipIf(withoutContent)(`the uci-ics pages${contentNote}`, () => {
  let content: Content
  let web: ContentWeb
  beforeAll(async () => {
    content = await readContent({ hosts })
    web = await serveContent(content, { robots: (host) => (host === hosts[0] ? 'User-agent: *' : undefined) })
  })
  afterAll(() => web?.close())

  /** What a crawler does that connects every host to one address. */
  const asked = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(url, { headers, connectTo: web.connectTo })

  it('are found under their own hosts, with the links that the graph file has', async () => {
    const urls = [...content.urls()]
    expect(new Set(urls.map((url) => new URL(url).host))).toEqual(new Set(hosts))
    for (const url of urls) {
      const { status, headers, body } = await asked(url)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      const page = content.pageOf(url)!
      const found = extractLinks(body.toString(), url).map((link) => content.pageOf(link.url))
      const known = new Set(found.filter((target) => target !== undefined && target !== page))
      expect([...known].toSorted((a, b) => a! - b!)).toEqual(content.expectedLinks(page))
    }
  })

  it('lead by http to the hosts that are served', () => {
    for (const url of content.urls()) {
      for (const link of extractLinks(content.pages.html(content.pageOf(url)!)!, url)) {
        if (content.hosts.has(new URL(link.url).host)) expect(link.url).toMatch(/^http:/)
      }
    }
  })

  it('come compressed to those who say they can read that', async () => {
    const [url] = content.urls()
    const plain = await asked(url)
    const packed = await asked(url, { 'accept-encoding': 'gzip, br' })
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
      undefined,
      'gzip',
    ])
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
  })

  it('have URLs by which they are found again, whatever the scheme and the spelling of escapes', () => {
    expect(content.web.graph.pages).toBe(53_765)
    for (let page = 0; page < content.web.graph.pages; page += 7) {
      expect(content.pageOf(content.urlOf(page))).toBe(page)
      expect(content.pageOf(content.web.urls!.at(page))).toBe(page)
    }
    const tilde = [...Array(53_765).keys()].find((page) => content.urlOf(page).includes('/~'))!
    expect(content.pageOf(content.urlOf(tilde).replace('/~', '/%7e'))).toBe(tilde)
  })

  it.each([
    ['a path that is not there', `http://${hosts[0]}/none`],
    ['the path of another host', `http://${hosts[0]}/amba2.html`],
    ['a host that is not there', 'http://none.example/'],
    ['a page whose text was not read', 'http://www.ics.uci.edu/'],
    ['robots.txt of a host without', `http://${hosts[1]}/robots.txt`],
  ])('answer 404 for %s', async (_, url) => {
    expect((await asked(url)).status).toBe(404)
  })

  it('have a robots.txt where one is given', async () => {
    expect((await asked(`http://${hosts[0]}/robots.txt`)).body.toString()).toBe('User-agent: *')
  })

  it('are logged by host', async () => {
    const before = web.accesses.length
    await asked(`http://${hosts[1]}/`, { host: `${hosts[1].toUpperCase()}:80`, 'user-agent': 'tester/1.0' })
    expect(web.accesses.slice(before)).toMatchObject([
      { site: hosts[1], path: '/', status: 200, userAgent: 'tester/1.0' },
    ])
  })
})
