/** Page handlers: their items, their decisions about links, their failures, and what a kill leaves. */
import { readFileSync, rmSync, truncateSync, writeFileSync, existsSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkParts } from '../src/cli/crawl/checks.ts'
import { HandlerQueue } from '../src/crawler/parts/handlers/page-handling.ts'
import { clusterSettings } from '../src/cluster/crawl/create-crawl.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { compact, crawl, explain, recrawl, resumeCrawl, status, tail } from '../src/index.ts'
import type { CrawlOptions, HandledPage, PageHandler, RecordedPage } from '../src/index.ts'
import { seededRandom } from '../src/lib/random.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { fetchedUrls, pageRecords, replayed } from './support/crawl-records.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { expectEnd, KilledCrawl } from './support/killed-crawl.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const home = '127.1.0.1'
const other = '127.1.0.2'
let web: SmallWeb

beforeAll(async () => {
  web = await serveSmall({
    [home]: {
      '/': pageWith('Home', '/books', '/cart', '/about', `http://${other}:PORT/`),
      '/books': `<!doctype html><title>Books</title><ul class=list>
        <li data-id=1><a href="/books/1">One &amp; only</a> <b>3.50</b></li>
        <li data-id=2><a href="/books/2">Two</a> <b>4</b></li></ul>`,
      '/books/1': pageWith('One', '/'),
      '/books/2': pageWith('Two', '/'),
      '/cart': pageWith('Cart', '/cart/pay'),
      '/cart/pay': pageWith('Pay'),
      '/about': pageWith('About', '/'),
      '/hidden': pageWith('Hidden', '/'),
      '/hidden/too': pageWith('Hidden too', '/'),
    },
    [other]: { '/': pageWith('Other') },
  })
})
afterAll(() => web.close())

const paths = (urls: Iterable<string>): string[] => [...urls].map((url) => new URL(url).pathname)

const options = (name: string, more: Partial<CrawlOptions> = {}): CrawlOptions & { out: string } => ({
  seeds: [web.url(`${home}/`)],
  wait: 0,
  threads: 1,
  connections: 1,
  allowPrivate: true,
  ...more,
  out: join(folder, name),
})

