/** The dashboard of a running crawl and of a finished one, over real HTTP. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import '../src/view/dashboard/register.ts'
import { openDashboard, type Dashboard } from '../src/view/dashboard/dashboard.ts'
import { RecordedSource } from '../src/view/dashboard/recorded-source.ts'
import { compact } from '../src/crawler/record/compact.ts'
import type { LiveEvents, SiteSort } from '../src/view/dashboard/api/index.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { explain, type Explanation } from '../src/crawler/read/explanation.ts'
import { eventsUntil, get, send, until, watchedCrawl, type WatchedCrawl } from './support/dashboard.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

describe('the dashboard of a running crawl', () => {
  let watched: WatchedCrawl
  beforeAll(async () => {
    watched = await watchedCrawl(join(folder, 'live'), { heldAfter: 150 })
    // A page may be requested and not be answered yet: those that are held back.
    await until(async () => (await get(watched.url, 'now')).pages > 100)
  })
  afterAll(() => watched.close())

  it('shows what the crawl is', async () => {
    const info = await get(watched.url, 'crawl')
    expect(info).toMatchObject({
      isLive: true,
      isRunning: true,
      name: 'live',
      strategy: { name: 'exact-rankmass' },
      access: { control: true, hasToken: false },
      has: { guarantee: true, archive: true, freshness: false },
    })
    expect(JSON.stringify(info)).not.toContain(watched.token)
  })

  it('shows the progress of the crawl itself', async () => {
    const before = watched.crawl.progress()
    const now = await get(watched.url, 'now')
    const after = watched.crawl.progress()
    expect(now).toMatchObject({ phase: 'crawling', connectionsMax: 8 })
    expect(now.known).toBeGreaterThanOrEqual(before.known)
    expect(now.known).toBeLessThanOrEqual(after.known)
    expect(now.coverage).toBeGreaterThan(0)
    expect(now.process?.rssBytes).toBeGreaterThan(1e6)
  })

  it('streams the state, points of the series and settled pages, and the importance once it is computed', async () => {
    const events = await eventsUntil(
      watched.url,
      (name, body) => name === 'now' && (body as LiveEvents['now']).importance !== undefined,
    )
    expect(events.map(([name]) => name)).toContain('now')
    const { importance } = events.at(-1)![1] as LiveEvents['now']
    const { held = 0, robots = 0, scope = 0, failed = 0, waiting = 0 } = importance ?? {}
    expect(held + robots + scope + failed + waiting).toBeCloseTo(1, 6)
    const series = await get(watched.url, 'series', { points: 50 })
    expect(series.timeMs.length).toBe(series.coverage.length)
    expect(series.timeMs.length).toBeGreaterThan(0)
  })

  it('shows the queue in the order of the engine, with what gave each score', async () => {
    let queue = await get(watched.url, 'queue', { limit: 20 })
    let explanation: Explanation | undefined
    // The best page may be fetched before it is explained, until the server holds all connections.
    await until(async () => {
      queue = await get(watched.url, 'queue', { limit: 20 })
      explanation = await explain(join(folder, 'live'), queue.next[0].url)
      return explanation.state === 'waiting'
    })
    expect(queue.next.length).toBeGreaterThan(0)
    expect(queue.next.length).toBeLessThanOrEqual(20)
    expect(queue.score).toEqual({ strategy: 'exact-rankmass', isMass: true })
    const due = queue.next.filter(({ because }) => because === 'due').map(({ score }) => score ?? 0)
    expect(due).toEqual(due.toSorted((a, b) => b - a))
    const [best] = queue.next
    // The record may be a moment behind the engine.
    expect(best.givers.length).toBeGreaterThan(0)
    expect(explanation?.score?.mass?.givers.map(({ url }) => url)).toContain(best.givers[0].url)
  })

  it('shows which sites are busy', async () => {
    const sites = await get(watched.url, 'sites', { sort: 'waiting', limit: 200 })
    const states = new Set(sites.rows.map(({ state }) => state))
    expect(states).toContain('busy')
    expect(sites.total).toBe(sites.rows.length)
  })
})

describe('the dashboard of a recorded crawl', () => {
  const out = join(folder, 'recorded')
  let dashboard: Dashboard
  let url: string
  const problems: string[] = []
  beforeAll(async () => {
    const watched = await watchedCrawl(out, {
      options: { pages: 200 },
      serve: { robots: (site) => (site === 3 ? 'User-agent: *\nDisallow: /\n' : undefined) },
    })
    await watched.totals
    await watched.close()
    dashboard = await openDashboard({
      source: new RecordedSource(CrawlFolder.open(out), (what) => problems.push(what)),
      address: { host: '127.0.0.1', port: 0 },
      onProblem: (what) => problems.push(what),
    })
    url = dashboard.url
  })
  afterAll(() => dashboard.close())

  it('shows the totals of the record', async () => {
    const { totals } = CrawlFolder.open(out).file
    // The importance is computed after the first request.
    await until(async () => (await get(url, 'now')).importance !== undefined)
    const now = await get(url, 'now')
    expect(now).toMatchObject({ phase: 'ended', pages: 200, known: totals?.known, waiting: totals?.waiting })
    expect(now.importance?.held).toBeCloseTo(totals!.coverage.guaranteed, 6)
    expect(now.importance?.robots).toBeCloseTo(totals!.coverage.robots, 6)
    const info = await get(url, 'crawl')
    expect(info).toMatchObject({
      isLive: false,
      isRunning: false,
      stoppedBecause: 'pages',
      endText: 'at the page budget',
      access: { control: false },
    })
  })

  it.each<[SiteSort, (row: Record<string, unknown>) => number]>([
    ['pages', (row) => row['pages'] as number],
    ['waiting', (row) => row['waiting'] as number],
    ['held', (row) => row['held'] as number],
    ['bytes', (row) => row['bytes'] as number],
  ])('sorts sites by %s on the server and sends a part of them', async (sort, of) => {
    const all = await get(url, 'sites', { sort, limit: 200 })
    const keys = all.rows.map((row) => of(row as unknown as Record<string, unknown>))
    expect(keys).toEqual(keys.toSorted((a, b) => b - a))
    const part = await get(url, 'sites', { sort, offset: 2, limit: 3 })
    expect(part.rows).toEqual(all.rows.slice(2, 5))
    expect(part.total).toBe(all.total)
    const sum = all.rows.reduce((total, { pages }) => total + pages, 0)
    expect(sum).toBe(200)
  })

  it('shows one site with its requests in time, their gaps and its kinds of pages', async () => {
    const { rows } = await get(url, 'sites', { sort: 'pages', limit: 1 })
    const site = await get(url, 'site', { site: rows[0].site })
    expect(site.pages).toBe(rows[0].pages)
    expect(site.requests.length).toBeGreaterThan(1)
    for (const [i, request] of site.requests.entries()) {
      if (i > 0) expect(request.startMs).toBeGreaterThanOrEqual(site.requests[i - 1].startMs)
      expect(new URL(request.url).host).toBe(rows[0].site)
    }
    expect(site.kinds.reduce((sum, { pages }) => sum + pages, 0)).toBeGreaterThanOrEqual(site.pages)
    const [, second] = site.requests
    const earlier = await get(url, 'site/requests', {
      site: rows[0].site,
      beforeMs: Math.ceil(second.startMs),
      limit: 1,
    })
    expect(earlier.requests.at(-1)!.startMs).toBeLessThanOrEqual(second.startMs)
    await expect(get(url, 'site', { site: 'unknown.example' })).rejects.toThrow(/404/)
  })

  it('lists the best pages that were not fetched, with the cause', async () => {
    const missed = await get(url, 'queue/missed', { limit: 10 })
    const masses = missed.rows.map(({ mass }) => mass)
    expect(masses).toEqual(masses.toSorted((a, b) => b - a))
    const robots = missed.causes.find(({ state }) => state === 'robots')
    expect(robots?.pages).toBeGreaterThan(0)
    const only = await get(url, 'queue/missed', { state: 'robots', limit: 5 })
    expect(only.total).toBe(robots?.pages)
    expect(only.rows.every(({ state, error }) => state === 'robots' && error === 'robots')).toBe(true)
    const resting = await get(url, 'queue/resting')
    expect(resting.rows.length).toBeLessThanOrEqual(50)
  })

  it('replays the queue from the record', async () => {
    const queue = await get(url, 'queue', { limit: 5 })
    const explanation = await explain(out, queue.next[0].url)
    expect(explanation.state).toBe('waiting')
    expect(queue.next[0].score).toBeCloseTo(explanation.score!.value!, 12)
  })

  it('finds pages by a part of their URL, and shows one with its links, versions and archived text', async () => {
    const all = await get(url, 'pages', { state: 'fetched', limit: 200 })
    expect(all.total).toBe(200)
    const [home] = all.rows
    const found = await get(url, 'pages', { q: home.url.slice(7), limit: 5 })
    expect(found.rows.map((row) => row.url)).toContain(home.url)
    const page = await get(url, 'page', { url: home.url })
    expect(page.page).toBe(home.page)
    const links = await get(url, 'page/links', { page: home.page, direction: 'out', limit: 200 })
    expect(links.rows.reduce((sum, { count }) => sum + count, 0)).toBe(page.linksOut)
    const back = await get(url, 'page/links', { page: links.rows[0].page, direction: 'in', limit: 200 })
    expect(back.rows.map((row) => row.page)).toContain(home.page)
    const carried = links.rows.reduce((sum, { carries }) => sum + carries, 0)
    expect(carried).toBeCloseTo(0.85 * home.mass, 9)
    expect(page.versions).toHaveLength(1)
    const headers = await get(url, 'page/headers', { page: home.page })
    expect(headers.headers.map(([name]) => name.toLowerCase())).toContain('content-type')
    const text = await send(`${url}api/v1/page/text?page=${home.page}`)
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.text.length).toBeGreaterThan(20)
  })

  it('explains a page as the command does', async () => {
    const { rows } = await get(url, 'pages', { state: 'fetched', limit: 1 })
    const { explanation, text } = await get(url, 'page/explanation', { page: rows[0].page })
    expect(explanation).toEqual(JSON.parse(JSON.stringify(await explain(out, rows[0].url))))
    expect(text).toContain(rows[0].url)
    expect(text).not.toContain('\u001b')
  })

  it('searches the texts of pages', async () => {
    const { rows } = await get(url, 'pages', { state: 'fetched', limit: 1 })
    const { text } = await send(`${url}api/v1/page/text?page=${rows[0].page}`)
    const word = /\p{L}{5,}/u.exec(text)![0]
    const { hits, matches } = await get(url, 'search', { q: word })
    expect(matches).toBeGreaterThan(0)
    expect(hits[0].snippet.some(({ isMatch }) => isMatch)).toBe(true)
  })

  it('maps the importance by site and directory: the parts sum to the whole', async () => {
    const map = await get(url, 'map', { limit: 5 })
    expect(map.parts).toHaveLength(6)
    const sum = map.parts.reduce((total, { held, resting }) => total + held + resting, 0)
    expect(sum).toBeCloseTo(map.held + map.resting, 12)
    expect(map.held + map.resting).toBeCloseTo(1, 6)
    const [largest] = map.parts
    const inside = await get(url, 'map', { site: largest.name!, limit: 400 })
    expect(inside.held).toBeCloseTo(largest.held, 12)
    const folderPart = inside.parts.find(({ isFolder }) => isFolder)
    if (folderPart !== undefined) {
      const below = await get(url, 'map', { site: largest.name!, path: folderPart.name!, limit: 400 })
      expect(below.held).toBeCloseTo(folderPart.held, 12)
    }
    const graph = await get(url, 'map/graph', { limit: 4 })
    expect(graph.sites).toHaveLength(4)
    expect(graph.links.every(({ from, to }) => from !== to && from < 4 && to < 4)).toBe(true)
  })

  it('refuses a parameter that is too long', async () => {
    expect((await send(`${url}api/v1/pages?q=${'x'.repeat(9000)}`)).status).toBe(400)
  })

  it('answers the same while its record is compacted, and after that', async () => {
    const queries = ['pages?limit=200', 'sites?limit=50', 'page?page=7', 'page/links?page=7', 'queue?limit=5']
    const withoutTimes = (text: string): string => text.replaceAll(/"asOfMs":\d+,?/g, '')
    const answers = (): Promise<string[]> =>
      Promise.all(
        queries.map(async (query) => {
          const { status, text } = await send(`${url}api/v1/${query}`)
          return `${status} ${withoutTimes(text)}`
        }),
      )
    const before = await answers()
    expect(before.map((answer) => answer.slice(0, 3))).toEqual(queries.map(() => '200'))
    const state = { isCompacting: true }
    const compacting = compact(out).finally(() => (state.isCompacting = false))
    do expect(await answers()).toEqual(before)
    while (state.isCompacting)
    await compacting
    // Answers are shared for a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(await answers()).toEqual(before)
    expect(problems).toEqual([])
  })

  it('has no freshness and nothing to control', async () => {
    await expect(get(url, 'freshness')).rejects.toThrow(/404/)
    expect(await get(url, 'control')).toMatchObject({ isPossible: false })
  })

  it.each<[path: string, status: number]>([
    ['sites?limit=x', 400],
    ['sites?sort=colour', 400],
    ['page?page=99999999', 404],
    ['page?url=https%3A%2F%2Fnowhere.example%2F', 404],
    ['page', 400],
    ['state', 404],
    ['givers?pages=1', 404],
    ['__proto__', 404],
    ['constructor', 404],
    ['nothing', 404],
  ])('refuses %s', async (path, status) => {
    const reply = await send(`${url}api/v1/${path}`)
    expect(reply.status).toBe(status)
    expect(JSON.parse(reply.text)).toHaveProperty('error.message')
  })

  it('had no internal error in all this', () => {
    expect(problems).toEqual([])
  })
})

describe('the dashboard of a crawl that fetches pages again', () => {
  it('shows looks, changes and the versions of a page', async () => {
    const out = join(folder, 'continuous')
    const bodies = new Map<number, number>()
    const watched = await watchedCrawl(out, {
      pages: 30,
      sites: 3,
      options: { continuous: true, rate: 1e7, restSeconds: 0, pages: 20 },
      serve: {
        onRequest({ page }, response) {
          if (page === undefined || page % 2 === 0) return false
          const version = (bodies.get(page) ?? 0) + 1
          bodies.set(page, version)
          response.setHeader('Content-Type', 'text/html')
          response.end(`<title>Version ${version}</title><p>Words of version ${'x'.repeat(version)} here`)
          return true
        },
      },
    })
    const { url } = watched
    try {
      await until(async () => {
        const { newest, changes } = await get(url, 'freshness')
        return changes > 0 && newest.length > 0
      })
      const freshness = await get(url, 'freshness')
      expect(freshness).toMatchObject({ policy: 'change-signals', perDay: 1e7 })
      expect(freshness.looks).toBeGreaterThanOrEqual(freshness.changes)
      const [change] = freshness.newest
      const page = await get(url, 'page', { page: change.page })
      expect(page.versions.length).toBeGreaterThan(1)
      expect(page.looks.length).toBeGreaterThan(1)
      const titles = page.versions.map(({ title }) => Number(title?.slice('Version '.length)))
      expect(titles).toEqual(titles.toSorted((a, b) => b - a))
      const older = await send(`${url}api/v1/page/text?page=${change.page}&version=1`)
      expect(older.text).toContain('Words of version')
      expect((await get(url, 'crawl')).has.freshness).toBe(true)
    } finally {
      await watched.close()
    }
  })
})
