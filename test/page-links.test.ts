/** Links that only some elements or some types of document have, over HTTP: each leads to a page that nothing else links to. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { serveSmall, type SmallPage } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const home = '127.1.0.1'

const xhtml = (body: string): SmallPage => ({
  headers: { 'content-type': 'application/xhtml+xml' },
  body: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/><title>x</title></head><body>${body}</body></html>`,
})

const starts: Readonly<Record<string, SmallPage>> = {
  'noscript in body': '<p>Body</p><noscript><a href="/goal">goal</a></noscript>',
  'a refresh in noscript in head':
    '<head><noscript><meta http-equiv=refresh content="0; url=/goal"></noscript></head><p>Wait',
  'XHTML after <script/>': xhtml('<p><a href="/goal">goal</a></p>'),
  'SVG in XHTML': xhtml(
    '<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="/goal"><text>goal</text></a></svg>',
  ),
  'SVG in HTML, href': '<p>Map</p><svg><a href="/goal"><text>goal</text></a></svg>',
  'SVG in HTML, xlink:href': '<p>Map</p><svg><g><a xlink:href="/goal"><text>goal</text></a></g></svg>',
}

it.each(Object.entries(starts))('a link in %s is followed', async (name, page) => {
  const web = await serveSmall({ [home]: { '/': page, '/goal': '<p>The goal' } })
  try {
    const out = join(folder, name.replaceAll(/\W/g, '-'))
    const seeds = [web.url(`${home}/`)]
    const totals = await crawl({ seeds, out, wait: 0, allowPrivate: true, threads: 1, warc: false }).run()
    expect(web.asked).toEqual([`${home}/robots.txt`, `${home}/`, `${home}/goal`])
    expect(totals).toMatchObject({ pages: 2, failed: 0 })
  } finally {
    await web.close()
  }
})