const module = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const itemsIn = <Item = Record<string, unknown>>(out: string): Item[] =>
  readFileSync(join(out, 'items.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Item)

async function tailOf(out: string): Promise<Map<string, RecordedPage>> {
  const pages = new Map<string, RecordedPage>()
  for await (const page of tail(out)) pages.set(new URL(page.url).pathname, page)
  return pages
}

describe('a page handler', () => {
  const books = `export default (page) => {
    for (const link of page.links) if (link.url.includes('/cart')) page.skip(link)
    return page.$('.list li').map((book) => ({
      id: Number(book.attr('data-id')),
      title: book.find('a').text(),
      price: Number(book.find('b').first().text()),
      from: page.url,
    }))
  }`

  it('receives a page once, however often its body broke off, and no part of a page', async () => {
    const whole = pageWith('Whole')
    const torn = { 'content-length': '5000', connection: 'close' }
    const small = await serveSmall({
      '127.1.0.1': {
        '/': pageWith('Home', '/broken', '/part'),
        '/broken': (before) => (before < 2 ? { headers: torn, body: whole } : whole),
        '/part': { status: 206, body: whole },
      },
    })
    const seen: string[] = []
    const onPage: PageHandler = ({ url }) => {
      seen.push(new URL(url).pathname)
      return { url }
    }
    const seeds = [small.url('127.1.0.1/')]
    const totals = await crawl(options('broken', { onPage, seeds, retrySeconds: 0 })).run()
    await small.close()
    expect(small.asked.filter((place) => place.endsWith('/broken'))).toHaveLength(3)
    expect(totals).toMatchObject({ pages: 2, failed: 1, items: 2 })
    expect(seen).toEqual(['/', '/broken'])
  })

  it('receives the page, and gives items and links; a module and a function give the same', async () => {
    const seen: HandledPage[] = []
    const inline: PageHandler = (page) => {
      seen.push(page)
      page.skip(...page.links.filter(({ url }) => url.includes('/cart')))
      return page.$('.list li').map((book) => ({
        id: Number(book.attr('data-id')),
        title: book.find('a').text(),
        price: Number(book.find('b').first().text()),
        from: page.url,
      }))
    }
    const byModule = await crawl(options('module', { onPage: module('books.mjs', books) })).run()
    const byFunction = await crawl(options('function', { onPage: inline })).run()
    expect(byModule).toMatchObject({ pages: 5, known: 5, items: 2, handlerFailures: 0 })
    expect({ ...byFunction, ...noTimes }).toEqual({ ...byModule, ...noTimes })
    const items = itemsIn(join(folder, 'module'))
    expect(items).toEqual([
      { id: 1, title: 'One & only', price: 3.5, from: web.url(`${home}/books`) },
      { id: 2, title: 'Two', price: 4, from: web.url(`${home}/books`) },
    ])
    expect(itemsIn(join(folder, 'function'))).toEqual(items)
    const page = seen.find(({ title }) => title === 'Books')!
    expect(page).toMatchObject({
      url: web.url(`${home}/books`),
      status: 200,
      contentType: 'text/html; charset=utf-8',
      depth: 1,
      foundOn: web.url(`${home}/`),
      text: 'One & only 3.50 Two 4',
      noindex: false,
    })
    expect(page.html).toContain('<ul class=list>')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.score).toBeGreaterThan(0)
    expect(page.links).toEqual([
      { url: web.url(`${home}/books/1`), anchor: 'One & only' },
      { url: web.url(`${home}/books/2`), anchor: 'Two' },
    ])
    expect(page.$('li').length).toBe(2)
    expect(page.$('nav').length + page.$('nav').html().length).toBe(0)
    expect([...page.$('ul').find('a')].map((link) => link.html())).toEqual(['One &amp; only', 'Two'])
  })

  it('drops links before they count: they are not known, and a replay takes the same pages', async () => {
    const given = options('follow', {
      strategy: 'opic',
      onPage: (page) =>
        page.follow(...page.links.filter(({ anchor }) => !/cart|about/.test(anchor)), '/about'),
    })
    await crawl(given).run()
    const records = await pageRecords(given.out)
    expect(paths(records.map(({ url }) => url))).toEqual(['/', '/books', '/about', '/books/1', '/books/2'])
    const { taken, engine } = await replayed(given.out)
    const fetched = records.toSorted((one, two) => one.outcome!.order - two.outcome!.order)
    expect(taken.map(([page]) => page).slice(-5)).toEqual(fetched.map(({ page }) => page))
    expect(engine.known).toBe(5)
    await crawl(options('none', { onPage: (page) => page.follow() })).run()
    expect(await fetchedUrls(join(folder, 'none'))).toHaveLength(1)
  })

  it('adds links that count as often as it says, within scope and depth', async () => {
    const given = options('added', {
      strategy: 'opic',
      onPage(page) {
        if (page.depth > 0) return
        page.add('hidden', { weight: 3 })
        page.add('/about', { weight: 2 })
        page.add('/hidden/too')
        page.add(`http://${other}:${web.port}/`)
        page.add(page.url)
      },
    })
    await crawl(given).run()
    const order = (await pageRecords(given.out))
      .filter(({ outcome }) => outcome !== undefined)
      .toSorted((one, two) => one.outcome!.order - two.outcome!.order)
    expect(paths(order.map(({ url }) => url)).slice(0, 3)).toEqual(['/', '/hidden', '/about'])
    expect(order.slice(1, 3).map(({ outcome }) => outcome!.score)).toEqual([3 / 8, 2 / 8])
    expect(order.find(({ url }) => url.endsWith('/hidden/too'))).toMatchObject({ parent: 0, depth: 1 })
    expect(order.every(({ url }) => !url.includes(other))).toBe(true)
    await crawl(options('leaf', { onPage: (page) => page.add('/hidden'), maxDepth: 0 })).run()
    expect(await fetchedUrls(join(folder, 'leaf'))).toHaveLength(1)
  })

  it('may be a generator, asynchronous, and push items', async () => {
    const path = module(
      'generator.ts',
      `import type { HandledPage, PageHandler } from 'rankward'
       import { kindOf } from './generator-kind.ts'
       const handler: PageHandler = async function* (page: HandledPage): AsyncGenerator<object> {
         page.push({ pushed: page.title })
         yield { kind: kindOf(page.title) }
         await Promise.resolve()
         yield { kind: 'late' }
       }
       export default handler`,
    )
    module('generator-kind.ts', 'export const kindOf = (title: string): string => title.toLowerCase()')
    const { out } = options('generator')
    await crawl(options('generator', { onPage: path, pages: 1 })).run()
    expect(itemsIn(out)).toEqual([{ pushed: 'Home' }, { kind: 'home' }, { kind: 'late' }])
  })
})

/** What differs between two crawls of the same pages. */
const noTimes = { seconds: 0, peakRssBytes: 0, bytes: 0, folder: '', warcFiles: [], outOfOrder: 0 }

describe('a handler that fails', () => {
  it('is recorded with its reason, has no items, and leaves all links of the page', async () => {
    const path = module(
      'failing.ts',
      `interface Page { title: string; push(item: object): void; follow(): void; add(url: string): void }
       export default (page: Page): unknown => {
         page.push({ lost: true })
         page.follow()
         if (page.title === 'Home') throw new Error('no such field')
         if (page.title === 'Books') for (;;);
         if (page.title === 'Cart') process.exit()
         if (page.title === 'About') return 5
         if (page.title === 'One') return ['text']
         if (page.title === 'Two') page.add('mailto:a@b.example')
         return undefined
       }`,
    )
    const run = async (onPageSeconds: number) => {
      const failures: unknown[] = []
      const given = options(`failing-${onPageSeconds}`, {
        onPage: path,
        onPageSeconds,
        onError: ({ url, error, why }) => failures.push([new URL(url).pathname, error, why]),
      })
      const totals = await crawl(given).run()
      return { out: given.out, totals, failures, pages: await tailOf(given.out) }
    }
    // On a busy machine, other pages may take as long: the time is doubled until only the page that hangs exceeds it.
    const isLate = ({ handlerError }: RecordedPage): boolean =>
      handlerError?.startsWith('it took longer') === true
    let seconds = 0.5
    let ended = await run(seconds)
    while (seconds < 60 && [...ended.pages.values()].filter(isLate).length > 1)
      ended = await run((seconds *= 2))
    const { out, totals, failures, pages } = ended
    const late = `it took longer than ${seconds} s`
    expect(totals).toMatchObject({ pages: 7, handlerFailures: 6, items: 1 })
    const reasons = Object.fromEntries([...pages].map(([path_, { handlerError }]) => [path_, handlerError]))
    expect(reasons).toEqual({
      '/': expect.stringMatching(/^no such field \(.*failing\.ts:5\)$/) as string,
      '/books': late,
      '/cart': 'it ended its thread',
      '/about': 'it returned 5; expected objects, or nothing',
      '/books/1': expect.stringMatching(/^an item is "text"; expected an object/) as string,
      '/books/2': expect.stringMatching(/^add: "mailto:a@b.example" is not an http or https URL/) as string,
      '/cart/pay': undefined,
    })
    expect(pages.get('/cart/pay')).toMatchObject({ kind: 'page', items: 1 })
    expect(failures).toContainEqual(['/books', 'handler', late])
    expect(itemsIn(out)).toEqual([{ lost: true }])
    expect(status(out).progress?.handled).toEqual({ items: 1, failures: 6 })
    const { stdout } = await rankward(['status', out], folder)
    expect(stdout).toContain('1 by the page handler, which failed for 6 pages')
    const urlOf = (end: string): string => pages.get(end)!.url
    expect((await explain(out, urlOf('/cart/pay'))).handled).toEqual({ items: 1 })
    const failed = await explain(out, urlOf('/books'))
    expect(failed.handled).toEqual({ items: 0, error: late })
    expect(explanationText(out, failed)).toMatch(/Handler {2,}0 items by the page handler\n +failed: it took/)
  })

  it.each(['onPage', 'scorer'] as const)('between two pages (%s) gets a new thread', async (option) => {
    const path = module(
      `late-${option}.mjs`,
      `import { existsSync, writeFileSync } from 'node:fs'
       const mark = new URL('late-${option}.mark', import.meta.url)
       const isFirst = !existsSync(mark)
       writeFileSync(mark, '')
       export default () => {
         if (isFirst) setTimeout(() => { throw new Error('late') }, 1)
         return ${option === 'scorer' ? '1' : '{}'}
       }`,
    )
    const slow = new ChangingWeb()
    await slow.open()
    try {
      slow.put('/', 'home', ['/a', '/b'])
      slow.put('/a', 'a', [])
      slow.put('/b', 'b', [])
      const given = { ...options(`late-${option}`, { [option]: path, wait: 0.2 }), seeds: [slow.url()] }
      const totals = await crawl(given).run()
      expect(totals.pages).toBe(3)
      // On a busy machine, the timer may fire during the next page.
      expect(totals.handlerFailures ?? totals.scorerFailures).toBeLessThanOrEqual(1)
    } finally {
      slow.close()
    }
  })

  it('that is a function is abandoned after its time', async () => {
    const given = options('hanging', { onPageSeconds: 0.05, pages: 2 })
    const totals = await crawl({ ...given, onPage: () => new Promise(() => {}) }).run()
    expect(totals).toMatchObject({ pages: 2, handlerFailures: 2 })
  })

  it.each([
    ['absent.ts', undefined, 'there is no such file'],
    ['empty.mjs', 'export const a = 1', 'it does not export a function'],
    ['broken.ts', 'export default (page) => {', 'line 1'],
    ['thrower.ts', '\n\nthrow new Error("not today")', 'not today'],
  ])('to load (%s) stops the crawl before it begins', async (name, text, why) => {
    const onPage = text === undefined ? join(folder, name) : module(name, text)
    const asked = web.asked.length
    await expect(crawl(options(`no-${name}`, { onPage })).run()).rejects.toMatchObject({
      code: 'BAD_HANDLER',
      message: expect.stringContaining(why) as string,
    })
    expect(web.asked.length).toBe(asked)
  })
})

describe('the items of a crawl', () => {
  const everyPage: PageHandler = ({ url, title }) => ({ url, title })

  it('are completed from the record by a resume, wherever the file ends', async () => {
    const { out } = options('cut')
    await crawl(options('cut', { onPage: everyPage, pages: 4 })).run()
    const path = join(out, 'items.jsonl')
    const whole = readFileSync(path, 'utf8')
    for (const length of [0, 60, whole.length]) {
      truncateSync(path, length)
      await resumeCrawl({ out, onPage: everyPage }).run()
      expect(readFileSync(path, 'utf8')).toBe(whole)
    }
    await compact(out)
    rmSync(path)
    const elsewhere = join(folder, 'elsewhere.jsonl')
    await resumeCrawl({ out, onPage: everyPage, items: elsewhere, pages: 5 }).run()
    expect(existsSync(path)).toBe(false)
    expect(readFileSync(elsewhere, 'utf8').startsWith(whole)).toBe(true)
    expect(readFileSync(elsewhere, 'utf8').split('\n')).toHaveLength(6)
  })

  it('are never written into a file with other content', async () => {
    const foreign = { code: 'FOREIGN_FILES' }
    const path = join(folder, 'mine.jsonl')
    writeFileSync(path, '{"mine":1}\n')
    const given = options('foreign', { onPage: everyPage, items: path, pages: 2 })
    await expect(crawl(given).run()).rejects.toMatchObject(foreign)
    expect(readFileSync(path, 'utf8')).toBe('{"mine":1}\n')
    const { out } = options('edited')
    await crawl(options('edited', { onPage: everyPage, pages: 2 })).run()
    const own = join(out, 'items.jsonl')
    const whole = readFileSync(own, 'utf8')
    writeFileSync(own, whole.slice(0, 20).replace('{', '['))
    await expect(resumeCrawl({ out, onPage: everyPage, pages: 3 }).run()).rejects.toMatchObject(foreign)
    writeFileSync(own, whole)
    appendFileSync(own, 'more\n')
    await expect(resumeCrawl({ out, onPage: everyPage, pages: 3 }).run()).rejects.toMatchObject(foreign)
  })

  it('need the handler again if it was code, and take another one', async () => {
    const { out } = options('again')
    await crawl(options('again', { onPage: everyPage, pages: 1 })).run()
    await expect(resumeCrawl({ out, pages: 2 }).run()).rejects.toMatchObject({ code: 'INLINE_CODE' })
    const onPage = module('second.mjs', 'export const onPage = ({ title }) => ({ second: title })')
    await resumeCrawl({ out, pages: 2, onPage }).run()
    await resumeCrawl({ out, pages: 3 }).run()
    expect(itemsIn(out)).toEqual([
      expect.objectContaining({ title: 'Home' }),
      { second: expect.any(String) as string },
      { second: expect.any(String) as string },
    ])
  })
})

describe('a crawl with a handler that is killed', () => {
  const out = join(folder, 'killed')
  const onPage = module('killed.mjs', 'export default ({ url }) => [{ url }, { again: url }]')
  const crawled = new KilledCrawl(out, 250, { onPage, onPageThreads: 2, threads: 1 })
  beforeAll(() => crawled.open(20))
  afterAll(() => crawled.close())

  it('has the items of every page once', async () => {
    const random = seededRandom(Number(process.env['SEED'] ?? 1), 12)
    for (let kill = 0; kill < (process.env['FULL'] === undefined ? 4 : 30); kill++)
      await crawled.killed({ groups: kill % 2, requests: random.below(20) })
    await expectEnd(crawled)
    const items = itemsIn<{ url?: string; again?: string }>(out)
    const urls = await fetchedUrls(out)
    expect(items.map(({ url, again }) => url ?? `again ${again}`).toSorted()).toEqual(
      urls.flatMap((url) => [url, `again ${url}`]).toSorted(),
    )
  })
})

const viewed = { status: 200, links: '', startMs: 0 }

describe('a slow handler', () => {
  it('slows the crawl down: no more pages wait for it than there are connections', async () => {
    const sites = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `127.1.1.${i + 1}`,
        { '/': pageWith(`Site ${i}`, '/a'), '/a': pageWith(`Page ${i}`) },
      ]),
    )
    const slowWeb = await serveSmall(sites)
    const isPage = (place: string): boolean => !place.endsWith('robots.txt')
    let handled = 0
    let ahead = 0
    const totals = await crawl({
      ...options('slow', { connections: 3 }),
      seeds: Object.keys(sites).map((address) => slowWeb.url(`${address}/`)),
      async onPage() {
        await new Promise((resolve) => setTimeout(resolve, 10))
        ahead = Math.max(ahead, slowWeb.asked.filter(isPage).length - handled++)
      },
    }).run()
    await slowWeb.close()
    expect(totals.pages).toBe(24)
    expect(ahead).toBeGreaterThan(1)
    expect(ahead).toBeLessThanOrEqual(3)
  })

  it('pauses the crawl while the bodies of waiting pages take too much memory', async () => {
    const queue = new HandlerQueue(100)
    const result = { ...viewed, body: new Uint8Array(60) }
    const context = { url: 'http://a.example/', depth: 0, score: 0, foundOn: undefined }
    const handled = [0, 1, 2].map(() => queue.add({ result, context }))
    const room = queue.full()
    expect(room).toBeDefined()
    let isFree = false
    void room!.then(() => (isFree = true))
    queue.take()
    queue.take()
    await Promise.resolve()
    expect(isFree, '60 bytes wait, more than half of the limit').toBe(false)
    queue.take()
    await room
    expect(queue.full()).toBeUndefined()
    queue.abort()
    expect(await queue.add({ result, context })).toBe('aborted')
    expect(handled).toHaveLength(3)
  })

  it('does not delay a stop at once: its pages are fetched again by the resume', async () => {
    const { out } = options('stopped')
    const path = module('endless.mjs', 'export default () => new Promise(() => {})')
    const running = crawl(options('stopped', { onPage: path, onPageSeconds: 3600 }))
    const totals = running.run()
    const isAsked = (): boolean => running.progress().bytes === 0 && web.asked.at(-1) === `${home}/`
    while (!isAsked()) await new Promise((resolve) => setTimeout(resolve, 5))
    running.stop({ now: true })
    expect(await totals).toMatchObject({ pages: 0, stoppedBecause: 'interrupted', handlerFailures: 0 })
    const onPage = ({ title }: HandledPage): object => ({ title })
    expect(await resumeCrawl({ out, onPage, pages: 1 }).run()).toMatchObject({ pages: 1, items: 1 })
    expect(itemsIn(out)).toEqual([{ title: 'Home' }])
  })
})

