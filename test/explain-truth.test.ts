/**
 * Every sentence of `explain`, on random webs with redirects, loops, errors, forbidden pages, nofollow and a trap, compared
 * with what the server was asked and with the record (docs/reference/crawl-output.md, "What explain promises").
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { crawl, recrawl, resumeCrawl, type CrawlTotals } from '../src/crawler/crawler.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { checkExplanations, type Asked, type ServedTruth } from './support/explained-truth.ts'
import { seeded } from './arbitrary-graph.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, `crawl-${crawls++}`)

/** A page links to these pages, or redirects to the first of them. */
interface WebPage {
  readonly links: readonly number[]
  readonly kind: 'plain' | 'nofollow' | 'redirect' | 'missing' | 'private'
}

const kinds = fc.constantFrom<WebPage['kind'][]>(
  'plain',
  'plain',
  'plain',
  'plain',
  'nofollow',
  'redirect',
  'redirect',
  'missing',
  'private',
)

const webs = fc.array(
  fc.record({ kind: kinds, links: fc.array(fc.nat(59), { minLength: 1, maxLength: 6 }) }),
  { minLength: 2, maxLength: 60 },
)

/** Serves a web. Behind `/`, a counter without end: pages that differ in nothing, and lead to more of themselves. */
class RandomWeb implements ServedTruth {
  readonly asked: Asked[] = []
  /** Requests for this path are held back until `release` is called. */
  held: string | undefined
  #release: (() => void) | undefined
  readonly #pages: readonly WebPage[]
  readonly #hasTrap: boolean
  readonly #server: Server
  /** Part of every text: another edition changes all pages. */
  edition = 1

  constructor(pages: readonly WebPage[], hasTrap: boolean) {
    this.#pages = [{ ...pages[0], kind: 'plain' }, ...pages.slice(1)]
    this.#hasTrap = hasTrap
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/'
      if (path === '/robots.txt') {
        response.end('User-agent: *\nDisallow: /private\n')
        return
      }
      const url = this.url(path)
      const location = this.location(url)
      const status = location !== undefined ? 302 : this.#isMissing(path) ? 404 : 200
      this.asked.push({ url, atMs: Date.now(), status })
      const send = (): void => {
        response.writeHead(status, {
          'content-type': 'text/html',
          ...(location === undefined ? {} : { location }),
        })
        response.end(status === 200 ? this.#html(path) : '')
      }
      if (path === this.held) this.#release = send
      else send()
    })
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  release(): void {
    this.held = undefined
    this.#release?.()
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  #number(path: string): number {
    return path === '/' ? 0 : Number(/^\/(?:private-)?[a-z]+(\d+)x$/.exec(path)?.[1] ?? -1)
  }

