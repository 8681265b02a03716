/** H104: sitemaps that bite. Each site's robots.txt names its own. */
/* oxlint-disable vitest/no-standalone-expect -- hostile.test.ts calls these within its tests */
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour } from './hostile-web.ts'
import { answerBytes, html } from './raw-answers.ts'

const urlset = (...urls: string[]): string =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const index = (...urls: string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`

/** A site whose sitemaps are these by path; every other path is a page. */
function site(
  what: string,
  sitemaps: Answer,
  expected: Behaviour['expected'],
  robots = 'Sitemap: /map',
): Behaviour {
  return {
    id: 'H104',
    what,
    expected,
    robots: (socket) => socket.write(answerBytes('200 OK', [], robots)),
    answer: (socket, request) => {
      if (request.path.startsWith('/map')) sitemaps(socket, request)
      else html(socket, pageWith(request.path))
    },
  }
}

const xml =
  (body: string | Uint8Array, ...headers: string[]): Answer =>
  (socket) =>
    socket.write(answerBytes('200 OK', ['Content-Type: application/xml', ...headers], body))
const pages =
  (...paths: string[]): Behaviour['expected'] =>
  ({ asked }) =>
    expect(asked.filter((path) => !path.startsWith('/map')).toSorted()).toEqual(['/', ...paths].toSorted())

const entities = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
<urlset><url><loc>/&d;&d;&d;</loc></url><url><loc>/&x;</loc></url><url><loc>/good</loc></url></urlset>`

export const sitemaps: readonly Behaviour[] = [
  site('an index of itself', xml(index('/map', '/map')), ({ asked }) => expect(asked).toEqual(['/map', '/'])),
  site(
    'an index a hundred deep',
    (socket, request) => {
      const depth = Number(request.path.slice(4))
      xml(depth < 100 ? index(`/map${depth + 1}`) : urlset('/deep'))(socket, request)
    },
    ({ asked }) => expect(asked.length).toBeLessThanOrEqual(103),
  ),
  site('a bomb', xml(gzipSync(urlset('/first') + ' '.repeat(50_000_000))), pages('/first')),
  site(
    'a bomb in a coding',
    xml(gzipSync(gzipSync(urlset('/first') + ' '.repeat(50_000_000))), 'Content-Encoding: gzip'),
    pages('/first'),
  ),
  site('entities within entities, and of files', xml(entities), ({ asked, records }) => {
    expect(asked).toContain('/good')
    expect([...records.keys()].filter((path) => /root|hahaha/.test(path))).toEqual([])
  }),
  site(
    'pages of other hosts and of no host',
    (socket, request) => xml(urlset('http://other.invalid/', 'file:///etc/passwd', '/mine'))(socket, request),
    pages('/mine'),
  ),
  site('no XML', xml('{"urls": ["/json"]}'), pages()),
  site('HTML', xml(pageWith('not found', '/html')), pages()),
  site('one that is cut off', xml(urlset('/whole', '/half').slice(0, -25)), ({ asked }) =>
    expect(asked).toContain('/whole'),
  ),
  site(
    'the year 9999 and other dates',
    xml(
      `<urlset><url><loc>/dated</loc><lastmod>9999-99-99</lastmod><priority>1e999</priority></url></urlset>`,
    ),
    pages('/dated'),
  ),
  site(
    'a name without end',
    xml(`<urlset><url><loc>/${'x'.repeat(100_000)}</loc></url><url><loc>/short</loc></url></urlset>`),
    pages('/short'),
  ),
  site(
    'elements that never end',
    xml(`<urlset>${'<url>'.repeat(20_000)}<loc>/nested</loc>${'<![CDATA['.repeat(5000)}`),
    ({ asked }) => expect(asked[0]).toBe('/map'),
  ),
  { ...site('nothing that comes', () => {}, pages()), hangs: true },
  site(
    'thousands of sitemaps named in robots.txt',
    xml('<urlset/>'),
    ({ asked }) => expect(asked.length).toBeLessThanOrEqual(1001),
    Array.from({ length: 3000 }, (_, i) => `Sitemap: /map${i}`).join('\n'),
  ),
  site(
    'credentials and other schemes in robots.txt',
    xml(urlset('/never')),
    ({ requests }) => expect(requests.filter(({ head }) => /authorization/i.test(head))).toEqual([]),
    'Sitemap: ftp://h/map\nSitemap: http://u:p@nowhere.invalid/map\nSitemap: javascript:1',
  ),
]