describe('a crawl that fetches pages again', () => {
  it('handles a page again when it has changed', async () => {
    const changing = new ChangingWeb()
    await changing.open()
    try {
      changing.put('/', 'home', ['/a', '/b'])
      changing.put('/a', 'first')
      changing.put('/b', 'other')
      const out = join(folder, 'looks')
      const onPage = (page: HandledPage): object => {
        page.skip('/c')
        return { path: new URL(page.url).pathname, word: page.text.split(' ')[0] }
      }
      await crawl({ ...options('looks'), seeds: [changing.url()], onPage }).run()
      changing.put('/a', 'second', ['/b', '/c'])
      await recrawl({ out, onPage, recrawlPolicy: 'uniform', restSeconds: 0 }).run()
      const items = itemsIn<{ path: string; word: string }>(out)
      expect(items.slice(0, 3).map(({ path }) => path)).toEqual(['/', '/a', '/b'])
      expect(items.slice(3)).toEqual([{ path: '/a', word: 'second' }])
      expect(paths(await fetchedUrls(out))).toEqual(['/', '/a', '/b'])
    } finally {
      changing.close()
    }
  })
})

it('a page that is fetched again is handled only if a new version of it is recorded', async () => {
  const first = pageWith('First')
  const torn = { 'content-length': '5000', connection: 'close' }
  const small = await serveSmall({
    [home]: {
      '/': pageWith('Home', '/comment', '/part', '/broken', '/new'),
      '/comment': (before) => `${first}<!-- ${before} -->`,
      '/part': (before) => (before === 0 ? first : { status: 206, body: pageWith('Part') }),
      '/broken': (before) => (before === 0 ? first : { headers: torn, body: pageWith('Broken') }),
      '/new': (before) => pageWith(before === 0 ? 'First' : 'New'),
    },
  })
  const seen: string[] = []
  const onPage: PageHandler = ({ url, title }) => {
    seen.push(`${new URL(url).pathname} ${title}`)
    return { url }
  }
  const { out } = options('versions')
  await crawl(options('versions', { onPage, seeds: [small.url(`${home}/`)], attempts: 1 })).run()
  expect(seen).toHaveLength(5)
  const { looks, items } = await recrawl({ out, onPage, recrawlPolicy: 'uniform', restSeconds: 0 }).run()
  await small.close()
  expect(seen.slice(5)).toEqual(['/new New'])
  expect([looks?.changes, items]).toEqual([1, 6])
})