  #path(page: number): string {
    const at = page % this.#pages.length
    if (at === 0) return '/'
    // Pages of one name would be one kind for trap detection.
    const name = `${'abcdefghij'[at % 10]}${'klmnopqrstuvwxyzabcdefghijklmnop'[Math.floor(at / 10)]}`
    return this.#pages[at].kind === 'private' ? `/private-${name}${at}x` : `/${name}${at}x`
  }

  #pageAt(url: string): WebPage | undefined {
    return this.#pages[this.#number(new URL(url).pathname)]
  }

  #isMissing(path: string): boolean {
    return path.startsWith('/n/') ? false : (this.#pageAt(this.url(path))?.kind ?? 'missing') === 'missing'
  }

  location(url: string): string | undefined {
    const page = this.#pageAt(url)
    return page?.kind === 'redirect' ? this.url(this.#path(page.links[0])) : undefined
  }

  isNofollow(url: string): boolean {
    return this.#pageAt(url)?.kind === 'nofollow'
  }

  linksOf(url: string): readonly string[] {
    const { pathname } = new URL(url)
    const [, count] = /^\/n\/(\d+)$/.exec(pathname) ?? []
    if (count !== undefined) return [1, 2].map((step) => this.url(`/n/${Number(count) + step}`))
    const page = this.#pageAt(url)
    if (page === undefined || page.kind === 'redirect' || page.kind === 'missing') return []
    const trap = pathname === '/' && this.#hasTrap ? [this.url('/n/1')] : []
    const links = page.links.map((link) => this.url(this.#path(link))).filter((link) => link !== url)
    return [...new Set([...trap, ...links])]
  }

  #html(path: string): string {
    const url = this.url(path)
    const robots = this.isNofollow(url) ? '<meta name=robots content=nofollow>' : ''
    const text = path.startsWith('/n/')
      ? 'the same on every page of this kind, whatever its number may be'
      : path
    const links = this.linksOf(url).map((link) => `<a href="${link}">x</a>`)
    return `${robots}<title>${path}</title><p>${text} ${this.edition}</p>${links.join(' ')}`
  }
}

const opened: RandomWeb[] = []
afterAll(() => {
  for (const web of opened) web.close()
})

async function served(pages: readonly WebPage[], hasTrap: boolean): Promise<RandomWeb> {
  const web = new RandomWeb(pages, hasTrap)
  await web.open()
  opened.push(web)
  return web
}

const options = {
  wait: 0,
  connections: 1,
  threads: 1,
  allowPrivate: true,
  warc: false,
  attempts: 1,
  patience: 0,
} as const

describe('what explain says is true', () => {
  const seen = new Map<string, number>()

  it.each(['breadth-first', 'exact-rankmass'])('of every page of a random crawl by %s', async (strategy) => {
    await fc.assert(
      fc.asyncProperty(
        webs,
        fc.boolean(),
        fc.integer({ min: 1, max: 120 }),
        fc.boolean(),
        async (pages, hasTrap, budget, isResumed) => {
          const web = await served(pages, hasTrap)
          const out = newFolder()
          const made = { ...options, seeds: [web.url('/')], out, strategy }
          let totals: CrawlTotals = await crawl({
            ...made,
            pages: isResumed ? Math.ceil(budget / 2) : budget,
          }).run()
          if (isResumed && totals.stoppedBecause === 'pages')
            totals = await resumeCrawl({ out, pages: budget }).run()
          const isBreadthFirst = strategy === 'breadth-first'
          for (const [kind, times] of await checkExplanations({ out, truth: web, totals, isBreadthFirst }))
            seen.set(kind, (seen.get(kind) ?? 0) + times)
          web.close()
        },
      ),
      // Shrinking repeats whole crawls: the seed suffices.
      { ...seeded(8), endOnFailure: true },
    )
  })

  it('of a large crawl with a trap, whose pages are put last', async () => {
    // Sixteen chains, and the counter beside them, which is poor after a few dozen pages.
    const chains = 16
    const redirects = new Map([
      [50, 60],
      [60, 50],
      [70, 60],
      [80, 80],
      [90, 2],
    ])
    const pages = Array.from({ length: 319 }, (_, i): WebPage => {
      const target = redirects.get(i + 1)
      return target === undefined
        ? { kind: 'plain', links: i + 1 + chains < 320 ? [i + 1 + chains] : [1] }
        : { kind: 'redirect', links: [target] }
    })
    const first = Array.from({ length: chains }, (_, i) => i + 1)
    const web = await served([{ kind: 'plain', links: first }, ...pages], true)
    const out = newFolder()
    const totals = await crawl({
      ...options,
      seeds: [web.url('/')],
      out,
      strategy: 'breadth-first',
      pages: 300,
    }).run()
    const kinds = await checkExplanations({ out, truth: web, totals, isBreadthFirst: true })
    for (const [kind, times] of kinds) seen.set(kind, (seen.get(kind) ?? 0) + times)
  })

  it('of pages that were fetched again', async () => {
    const pages = Array.from({ length: 12 }, (_, i): WebPage => ({ kind: 'plain', links: [i + 1, i + 2] }))
    const web = await served(pages, false)
    const out = newFolder()
    await crawl({ ...options, seeds: [web.url('/')], out, strategy: 'breadth-first' }).run()
    // The next second, so that the times of the versions differ.
    while (Math.floor(Date.now() / 1000) === Math.floor((web.asked.at(-1)?.atMs ?? 0) / 1000))
      await new Promise((resolve) => setTimeout(resolve, 50))
    web.edition = 2
    const totals = await recrawl({ out, recrawlPolicy: 'uniform', restSeconds: 0 }).run()
    const kinds = await checkExplanations({
      out,
      truth: web,
      totals,
      isBreadthFirst: true,
      isRefreshed: true,
    })
    expect([...kinds.keys()].some((kind) => kind.includes('its newest version'))).toBe(true)
  })

  it('of a waiting page while the crawl runs, and after it was stopped', async () => {
    const pages = Array.from({ length: 6 }, (_, i): WebPage => ({
      kind: 'plain',
      links: [i + 1, i + 2, i + 3],
    }))
    const web = await served(pages, false)
    const out = newFolder()
    const [first, second] = web.linksOf(web.url('/'))
    web.held = new URL(first).pathname
    const running = crawl({ ...options, seeds: [web.url('/')], out, strategy: 'breadth-first' })
    const ended = running.run()
    const told = async (url: string): Promise<string> => explanationText(out, await explain(out, url))
    // Durable half a second after the page was found.
    for (;;) {
      const text = await told(second).catch(() => '')
      if (text.includes('Not fetched yet')) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const text = await told(second)
    expect(text).toMatch(
      /^Not fetched yet: the crawl is running, and it waits with \d other pages?, \d of them ahead of it\.$/m,
    )
    expect(text).not.toMatch(/interrupt|resume/)
    expect(await told(first)).toMatch(
      /^Not fetched yet: the crawl is running, and (?:it is being requested|it waits .*)\.$/m,
    )
    running.stop()
    web.release()
    await ended
    expect(await told(second)).toMatch(
      /^Not fetched yet: the crawl stopped because it was interrupted while it waited with /m,
    )
    expect(await told(second)).toMatch(/^Next +rankward resume /m)
  })

  it('and the crawls above had every kind of sentence', () => {
    const kinds = [...seen.keys()].join('\n')
    for (const part of [
      'A redirect',
      'redirect loop',
      'without success',
      'robots',
      'Not fetched yet',
      'without a higher score: trap detection',
      'with a higher score',
      'says nofollow',
      'rest on it',
    ])
      expect(kinds).toContain(part)
  })
})
