/** A crawl that fetches pages again, over HTTP: what it requests, what it records, and what it archives. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { crawl, recrawl, resumeCrawl, type Crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { search } from '../src/crawler/parts/search/search.ts'
import { changes } from '../src/crawler/read/changes.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import type { LookRecord } from '../src/crawler/record/look-record.ts'
import type { OutcomeRecord } from '../src/crawler/record/outcome-record.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import type { WarcRecord } from '../src/web/warc/warc-record.ts'
import { replayed, stateOf } from './support/crawl-records.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let folders = 0
let web: ChangingWeb
let out: string
let running: Crawl | undefined

beforeEach(async () => {
  web = new ChangingWeb()
  await web.open()
  out = join(folder, `crawl-${folders++}`)
  web.put('/', 'the first page', ['/a', '/b'])
  web.put('/a', 'page a')
  web.put('/b', 'page b')
})

afterEach(async () => {
  running?.stop({ now: true })
  await running?.totals.catch(() => {})
  running = undefined
  web.close()
})

const options = (): CrawlOptions => ({
  seeds: [web.url()],
  out,
  allowPrivate: true,
  wait: 0,
  waitPerAddress: 0,
  threads: 1,
  traps: false,
})

/** Starts a crawl that fetches about 20 pages a second again, the one seen longest ago first. */
function begin(more: Partial<CrawlOptions> = {}): Crawl {
  running = crawl({
    ...options(),
    continuous: true,
    rate: 20 * 86_400,
    recrawlPolicy: 'uniform',
    restSeconds: 0.05,
    ...more,
  })
  void running.run()
  return running
}

async function end(): Promise<void> {
  running?.stop()
  await running?.totals
}

interface History {
  readonly looks: LookRecord[]
  readonly versions: OutcomeRecord[]
}

/** Looks and versions of a page, the oldest first. */
async function historyOf(path: string): Promise<History> {
  const record = await CrawlFolder.open(out).readRecord()
  try {
    for (let page = 0; page < record.known; page++) {
      if (record.found(page).url !== web.url(path)) continue
      return {
        looks: [...record.looks(page)].toReversed(),
        versions: [...record.versions(page)].toReversed(),
      }
    }
    return { looks: [], versions: [] }
  } finally {
    record.close()
  }
}

/** Verdicts without repetitions. */
const steps = ({ looks }: History): string[] =>
  looks.map(({ verdict }) => verdict).filter((verdict, i, all) => verdict !== all[i - 1])

/** Responses and revisits of a page, in order. */
function archived(path: string): WarcRecord[] {
  const files = readdirSync(join(out, 'warc')).filter((name) => /\.warc(\.gz)?$/.test(name))
  return files
    .flatMap((name) => [...readWarc(join(out, 'warc', name))])
    .filter(({ type, targetUri }) => type !== 'request' && targetUri === web.url(path))
}

