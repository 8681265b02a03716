/** Pages that need JavaScript, with a real Chromium. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, explain, type CrawlOptions } from '../src/index.ts'
import { chromiumNote, withoutChromium } from './support/chromium.ts'
import {
  pageWith,
  serveSmall,
  type SmallAnswer,
  type SmallSites,
  type SmallWeb,
} from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const js = (body: string): SmallAnswer => ({ headers: { 'content-type': 'text/javascript' }, body })
const json = (value: unknown): SmallAnswer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

const open: SmallWeb[] = []
afterEach(async () => {
  for (const web of open.splice(0)) await web.close()
})
async function serve(sites: SmallSites): Promise<SmallWeb> {
  const web = await serveSmall(sites)
  open.push(web)
  return web
}

let runs = 0
async function rendered(web: SmallWeb, seed: string, options: Partial<CrawlOptions> = {}) {
  const out = join(folder, `crawl-${runs++}`)
  const running = crawl({
    seeds: [web.url(seed)],
    out,
    allowPrivate: true,
    wait: 0,
    render: 'always',
    renderNoSandbox: true,
    ...options,
  })
  const pages = new Map<string, { title: string; text: string; html: string; source: string }>()
  for await (const { url, title, text, html, source } of running)
    pages.set(url.replace(/^http:\/\/([^:/]*):\d+/, '$1'), { title, text, html, source })
  return { out, pages, totals: await running.totals }
}

describe.skipIf(withoutChromium)(`pages that need JavaScript${chromiumNote}`, () => {
  it('links, text and title that a script makes count, with those of the source', async () => {
    const web = await serve({
      '127.61.0.1': {
        '/': `<!doctype html><title>shell</title><a href="/static">s</a><div id="root"></div><script src="/app.js"></script>`,
        '/app.js': js(`fetch('/data.json').then((r) => r.json()).then(({ links }) => {
          document.title = 'made'
          document.getElementById('root').innerHTML = links.map((l) => '<a href="' + l + '">' + l + '</a>').join('')
        })`),
        '/data.json': json({ links: ['/a', '/b'] }),
        '/static': pageWith('static'),
        '/a': pageWith('a'),
        '/b': pageWith('b'),
      },
    })
    const { out, pages, totals } = await rendered(web, '127.61.0.1/')
    expect([...pages.keys()].toSorted()).toEqual([
      '127.61.0.1/',
      '127.61.0.1/a',
      '127.61.0.1/b',
      '127.61.0.1/static',
    ])
    expect(pages.get('127.61.0.1/')).toMatchObject({ title: 'made' })
    expect(pages.get('127.61.0.1/')?.html).toContain('href="/a"')
    expect(pages.get('127.61.0.1/')?.source).not.toContain('href="/a"')
    expect(totals.render).toMatchObject({ rendered: 1, failed: 0, links: 2, requests: 2 })
    const explanation = await explain(out, web.url('127.61.0.1/'))
    expect(explanation.outcome?.render).toBe('done')
    expect(explanation.rendering).toMatchObject({
      look: 'shell',
      reason: 'asked',
      gain: { links: 2, newLinks: 2 },
    })
  })
})