describe('the callbacks of a crawl', () => {
  it('report each site once, failed pages, and outcomes as tail lists them', async () => {
    const sites: string[] = []
    const failures: unknown[] = []
    const recorded: RecordedPage[] = []
    const { out } = options('callbacks')
    await crawl(
      options('callbacks', {
        seeds: [web.url(`${home}/`), web.url(`${home}/none`)],
        scope: 'any',
        onSite: ({ site }) => sites.push(site),
        onError: (failure) => failures.push(failure),
        onRecorded: (page) => recorded.push(page),
      }),
    ).run()
    expect(sites).toEqual([`${home}:${web.port}`, `${other}:${web.port}`])
    expect(failures).toEqual([{ url: web.url(`${home}/none`), error: 'http-404' }])
    const listed: RecordedPage[] = []
    for await (const page of tail(out)) listed.push(page)
    expect(recorded).toEqual(listed)
    expect(recorded.find(({ kind }) => kind === 'failed')).toMatchObject({ status: 404 })
    expect(recorded[0]).toMatchObject({
      kind: 'page',
      digest: expect.stringMatching(/^sha1:/) as string,
      warc: { file: expect.stringMatching(/\.warc\.gz$/) as string, offset: expect.any(Number) as number },
    })
  })
})

describe('rankward crawl --on-page', () => {
  const local = ['--allow-private', '--wait', '0']

  it('prints items alone to standard output with --items -', async () => {
    module('title.ts', 'export default ({ title }: { title: string }) => ({ title })')
    const args = ['crawl', web.url(`${home}/`), '--out', 'cli', '--on-page', 'title.ts', '--items', '-']
    const { stdout, stderr, exitCode } = await rankward([...args, '--pages', '3', ...local], folder)
    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(stdout.split('\n')[0]).toBe('{"title":"Home"}')
    expect(stderr).toContain('Items: 3 by the page handler.')
    expect(existsSync(join(folder, 'cli', 'items.jsonl'))).toBe(false)
  })

  it('prints events as tail prints pages', async () => {
    const args = ['crawl', web.url(`${home}/`), '--out', 'events', '--events', '--pages', '2', ...local]
    const lines = (await rankward(args, folder)).stdout.trimEnd().split('\n')
    const ofPages = lines.filter((line) => /"kind":"(page|redirect|failed)"/.test(line))
    const { stdout } = await rankward(['tail', 'events', '--no-follow'], folder)
    expect(ofPages).toEqual(stdout.trimEnd().split('\n'))
    expect(Object.keys(JSON.parse(ofPages[1]) as object)).toEqual(
      'kind url at status contentType title bytes score depth foundOn digest warc'.split(' '),
    )
  })

  it('refuses what cannot work with one line', async () => {
    const args = ['crawl', 'a.example', '--contact', 'a@b.example', '--out', 'no', '--on-page', 'gone.ts']
    expectRefusal(await rankward(args, folder), 2, /gone\.ts: there is no such file/)
    await expect(checkParts({ items: 'a.jsonl' })).rejects.toThrow(
      /^--items belongs to a page handler: give --on-page/,
    )
    const events = { onPage: module('any.ts', ''), items: '-', events: true }
    await expect(checkParts(events)).rejects.toThrow(/^--items - and --events both write to standard output/)
    expect(() => clusterSettings({ seeds: ['http://a.example/'], onPage: () => [] })).toThrow(
      /^A crawl on a cluster needs its page handler as a module/,
    )
  })
})