const profileOf = (record: WarcRecord): string | undefined =>
  record.field('WARC-Profile')?.replace(/.*\/revisit\//, '')

describe('a continuous crawl', () => {
  it('finds changed pages and the new pages that they link to, and keeps every version', async () => {
    begin()
    await web.again('/a', 2)
    web.put('/a', 'page a has changed', ['/c'])
    web.put('/c', 'a new page')
    await web.again('/c')
    await web.again('/a', 3)
    web.put('/a', 'page a has changed once more', ['/c'])
    await web.again('/a', 3)
    await end()
    const a = await historyOf('/a')
    expect(steps(a)).toEqual(['first', 'same', 'changed', 'same', 'changed', 'same'])
    expect(a.versions).toHaveLength(3)
    const bodies = a.versions.map(({ warc }) => {
      const record = archived('/a').find(({ id }) => id === warc?.id)
      return /<p>(.*?)(?: words)*(?: w?o?r?d?)?<\/p>/.exec(record?.http()?.body.toString() ?? '')?.[1]
    })
    expect(bodies).toEqual(['page a', 'page a has changed', 'page a has changed once more'])
    expect(steps(await historyOf('/c'))[0]).toBe('first')
  })

  it('never requests a page within its rest', async () => {
    begin({ restSeconds: 0.3, recrawlPolicy: 'greedy' })
    await web.again('/a', 4)
    await end()
    for (const path of ['/', '/a', '/b']) {
      const { looks } = await historyOf(path)
      expect(looks.length).toBeGreaterThan(1)
      looks.slice(1).forEach((look, i) => {
        expect(look.startMs - looks[i].startMs).toBeGreaterThanOrEqual(300)
      })
    }
  })

  it('has the same history after a replay of its record', async () => {
    begin()
    await web.again('/a', 3)
    web.put('/a', 'page a has changed', ['/c'])
    web.put('/c', 'a new page', [], { status: 503 })
    await web.again('/a', 3)
    await end()
    const one = await replayed(out)
    const other = await replayed(out)
    expect(stateOf(one.engine)).toBe(stateOf(other.engine))
    const { held } = one.engine.recrawl!
    expect(held.looks(1)).toBe((await historyOf('/a')).looks.length)
    expect(held.lastVerdict(1)).toBe((await historyOf('/a')).looks.at(-1)?.verdict)
  })
})

describe('a copy whose original has changed since', () => {
  it('is found by search, once for all such copies', async () => {
    for (const path of ['/a', '/b', '/c']) web.put(path, 'wombats and quokkas', ['/'])
    for (const path of ['/a', '/b', '/c']) web.pages.set(path, web.pages.get('/a')!)
    web.put('/', 'the first page', ['/a', '/b', '/c'])
    begin()
    await web.again('/c', 2)
    web.put('/a', 'page a has changed', ['/'])
    await web.again('/a', 3)
    await web.again('/c', 1)
    await end()
    expect((await historyOf('/b')).versions[0].duplicateOf).toBe(1)
    const { results } = await search(out, 'wombats', { index: false })
    expect(results.map(({ url, copies }) => [url, copies])).toEqual([[web.url('/b'), 1]])
    expect(results[0].snippet).toContain('quokkas')
    const changed = await search(out, 'changed', { index: false })
    expect(changed.results.map(({ url }) => url)).toEqual([web.url('/a')])
  })
})

describe('a continuous crawl with a topic', () => {
  it('records the relevance of each version', async () => {
    const relevances = async (): Promise<(number | undefined)[]> =>
      (await historyOf('/a')).versions.map(({ relevance }) => relevance)
    begin({ topic: 'solar energy' })
    await web.again('/a', 2)
    web.put('/a', 'solar energy, and how solar energy is stored', ['/b'])
    await web.again('/a', 2)
    await end()
    const [first, second] = await relevances()
    expect(first).toBe(0)
    expect(second).toBeGreaterThan(0.1)
  })
})

describe('conditional requests', () => {
  it('are sent from the second look on, except for every eighth, and 304 means unchanged', async () => {
    web.put('/a', 'page a', [], { etag: '"1"' })
    web.put('/b', 'page b', [], { lastModified: 'Sun, 01 Nov 2026 00:00:00 GMT' })
    begin()
    await web.again('/a', 10)
    await web.again('/b', 1)
    await end()
    const sent = web.requests('/a').map(({ headers }) => headers['if-none-match'])
    expect(sent.slice(0, 10)).toEqual([undefined, ...Array(6).fill('"1"'), undefined, '"1"', '"1"'])
    const dates = web.requests('/b').map(({ headers }) => headers['if-modified-since'])
    expect(dates.slice(0, 3)).toEqual([undefined, ...Array(2).fill('Sun, 01 Nov 2026 00:00:00 GMT')])
    const { looks, versions } = await historyOf('/a')
    expect(versions).toHaveLength(1)
    expect(looks.slice(0, 10).map(({ status }) => status)).toEqual([
      200,
      ...Array(6).fill(304),
      200,
      304,
      304,
    ])
    expect(looks.slice(1).every(({ verdict }) => verdict === 'same')).toBe(true)
  })

  it('that are answered by 304 are archived as revisits of the version', async () => {
    web.put('/a', 'page a', [], { etag: '"1"' })
    begin()
    await web.again('/a', 4)
    await end()
    const [first, second, third] = archived('/a')
    expect(first.type).toBe('response')
    for (const revisit of [second, third]) {
      expect([revisit.type, profileOf(revisit)]).toEqual(['revisit', 'server-not-modified'])
      expect(revisit.field('WARC-Refers-To')).toBe(`<urn:uuid:${first.id}>`)
    }
    const { looks } = await historyOf('/a')
    expect(looks.slice(0, 3).map(({ warc }) => warc?.id)).toEqual([first.id, second.id, third.id])
  })

  it('of a copy are archived as revisits of its original', async () => {
    const html = '<title>One page</title><p>at two addresses</p>'
    for (const path of ['/a', '/b']) web.pages.set(path, { html, etag: '"1"' })
    begin()
    await Promise.all([web.again('/a', 3), web.again('/b', 3)])
    await end()
    const records = [...archived('/a'), ...archived('/b')]
    const [original, ...others] = records.filter(({ type }) => type === 'response')
    expect(others).toEqual([])
    const revisits = records.filter(({ type }) => type === 'revisit')
    expect(new Set(revisits.map(profileOf))).toEqual(
      new Set(['identical-payload-digest', 'server-not-modified']),
    )
    expect(new Set(revisits.map((record) => record.field('WARC-Refers-To')))).toEqual(
      new Set([`<urn:uuid:${original.id}>`]),
    )
  })

  it('follow the validators of a new version', async () => {
    web.put('/a', 'page a', [], { etag: '"1"' })
    begin()
    await web.again('/a', 2)
    web.put('/a', 'page a has changed', [], { etag: '"2"' })
    await web.again('/a', 3)
    await end()
    const sent = web.requests('/a').map(({ headers }) => headers['if-none-match'])
    expect(sent.slice(-1)).toEqual(['"2"'])
    expect(steps(await historyOf('/a'))).toEqual(['first', 'same', 'changed', 'same'])
  })

  it('are no longer sent to a site whose validators lie', async () => {
    for (const path of ['/a', '/b']) web.put(path, `page ${path}`, [], { etag: '"1"', lies: true })
    begin()
    await Promise.all([web.again('/a', 3), web.again('/b', 3)])
    for (const path of ['/a', '/b']) web.put(path, `page ${path} is new`, [], { etag: '"1"', lies: true })
    await Promise.all([web.again('/a', 9), web.again('/b', 9)])
    await end()
    for (const path of ['/a', '/b']) {
      const { looks, versions } = await historyOf(path)
      expect(versions).toHaveLength(2)
      expect(looks.filter(({ lie }) => lie === true)).toHaveLength(1)
      expect(web.requests(path).at(-1)?.headers['if-none-match']).toBeUndefined()
    }
  })
})

describe('a page without validators', () => {
  it('that is unchanged is archived as a revisit with the same payload', async () => {
    begin()
    await web.again('/a', 3)
    await end()
    const [first, second] = archived('/a')
    expect(profileOf(second)).toBe('identical-payload-digest')
    expect(second.field('WARC-Refers-To')).toBe(`<urn:uuid:${first.id}>`)
    expect(second.field('WARC-Payload-Digest')).toBe(first.field('WARC-Payload-Digest'))
  })

  it('that only has other bytes is unchanged, unless bytes count', async () => {
    const serve = (token: number): void => web.put('/a', `page a<input value="${token}">`)
    for (const change of ['content', 'bytes'] as const) {
      out = join(folder, `crawl-${folders++}`)
      serve(1)
      begin({ change })
      await web.again('/a', 2)
      serve(2)
      await web.again('/a', 2)
      await end()
      const { versions } = await historyOf('/a')
      expect(versions).toHaveLength(change === 'content' ? 1 : 2)
    }
  })
})

describe('a page that fails when it is fetched again', () => {
  it('is gone after 410, and not requested again until a page links to it anew', async () => {
    begin()
    await web.again('/a', 2)
    web.pages.set('/a', { html: 'gone', status: 410 })
    await web.again('/a')
    const before = web.requests('/a').length
    await web.again('/b', 5)
    expect(web.requests('/a').length).toBe(before)
    web.put('/a', 'page a is back')
    web.put('/b', 'page b links to a', ['/a'])
    await web.again('/a', 2)
    await end()
    const a = await historyOf('/a')
    expect(steps(a)).toEqual(['first', 'same', 'gone', 'changed', 'same'].slice(0, steps(a).length))
    expect(steps(a)).toContain('changed')
    expect(a.versions).toHaveLength(2)
  })

  it('is missing after 404, and has changed when it comes back', async () => {
    begin()
    await web.again('/a', 2)
    web.pages.delete('/a')
    await web.again('/a', 2)
    web.put('/a', 'page a')
    await web.again('/a', 2)
    await end()
    const a = await historyOf('/a')
    expect(steps(a).slice(0, 4)).toEqual(['first', 'same', 'missing', 'changed'])
  })

  it('has changed when it comes back, also if a look failed in between', async () => {
    const same = { etag: '"a"' }
    web.put('/a', 'page a', [], same)
    begin({ recrawlPolicy: 'greedy' })
    await web.again('/a', 2)
    web.pages.delete('/a')
    await web.again('/a', 2)
    web.put('/a', 'page a', [], { ...same, breaks: true })
    await web.again('/a', 2)
    web.put('/a', 'page a', [], same)
    await web.again('/a', 3)
    await end()
    const a = await historyOf('/a')
    const missingAt = steps(a).indexOf('missing')
    expect(steps(a).slice(missingAt, missingAt + 3)).toEqual(['missing', 'failed', 'changed'])
    const ofPage: string[] = []
    for await (const { url, change } of changes(out)) if (url === web.url('/a')) ofPage.push(change)
    expect(ofPage).toEqual(['new', 'gone', 'new'])
  })

  it.each([
    ['503', { status: 503 }, 'http-503'],
    ['no response', { breaks: true }, 'reset'],
  ])('keeps its version after %s, and rests', async (_name, fault, error) => {
    begin({ recrawlPolicy: 'greedy' })
    await web.again('/a', 2)
    web.put('/a', 'page a has changed', [], fault)
    await web.again('/a')
    web.put('/a', 'page a has changed')
    await web.again('/a')
    await web.again('/b')
    await end()
    const a = await historyOf('/a')
    expect(a.looks.find(({ verdict }) => verdict === 'failed')?.error).toBe(error)
    expect(a.versions).toHaveLength(2)
    const failedAt = steps(a).indexOf('failed')
    expect(steps(a)[failedAt + 1]).toBe('changed')
  })

  it('that redirects elsewhere has changed, and the target is a new page', async () => {
    begin()
    await web.again('/a', 2)
    web.pages.set('/a', { html: '', status: 301, location: '/moved' })
    web.put('/moved', 'the page has moved')
    await web.again('/moved', 2)
    await end()
    const a = await historyOf('/a')
    expect(steps(a).slice(0, 3)).toEqual(['first', 'same', 'changed'])
    expect(a.versions.at(-1)?.location).toBe(web.url('/moved'))
    expect(steps(await historyOf('/moved'))).toEqual(['first', 'same'])
  })
})

describe('sitemaps and feeds of a continuous crawl', () => {
  const sitemap = (entries: readonly (readonly [path: string, lastmod?: string])[]): string =>
    `<urlset>${entries.map(([path, date]) => `<url><loc>${web.url(path)}</loc>${date === undefined ? '' : `<lastmod>${date}</lastmod>`}</url>`).join('')}</urlset>`

  it('are read again, and their new pages are fetched', async () => {
    web.pages.set('/robots.txt', { html: `User-agent: *\nSitemap: ${web.url('/map.xml')}` })
    web.pages.set('/map.xml', { html: sitemap([['/b']]) })
    begin()
    await web.again('/map.xml', 1)
    web.put('/listed', 'a page that only the sitemap names')
    web.pages.set('/map.xml', { html: sitemap([['/b'], ['/listed']]) })
    await web.again('/listed', 2)
    await end()
    expect(steps(await historyOf('/listed'))).toEqual(['first', 'same'])
    const { engine } = await replayed(out)
    expect(engine.known).toBe(4)
  })

  it('that pages name are read again, also in a later session', async () => {
    web.pages.set('/', {
      html: '<link rel=alternate type="application/rss+xml" href="/feed"><a href="/a">a</a><a href="/b">b</a>',
    })
    web.pages.set('/feed', { html: '<rss><channel></channel></rss>' })
    begin()
    await web.again('/feed', 2)
    await end()
    web.put('/news', 'a page of the feed')
    web.pages.set('/feed', {
      html: `<rss><channel><item><link>${web.url('/news')}</link></item></channel></rss>`,
    })
    running = resumeCrawl({ out })
    void running.run()
    await web.again('/news', 2)
    await end()
    expect(steps(await historyOf('/news'))).toEqual(['first', 'same'])
  })
})

describe('a continuous crawl that is stopped', () => {
  it('continues with the history of its pages', async () => {
    web.put('/a', 'page a', [], { etag: '"1"' })
    begin()
    await web.again('/a', 3)
    await end()
    const before = await historyOf('/a')
    web.put('/a', 'page a has changed', [], { etag: '"2"' })
    running = resumeCrawl({ out })
    void running.run()
    await web.again('/a', 3)
    await end()
    const after = await historyOf('/a')
    expect(after.looks.slice(0, before.looks.length)).toEqual(before.looks)
    expect(steps(after)).toEqual(['first', 'same', 'changed', 'same'])
    // The first request of the new session is conditional.
    expect(web.requests('/a')[before.looks.length].headers['if-none-match']).toBe('"1"')
  })

  it('loses nothing that was recorded when it is killed', async () => {
    const child = fileURLToPath(new URL('support/crawl-child.mjs', import.meta.url))
    let kept: LookRecord[] = []
    for (let kill = 0; kill < 4; kill++) {
      web.put('/a', `version ${kill} of page a`, [`/page-${kill}`], { etag: `"${kill}"` })
      web.put(`/page-${kill}`, `page ${kill}`)
      const process = spawn(globalThis.process.execPath, [child], { stdio: ['pipe', 'ignore', 'inherit'] })
      const again = { continuous: true, rate: 20 * 86_400, recrawlPolicy: 'uniform', restSeconds: 0.05 }
      process.stdin.write(JSON.stringify(kill === 0 ? { ...options(), ...again } : { out }))
      await web.until(() => web.requests(`/page-${kill}`).length > 0)
      await web.again('/a', 6 + 5 * kill)
      process.kill('SIGKILL')
      await once(process, 'exit')
      const { looks } = await historyOf('/a')
      expect(looks.slice(0, kept.length)).toEqual(kept)
      kept = looks
    }
    running = resumeCrawl({ out })
    void running.run()
    await web.again('/a', 3)
    await end()
    const a = await historyOf('/a')
    expect(a.looks.slice(0, kept.length)).toEqual(kept)
    expect(steps(a)).toContain('changed')
    for (const { warc } of a.looks) expect(archived('/a').filter(({ id }) => id === warc?.id)).toHaveLength(1)
    // A version whose look was not recorded before the kill may have been replaced since.
    expect(a.versions.length).toBeGreaterThanOrEqual(2)
    expect(a.versions.at(-1)?.etag).toBe('"3"')
  })
})

describe('a continuous crawl that is killed before its first snapshot', () => {
  it('still knows the feeds that its pages named', async () => {
    const child = fileURLToPath(new URL('support/crawl-child.mjs', import.meta.url))
    const serve = (head: string): void => {
      web.pages.set('/', { html: `${head}<a href="/a">a</a><a href="/b">b</a>`, etag: '"1"' })
    }
    serve('<link rel=alternate type="application/rss+xml" href="/feed">')
    web.pages.set('/feed', { html: '<rss><channel></channel></rss>', etag: '"feed"' })
    const process = spawn(globalThis.process.execPath, [child], { stdio: ['pipe', 'ignore', 'inherit'] })
    const again = { continuous: true, rate: 20 * 86_400, recrawlPolicy: 'uniform', restSeconds: 0.05 }
    process.stdin.write(JSON.stringify({ ...options(), ...again }))
    await web.until(() => web.requests('/feed').length > 0)
    await web.again('/a', 20)
    process.kill('SIGKILL')
    await once(process, 'exit')
    expect(existsSync(join(out, 'record', 'snapshots'))).toBe(false)
    serve('')
    web.log.length = 0
    running = resumeCrawl({ out })
    void running.run()
    await web.until(() => web.requests('/feed').length > 0 || web.requests('/a').length > 100)
    await end()
    expect(web.requests('/feed').length).toBeGreaterThan(0)
    // Its validator is known, too.
    expect(web.requests('/feed')[0].headers['if-none-match']).toBe('"feed"')
  })
})

describe('conditional requests of a crawl that is killed before its first snapshot', () => {
  /** Begins a crawl, and kills it after this. */
  async function killedAfter(work: () => Promise<void>): Promise<void> {
    const child = fileURLToPath(new URL('support/crawl-child.mjs', import.meta.url))
    const process = spawn(globalThis.process.execPath, [child], { stdio: ['pipe', 'ignore', 'inherit'] })
    const again = { continuous: true, rate: 20 * 86_400, recrawlPolicy: 'uniform', restSeconds: 0.05 }
    process.stdin.write(JSON.stringify({ ...options(), ...again }))
    await web.again('/b', 1)
    await work()
    process.kill('SIGKILL')
    await once(process, 'exit')
    expect(existsSync(join(out, 'record', 'snapshots'))).toBe(false)
  }
  const recorded = async (isDone: (history: History) => boolean, path: string): Promise<void> => {
    await expect.poll(async () => isDone(await historyOf(path)), { timeout: 60_000 }).toBe(true)
  }

  it('are still all but every eighth', async () => {
    web.put('/a', 'page a', [], { etag: '"1"' })
    await killedAfter(() => recorded(({ looks }) => looks.length >= 3, '/a'))
    running = resumeCrawl({ out })
    void running.run()
    await web.again('/a', 10)
    await end()
    const { looks } = await historyOf('/a')
    expect(looks.map(({ conditional }) => conditional === true)).toEqual(
      looks.map((_, i) => i > 0 && (i + 1) % 8 !== 0),
    )
  })

  it('are still not sent to a site whose validators lie', async () => {
    const paths = ['/a', '/b']
    const serve = (text: string): void =>
      paths.forEach((path) => web.put(path, `${path} is ${text}`, [], { etag: '"1"', lies: true }))
    serve('old')
    await killedAfter(async () => {
      for (const path of paths) await recorded(({ looks }) => looks.length >= 2, path)
      serve('new')
      for (const path of paths) await recorded(({ looks }) => looks.some(({ lie }) => lie === true), path)
    })
    web.log.length = 0
    running = resumeCrawl({ out })
    void running.run()
    await web.again('/a', 4)
    await end()
    const sent = web.requests('/a').map(({ headers }) => headers['if-none-match'])
    expect(sent).toEqual(sent.map(() => undefined))
  })
})

describe('a refresh of a finished crawl', () => {
  const first = async (): Promise<void> => {
    web.put('/b', 'page b', [], { etag: '"b"' })
    await crawl(options()).run()
    web.log.length = 0
  }

  it('looks at every page once, and fetches the new pages', async () => {
    await first()
    web.put('/a', 'page a has changed', ['/c'])
    web.put('/c', 'a new page')
    const totals = await recrawl({ out, recrawlPolicy: 'uniform', restSeconds: 0 }).run()
    expect(totals).toMatchObject({ stoppedBecause: 'finished', pages: 4 })
    const paths = web.log.map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['/', '/a', '/b', '/c'])
    expect(web.requests('/b')[0].status).toBe(304)
    expect(steps(await historyOf('/a'))).toEqual(['first', 'changed'])
    expect(steps(await historyOf('/b'))).toEqual(['first', 'same'])
    expect((await historyOf('/a')).versions).toHaveLength(2)
  })

  it('looks at no page twice, even if their rest is shorter than the refresh', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/page-${i}`)
    web.put('/', 'the first page', paths)
    for (const path of paths) web.put(path, `the text of ${path}`, ['/', paths[0]])
    await first()
    const all = ['/', ...paths].toSorted()
    for (const isFirst of [true, false]) {
      web.log.length = 0
      const { looks } = await recrawl({ out, ...(isFirst ? { restSeconds: 0 } : {}) }).run()
      expect(web.log.map(({ path }) => path).toSorted()).toEqual(all)
      expect(looks?.count).toBe(isFirst ? all.length : 2 * all.length)
    }
    // A continuous crawl looks at pages again as often as is worth it.
    running = resumeCrawl({ out, continuous: true, rate: 100 * 86_400 })
    void running.run()
    await web.again('/', 3)
    await end()
    expect(stateOf((await replayed(out)).engine)).toBe(stateOf((await replayed(out)).engine))
  })

  it('ends after so many requests, and another one continues', async () => {
    await first()
    const one = await recrawl({ out, recrawlPolicy: 'uniform', restSeconds: 0, pages: 1 }).run()
    expect(one.stoppedBecause).toBe('pages')
    expect(web.log).toHaveLength(1)
    await recrawl({ out }).run()
    expect(web.log).toHaveLength(4)
  })

  it('requests nothing while all pages rest', async () => {
    await first()
    const totals = await recrawl({ out }).run()
    expect(totals.stoppedBecause).toBe('finished')
    expect(web.log).toEqual([])
  })

  it('keeps the policy that it began with', async () => {
    await first()
    await recrawl({ out, recrawlPolicy: 'mass', restSeconds: 0 }).run()
    await expect(recrawl({ out, recrawlPolicy: 'uniform' }).run()).rejects.toThrow(
      'The recrawl policy of this crawl is mass',
    )
  })
})

describe('the command line', () => {
  const main = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))
  const rankward = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [main, ...args, '--no-progress', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })

  async function totalsOf(
    child: ChildProcess,
  ): Promise<{ totals: Record<string, unknown>; exitCode: number }> {
    const chunks: Buffer[] = []
    child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk))
    const [exitCode] = (await once(child, 'close')) as [number]
    return { totals: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>, exitCode }
  }

  it('ends a continuous crawl cleanly on SIGTERM, and refreshes it', async () => {
    const seed = [web.url(), '--out', out, '--allow-private', '--wait', '0']
    const child = rankward('crawl', ...seed, '--continuous', '--rate', '20/s', '--rest', '0.05')
    const ended = totalsOf(child)
    await web.again('/a', 3)
    child.kill('SIGTERM')
    const { totals, exitCode } = await ended
    expect(exitCode).toBe(130)
    expect(totals).toMatchObject({ pages: 3, stoppedBecause: 'interrupted' })
    const before = (await historyOf('/a')).looks.length
    web.log.length = 0
    web.put('/a', 'page a has changed')
    const refresh = await totalsOf(rankward('recrawl', out, '--pages', '3'))
    expect(refresh).toMatchObject({ exitCode: 0, totals: { stoppedBecause: 'pages' } })
    expect(web.log).toHaveLength(3)
    expect((await historyOf('/a')).looks.length).toBeGreaterThanOrEqual(before)
  })
})
