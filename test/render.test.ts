/** Pages that need JavaScript, with a real Chromium. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  crawl,
  dataset,
  explain,
  exportCrawl,
  recrawl,
  resumeCrawl,
  verify,
  type CrawlOptions,
} from '../src/index.ts'
import { metricsText } from '../src/crawler/metric-table.ts'
import { render as renderPart } from '../src/crawler/parts/render/part.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import { serve as serveArchive } from '../src/web/replay/replay-server.ts'
import { chromiumNote, newTab, startChromium, withoutChromium } from './support/chromium.ts'
import { gapsBelow, overlaps } from './support/access-log.ts'
import { bundledApps, frameworks, shellOf } from './support/framework-apps.ts'
import {
  pageWith,
  serveSmall,
  type SmallAnswer,
  type SmallPage,
  type SmallSites,
  type SmallWeb,
} from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const script = (body: string): SmallAnswer => ({ headers: { 'content-type': 'text/javascript' }, body })
const json = (value: unknown): SmallAnswer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const words = 'Many words of text that every reader sees without a script. '.repeat(10)

const open: SmallWeb[] = []
afterEach(async () => {
  for (const web of open.splice(0)) await web.close()
})
async function serve(sites: SmallSites): Promise<SmallWeb> {
  const web = await serveSmall(sites)
  open.push(web)
  return web
}

const rendering = {
  allowPrivate: true,
  wait: 0,
  threads: 1,
  render: 'always',
  renderNoSandbox: true,
} as const satisfies Partial<CrawlOptions>

let crawls = 0
async function rendered(web: SmallWeb, seed: string, options: Partial<CrawlOptions> = {}) {
  const out = join(folder, `crawl-${crawls++}`)
  const running = crawl({ seeds: [web.url(seed)], out, ...rendering, ...options })
  const pages = new Map<string, { title: string; text: string; html: string; source: string }>()
  for await (const { url, title, text, html, source } of running)
    pages.set(placeOf(url), { title, text, html, source })
  return { out, pages, totals: await running.totals }
}

const placeOf = (url: string): string => url.replace(/^http:\/\/([^:/]*):\d+/, '$1')
const outcomeOf = async (out: string, web: SmallWeb, place: string): Promise<string | undefined> =>
  (await explain(out, web.url(place))).outcome?.render

describe.skipIf(withoutChromium)(`pages that need JavaScript${chromiumNote}`, () => {
  it('links, text and title that a script makes count, with those of the source; all of it is archived', async () => {
    const host = '127.61.0.1'
    const web = await serve({
      [host]: {
        '/': `<!doctype html><title>shell</title><a href="/static">s</a><div id="root"></div><script src="/app.js"></script>`,
        '/app.js': script(`fetch('/data.json').then((r) => r.json()).then(({ links }) => {
          document.title = 'made'
          document.getElementById('root').innerHTML = 'Grüße' + links.map((l) => '<a href="' + l + '">' + l + '</a>').join('')
        })`),
        '/data.json': json({ links: ['/a', '/b'] }),
        '/static': pageWith('static'),
        '/a': pageWith('a'),
        '/b': pageWith('b'),
      },
    })
    const { out, pages, totals } = await rendered(web, `${host}/`)
    expect([...pages.keys()].toSorted()).toEqual(['/', '/a', '/b', '/static'].map((path) => host + path))
    const { title, html, source, text } = pages.get(`${host}/`)!
    expect({ title, text }).toEqual({ title: 'made', text: expect.stringContaining('Grüße') })
    expect(html).toContain('href="/a"')
    expect(source).not.toContain('href="/a"')
    expect(totals.render).toMatchObject({ rendered: 1, failed: 0, links: 2, requests: 2 })
    const metrics = await metricsText(renderPart.shows!.metrics!, totals)
    expect(metrics.text).toMatch(/^rankward_render_pages_total\{outcome="rendered"\} 1$/m)
    expect(metrics.text).toMatch(/^rankward_render_links_total 2$/m)
    const explanation = await explain(out, web.url(`${host}/`))
    expect(explanation.rendering).toMatchObject({
      look: 'shell',
      reason: 'asked',
      gain: { links: 2, newLinks: 2 },
    })
    // The script and the data were requested once, and their responses are archived like all others.
    const asked = web.asked.filter((place) => !place.endsWith('/robots.txt'))
    expect(asked.toSorted()).toEqual(
      ['/', '/a', '/app.js', '/b', '/data.json', '/static'].map((path) => host + path),
    )
    const warc = join(out, 'warc')
    const files = readdirSync(warc).filter((name) => name.endsWith('.warc.gz'))
    const records = files.flatMap((name) => [...readWarc(join(warc, name))])
    const responses = records.filter(({ type }) => type === 'response')
    expect(
      responses
        .map(({ targetUri }) => placeOf(targetUri!))
        .filter((place) => !place.endsWith('/robots.txt'))
        .toSorted(),
    ).toEqual(asked.toSorted())
    const [conversion, ...others] = records.filter(({ type }) => type === 'conversion')
    expect(others).toEqual([])
    expect(conversion.block.toString()).toContain('Grüße')
    const original = responses.find(({ targetUri }) => placeOf(targetUri!) === `${host}/`)
    expect(conversion.field('WARC-Refers-To')).toContain(original!.id)
    expect((await verify(out)).parts.every(({ damageCount }) => damageCount === 0)).toBe(true)
    await exportCrawl(out, { to: join(out, 'pages.jsonl'), content: ['html', 'source'] })
    const rows = readFileSync(join(out, 'pages.jsonl'), 'utf8').trim().split('\n')
    const row = rows
      .map((line) => JSON.parse(line) as Record<string, string>)
      .find(({ url }) => placeOf(url) === `${host}/`)
    expect(row).toMatchObject({ render: 'done', title: 'made', html: expect.stringContaining('Grüße') })
    expect(row?.source).not.toContain('Grüße')
    const data = join(out, 'data')
    await dataset(out, { to: data, format: 'jsonl' })
    const documents = readdirSync(data).filter((name) => name.startsWith('documents'))
    expect(documents.map((name) => readFileSync(join(data, name), 'utf8')).join('')).toContain('Grüße')
  })

  it('applications of React, Vue, Svelte and an Angular-like one are read whole, and their scripts are requested once', async () => {
    const apps = await bundledApps()
    const hosts = Object.fromEntries(frameworks.map((framework, i) => [framework, `127.61.1.${i + 1}`]))
    const last = 4
    const sites = frameworks.map((framework) => {
      const pages: Record<string, SmallPage> = { [`/assets/${framework}.js`]: script(apps[framework]) }
      for (let n = 0; n <= last; n++) {
        pages[`/p/${n}`] = shellOf(framework)
        const links = n === last ? [] : [`/p/${n + 1}`]
        pages[`/api/p/${n}`] = json({ title: `${framework} ${n}`, text: words, links })
      }
      return [hosts[framework], pages] as const
    })
    const web = await serve(Object.fromEntries(sites))
    const seeds = frameworks.map((framework) => web.url(`${hosts[framework]}/p/0`))
    const { pages, totals } = await rendered(web, `${hosts.react}/p/0`, { seeds, render: 'auto' })
    for (const framework of frameworks)
      for (let n = 0; n <= last; n++)
        expect(pages.get(`${hosts[framework]}/p/${n}`)?.text).toContain(`${framework} ${n}`)
    expect(totals.render).toMatchObject({ rendered: frameworks.length * (last + 1), failed: 0 })
    for (const framework of frameworks)
      expect(
        web.asked.filter((place) => place === `${hosts[framework]}/assets/${framework}.js`),
      ).toHaveLength(1)
  })

  it('a page that scripts make replays from the archive, without its server', async () => {
    const host = '127.61.9.1'
    const apps = await bundledApps()
    const web = await serve({
      [host]: {
        '/': shellOf('react'),
        '/assets/react.js': script(apps.react),
        '/api/': json({ title: 'Replayed', text: words, links: ['/a', '/b'] }),
        '/a': pageWith('a'),
        '/b': pageWith('b'),
      },
    })
    const { out, pages } = await rendered(web, `${host}/`)
    await web.close()
    const archive = await serveArchive([out], { port: 0 })
    const browser = await startChromium()
    try {
      const proxy = { server: archive.url, bypass: '<-loopback>' }
      const tab = await newTab(browser, { proxy })
      await tab.goto(web.url(`${host}/`))
      await tab.waitForSelector('h1')
      expect(await tab.locator('h1').textContent()).toBe('Replayed')
      expect((await tab.locator('#root').innerHTML()).trim()).toBe(
        /<div id="root">(.*)<\/div>/s.exec(pages.get(`${host}/`)!.html)?.[1].trim(),
      )
    } finally {
      await browser.close()
      await archive.close()
    }
  })

  it('auto renders kinds that gain, and leaves the others after a few samples', async () => {
    const host = '127.61.2.1'
    const pages: Record<string, SmallPage> = {
      '/list.js': script(`for (let i = 0; i < 3; i++) {
      const a = document.createElement('a'); a.href = location.pathname.replace('/list/', '/item/') + '-' + i; a.textContent = 'item'; document.body.append(a) }`),
    }
    const seeds: string[] = []
    for (let n = 0; n < 16; n++) {
      // Links that a script makes, in a page with text and a menu.
      pages[`/list/${n}`] =
        `<!doctype html><title>list</title><p>${words} list ${n}</p><a href="/about">about</a><script src="/list.js"></script>`
      // The same without a script, and with one that does nothing.
      pages[`/proof/${n}`] =
        `<!doctype html><title>proof</title><p>${words} proof ${n}</p><a href="/about">about</a>`
      pages[`/plain/${n}`] =
        `<!doctype html><title>plain</title><p>${words} plain ${n}</p><a href="/about">about</a><script>var n = ${n}</script>`
      seeds.push(...['list', 'proof', 'plain'].map((kind) => `${host}/${kind}/${n}`))
      for (let i = 0; i < 3; i++) pages[`/item/${n}-${i}`] = pageWith(`item ${n} ${i}`)
    }
    pages['/about'] = pageWith('about')
    const web = await serve({ [host]: pages })
    const {
      out,
      pages: fetched,
      totals,
    } = await rendered(web, `${host}/about`, {
      seeds: [web.url(`${host}/about`), ...seeds.map((place) => web.url(place))],
      render: 'auto',
      strategy: 'breadth-first',
    })
    const items = [...fetched.keys()].filter((place) => place.includes('/item/'))
    // The first pages of a site are needed to know its menu.
    expect(items.length).toBeGreaterThanOrEqual(3 * 13)
    expect(await outcomeOf(out, web, `${host}/list/15`)).toBe('done')
    expect(await outcomeOf(out, web, `${host}/proof/15`)).toBeUndefined()
    expect(await outcomeOf(out, web, `${host}/plain/15`)).toBe('static')
    expect(totals.render!.rendered).toBeLessThanOrEqual(16 + 11)
    expect(totals.render!.static).toBeGreaterThan(0)
  })

  it('robots.txt, excluded URLs and private addresses hold for requests of a page, and redirects are followed by these rules', async () => {
    const [host, other, hidden] = ['127.61.3.1', '127.61.3.2', '127.61.3.3']
    const made = (id: string): string =>
      `document.body.append(Object.assign(document.createElement('a'), { href: '/${id}', textContent: '${id}' }))`
    const web = await serve({
      [host]: {
        '/robots.txt': {
          headers: { 'content-type': 'text/plain' },
          body: 'User-agent: *\nDisallow: /secret',
        },
        '/': `<!doctype html><title>t</title><div id="root"></div>${['/ok.js', '/secret/a.js', '/to-secret.js', '/moved.js', '/skipped/a.js'].map((src) => `<script src="${src}"></script>`).join('')}<script src="http://${other}:PORT/other.js"></script><script src="http://${hidden}:PORT/hidden.js"></script><script src="/to-hidden.js"></script>`,
        '/ok.js': script(made('ok')),
        '/secret/a.js': script(made('secret')),
        '/to-secret.js': { status: 302, headers: { location: '/secret/a.js' } },
        '/moved.js': { status: 302, headers: { location: '/there.js' } },
        '/there.js': script(made('moved')),
        '/to-hidden.js': { status: 307, headers: { location: `http://${hidden}:PORT/hidden.js` } },
        '/skipped/a.js': script(made('skipped')),
      },
      [other]: {
        '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' },
        '/other.js': script(made('other')),
      },
      [hidden]: { '/hidden.js': script(made('hidden')) },
    })
    const { pages } = await rendered(web, `${host}/`, {
      exclude: ['/skipped/**'],
      allowPrivate: false,
      // Addresses that the user names are allowed.
      connectTo: [host, other].map((address) => `${address}:${web.port}:${address}:${web.port}`),
    })
    const { html } = pages.get(`${host}/`)!
    expect(
      ['ok', 'moved', 'secret', 'skipped', 'other', 'hidden'].filter((id) => html.includes(`href="/${id}"`)),
    ).toEqual(['ok', 'moved'])
    expect(web.asked).not.toContain(`${host}/secret/a.js`)
    expect(web.asked).not.toContain(`${host}/skipped/a.js`)
    expect(web.asked.filter((place) => place.startsWith(hidden))).toEqual([])
    expect(web.asked.filter((place) => place.startsWith(other) && !place.endsWith('/robots.txt'))).toEqual([])
  })

  // Once in ten runs of all tests the browser or its crawl stood still here, for a reason that is not known yet: a second try tells
  // that from a fault of every run.
  const again = { retry: 1, timeout: 300_000 }
  it(
    'a page that never ends, dialogs, popups, memory, downloads and navigation cost a page at most, and nothing else',
    again,
    async () => {
      const host = '127.61.4.1'
      const before = browsersOf(process.pid)
      const shell = (code: string): string =>
        `<!doctype html><title>t</title><p>${words}</p><a href="/end">end</a><div id="root"></div><script src="/x.js"></script><script>${code}</script>`
      const attacks: Readonly<Record<string, { code: string; outcome: string }>> = {
        spin: { code: 'for (;;) {}', outcome: 'timeout' },
        timers: { code: 'setInterval(() => fetch("/x.js?" + Math.random()), 50)', outcome: 'cut' },
        dialogs: { code: 'for (;;) alert(1)', outcome: 'refused' },
        popups: { code: 'for (let i = 0; i < 3000; i++) window.open("/popup")', outcome: 'refused' },
        memory: {
          code: 'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))',
          outcome: 'crashed',
        },
        away: { code: 'location.href = "/away"', outcome: 'done' },
        download: {
          code: 'location.href = "data:application/octet-stream,x"; const a = document.createElement("a"); a.href = "/file.bin"; a.download = "f"; document.body.append(a); a.click()',
          outcome: 'done',
        },
        file: {
          code: 'location.href = "file:///etc/passwd"; fetch("file:///etc/passwd").catch(() => {}); open("chrome://version")',
          outcome: 'done',
        },
      }
      const names = Object.keys(attacks)
      const web = await serve({
        [host]: {
          '/': pageWith('home', ...names.map((name) => `/${name}`)),
          '/x.js': script(''),
          '/end': pageWith('end'),
          '/away': pageWith('away'),
          '/file.bin': {
            headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
            body: 'x',
          },
          ...Object.fromEntries(names.map((name) => [`/${name}`, shell(attacks[name].code)])),
        },
      })
      const expected = Object.fromEntries(names.map((name) => [name, attacks[name].outcome]))
      let outcomes: object = {}
      let pages: ReadonlyMap<string, unknown> = new Map()
      // On a busy machine pages take longer to do their harm: the limit doubles until it suffices for all but the endless one.
      for (let renderSeconds = 3; renderSeconds < 100; renderSeconds *= 2) {
        const crawled = await rendered(web, `${host}/`, { renderSeconds })
        pages = crawled.pages
        const each = names.map(async (name) => [name, await outcomeOf(crawled.out, web, `${host}/${name}`)])
        outcomes = Object.fromEntries((await Promise.all(each)) as [string, string][])
        if (JSON.stringify(outcomes) === JSON.stringify(expected) && pages.has(`${host}/away`)) break
      }
      expect(outcomes).toEqual(expected)
      // The links of the source count in any case, and where a page wants to go is a link.
      expect([...pages.keys()]).toEqual(expect.arrayContaining([`${host}/end`, `${host}/away`]))
      expect(browsersOf(process.pid).filter((browser) => !before.includes(browser))).toEqual([])
    },
  )

  it('a resumed crawl goes on with what it has learned, without a browser if it renders no more', async () => {
    const host = '127.61.5.1'
    const pages: Record<string, SmallPage> = {
      '/app.js': script(
        `document.getElementById('root').innerHTML = '<a href="/p/' + (1 + Number(location.pathname.slice(3))) + '">next</a>' + '${words}'`,
      ),
    }
    for (let n = 0; n < 6; n++)
      pages[`/p/${n}`] = '<!doctype html><title>t</title><div id="root"></div><script src="/app.js"></script>'
    const web = await serve({ [host]: pages })
    const { out, totals } = await rendered(web, `${host}/p/0`, { render: 'auto', pages: 3 })
    expect(totals.render!.rendered).toBe(3)
    const resumed = resumeCrawl({ out, pages: 5 })
    for await (const _ of resumed);
    expect((await resumed.totals).render).toMatchObject({ rendered: 5 })
    expect((await explain(out, web.url(`${host}/p/4`))).rendering?.reason).toBe('kind')
    const without = resumeCrawl({ out, pages: 6, render: 'never' })
    for await (const _ of without);
    expect(await outcomeOf(out, web, `${host}/p/5`)).toBeUndefined()
    expect((await verify(out)).parts.every(({ damageCount }) => damageCount === 0)).toBe(true)
  })

  it('a page that is fetched again is rendered again: it has changed if its document has', async () => {
    const host = '127.61.8.1'
    const shell = '<!doctype html><title>t</title><div id="root"></div><script src="/app.js"></script>'
    const app = `fetch('/data' + location.pathname).then((r) => r.json()).then((text) => { document.getElementById('root').innerHTML = '<a href="/two">two</a>' + text })`
    const web = await serve({
      [host]: {
        '/one': shell,
        '/two': shell,
        '/app.js': script(app),
        '/data/one': json(words),
        '/data/two': (before) => json(words + (before === 0 ? 'first' : 'second')),
      },
    })
    const { out } = await rendered(web, `${host}/one`)
    const again = recrawl({ out, recrawlPolicy: 'uniform', restSeconds: 0 })
    const changed: string[] = []
    for await (const { url, text } of again) changed.push(`${placeOf(url)} ${text.trim().split(' ').at(-1)}`)
    expect(changed).toEqual([`${host}/two second`])
    expect((await again.totals).render).toMatchObject({ rendered: 3 })
  })

  it('a host gets the requests of a page in a burst, one at a time, and rests for all of their gaps', async () => {
    const [host, slow] = ['127.61.6.1', '127.61.6.2']
    const wait = 0.3
    const names = Array.from({ length: 10 }, (_, i) => `/s${i}.js`)
    const page = (scripts: readonly string[], link: string): string =>
      `<!doctype html><title>t</title><div id="root"></div><a href="${link}">next</a>${scripts.map((src) => `<script src="${src}"></script>`).join('')}`
    const web = await serve({
      [host]: {
        '/': page(names, '/next'),
        '/next': pageWith('next'),
        ...Object.fromEntries(names.map((name) => [name, script('')])),
      },
      [slow]: {
        '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nCrawl-delay: 0.7' },
        '/': page(['/s0.js', '/s1.js'], '/next'),
        '/next': pageWith('next'),
        '/s0.js': script(''),
        '/s1.js': script(''),
      },
    })
    await rendered(web, `${host}/`, { wait, seeds: [web.url(`${host}/`), web.url(`${slow}/`)] })
    expect(overlaps(web.accesses)).toEqual([])
    const toleranceMs = 5
    // A Crawl-delay holds for every request.
    expect(
      gapsBelow(
        web.accesses.filter(({ site }) => site === slow),
        0.7,
        { toleranceMs },
      ),
    ).toEqual([])
    const seen = web.accesses.filter(({ site }) => site === host).toSorted((a, b) => a.startMs - b.startMs)
    const paths = seen.map(({ path }) => path)
    expect(paths).toEqual(['/robots.txt', '/', ...paths.slice(2, 12), '/next'])
    const gapBefore = (at: number): number => (seen[at].startMs - seen[at - 1].endMs + toleranceMs) / 1000
    // The page and a burst of eight; then two more.
    expect(gapBefore(10)).toBeGreaterThanOrEqual(9 * wait)
    expect(gapBefore(12)).toBeGreaterThanOrEqual(2 * wait)
    // Over the view, the mean rate is the one that is promised.
    expect((seen[12].startMs - seen[1].endMs + toleranceMs) / 1000).toBeGreaterThanOrEqual(11 * wait)
  })

  it('a killed browser is replaced, and a killed crawl leaves no process', async () => {
    const host = '127.61.7.1'
    const web = await serve({
      [host]: {
        '/': `<!doctype html><title>t</title><div id="root"></div><script src="/app.js"></script>`,
        '/app.js': { ...script(`document.body.innerHTML = '<a href="/end">end</a>'`), afterMs: 3000 },
        '/end': pageWith('end'),
      },
    })
    const main = join(import.meta.dirname, '..', 'dist', 'bundle', 'main.js')
    const out = join(folder, 'killed')
    const args = [
      'crawl',
      web.url(`${host}/`),
      '--out',
      out,
      '--allow-private',
      '--wait',
      '0',
      '--render',
      'always',
      '--render-no-sandbox',
      '--no-progress',
    ]
    const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await until(() => web.asked.includes(`${host}/app.js`))
    expect(browsersOf(child.pid!).length).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await ended
    await until(() => browsersOf(child.pid!).length === 0)
    // The page was not lost: it is fetched and rendered by the resumed crawl, whose first browser is killed.
    const resumed = resumeCrawl({ out })
    const pages: string[] = []
    const reading = (async () => {
      for await (const { url } of resumed) pages.push(placeOf(url))
    })()
    const asked = (): number => web.asked.filter((place) => place === `${host}/app.js`).length
    await until(() => asked() === 2)
    for (const pid of browsersOf(process.pid)) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It ended with its parent.
      }
    }
    await reading
    expect(pages).toEqual([`${host}/`, `${host}/end`])
    expect(await outcomeOf(out, web, `${host}/`)).toBe('done')
    expect(browsersOf(process.pid)).toEqual([])
  })
})

/** Processes of browsers that this process has started. */
function browsersOf(pid: number): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`rankward-render-${pid}-`)
      )
    } catch {
      return false
    }
  })
}
