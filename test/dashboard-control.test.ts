/** Control of a running crawl over real HTTP: each change has its effect, is recorded, and survives replay and resume. */
import '../src/view/dashboard/register.ts'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { resumeCrawl } from '../src/crawler/crawler.ts'
import type { ControlResult, LiveEvents } from '../src/view/dashboard/api/index.ts'
import { controlEntries } from '../src/crawler/session/crawl-control.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { crawlEngine } from '../src/crawler/replay/crawl-engine.ts'
import { recordedPages } from '../src/crawler/replay/recorded-pages.ts'
import { eventsUntil, get, post, send, until, watchedCrawl, type WatchedCrawl } from './support/dashboard.ts'
import { pageRecords } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))

let watched: WatchedCrawl | undefined
afterEach(async () => {
  await watched?.close()
  watched = undefined
})

async function control(name: string, body: object): Promise<ControlResult> {
  const reply = await post(watched!.url, name, body, watched!.token)
  expect(reply.text).not.toContain('"error"')
  return JSON.parse(reply.text) as ControlResult
}

/** Every page of the record, taken again by an engine that repeats its decisions. */
async function expectReplays(out: string): Promise<void> {
  const opened = CrawlFolder.open(out)
  const record = await opened.readRecord()
  const engine = await crawlEngine({ folder: opened, pages: recordedPages(record) })
  await record.replay(engine)
  expect(engine.pages.fetchedCount).toBe(opened.file.totals?.pages)
  record.close()
}

async function actionsOf(out: string): Promise<string[]> {
  const record = await CrawlFolder.open(out).readRecord()
  const entries = controlEntries(record.settings).map(({ action }) => action)
  record.close()
  return entries
}

describe('a crawl that is controlled', () => {
  it('sends no request while it is paused, continues, and stops', async () => {
    const out = newFolder()
    watched = await watchedCrawl(out, { serve: { latencyMs: 2 } })
    const { url, asked } = watched
    await until(() => asked.length > 20)
    const seen = eventsUntil(
      url,
      (name, body) => name === 'control' && (body as LiveEvents['control']).action === 'pause',
    )
    // The stream is open once its first event is there.
    await until(async () => (await send(`${url}metrics`)).text.includes('rankward_dashboard_clients 1'))
    const { state } = await control('pause', {})
    expect(state).toMatchObject({ isPaused: true, isPossible: true })
    await seen
    await until(async () => (await get(url, 'now')).connections === 0)
    expect((await get(url, 'now')).phase).toBe('paused')
    const before = asked.length
    // Twenty samples of the crawl's own clock: with an open crawl, hundreds of pages would be requested.
    for (let i = 0; i < 20; i++) await get(url, 'now')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(asked.length).toBe(before)
    await control('resume', {})
    await until(() => asked.length > before + 20)
    await control('stop', {})
    const totals = await watched.totals
    expect(totals.stoppedBecause).toBe('interrupted')
    expect(await actionsOf(out)).toEqual(['pause', 'resume', 'stop'])
    await expectReplays(out)
  })

  it('ends at a budget that is set while it runs, and the resumed crawl has it', async () => {
    const out = newFolder()
    watched = await watchedCrawl(out, { heldAfter: 30 })
    await until(() => watched!.asked.length > 30)
    const { entry, state } = await control('settings', {
      pages: 60,
      connections: 3,
      wait: 0.001,
      waitFactor: 0,
    })
    expect(entry.what).toBe('at most 60 pages, 3 connections, gap 1 ms, gap 0 × the last download')
    expect(
      state.settings.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
    ).toEqual([
      ['pages', 60],
      ['wait', 0.001],
      ['waitFactor', 0],
      ['connections', 3],
    ])
    watched.release()
    const totals = await watched.totals
    expect(totals).toMatchObject({ stoppedBecause: 'pages', pages: 60 })
    const { options } = CrawlFolder.open(out).file
    expect(options).toMatchObject({ pages: 60, connections: 3, wait: 0.001 })
    const record = await CrawlFolder.open(out).readRecord()
    // Those of the start, and one for each change: also those within the first half second.
    expect(record.settings.length).toBeGreaterThanOrEqual(2)
    expect(record.settings[0].settings).not.toMatchObject({ pages: 60 })
    expect(record.settings.at(-1)?.settings).toMatchObject({ pages: 60, wait: 0.001 })
    record.close()
    await expectReplays(out)
    const resumed = await resumeCrawl({ out, pages: 80 }).run()
    expect(resumed.pages).toBe(80)
    // The list of changes goes on in the next session.
    expect(await actionsOf(out)).toEqual(['settings'])
    await expectReplays(out)
  })

  it('says what was changed in amounts for people', async () => {
    watched = await watchedCrawl(newFolder(), { heldAfter: 5 })
    await until(async () => (await get(watched!.url, 'control')).isPossible)
    const change = { pages: 52_231, coverage: 0.995, seconds: 75, bytes: 5e9 }
    const { text } = await post(watched.url, 'settings', change, watched.token)
    const { what } = (JSON.parse(text) as { entry: { what: string } }).entry
    expect(what.split(', ').toSorted()).toEqual(
      ['at most 5 GB', 'at most 52,231 pages', 'coverage 99.5%', 'time 1:15 min'].toSorted(),
    )
    const again = await post(watched.url, 'settings', { pages: null, seconds: null }, watched.token)
    const { entry } = JSON.parse(again.text) as { entry: { what: string } }
    expect(entry.what).toBe('no limit of pages, no limit of time')
  })

  it('refuses settings out of range, with the label and the unit of the page', async () => {
    watched = await watchedCrawl(newFolder(), { heldAfter: 5 })
    await until(async () => (await get(watched!.url, 'control')).isPossible)
    const refused: [settings: object, message: string][] = [
      [{ pages: 0 }, '“Pages at most” must be a whole number of at least 1 (field pages).'],
      [{ pages: 1.5 }, '“Pages at most”'],
      [{ pages: '10' }, '“Pages at most”'],
      [
        { coverage: 2 },
        '“Coverage, %” must be a number between 0 and 100 (field coverage: between 0 and 1).',
      ],
      [{ connections: null }, '“Connections” must be a whole number from 1 to 1000000 (field connections).'],
      [{ wait: -1 }, '“Gap, seconds” must be a number of at least 0 (field wait).'],
      [{ bytes: 0 }, '“Bytes, MB” must be a number of at least 0.000001 (field bytes: of at least 1).'],
      [{ maxDepth: 3 }, 'Expected no fields but: pages'],
      [{ colour: 1 }, 'Expected no fields but: pages'],
      [{}, 'at least one setting'],
    ]
    for (const [settings, message] of refused) {
      const { status, text } = await post(watched.url, 'settings', settings, watched.token)
      expect([settings, status]).toEqual([settings, 400])
      expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain(message)
    }
    expect((await get(watched.url, 'control')).entries).toEqual([])
  })

  it('fetches no page that matches an excluded pattern, known before or not', async () => {
    const out = newFolder()
    watched = await watchedCrawl(out, { heldAfter: 30 })
    const { url, served } = watched
    await until(() => watched!.asked.length > 30)
    // The record is behind the crawl at first, and counts pages in flight as waiting.
    let waiting: { readonly url: string } | undefined
    await until(async () => {
      const { rows } = await get(url, 'pages', { state: 'waiting', limit: 200 })
      waiting = rows.find((row) => !watched!.asked.includes(served.pageOf(row.url)!))
      return waiting !== undefined
    })
    const excluded = waiting!.url
    const { host } = new URL(excluded)
    await control('exclude', { pattern: `http://${host}/**` })
    const inFlight = new Set(watched.asked)
    watched.release()
    await watched.totals
    const late = watched.asked
      .filter((page) => !inFlight.has(page))
      .map((page) => new URL(served.urlOf(page)).host)
    expect(late).not.toContain(host)
    expect(late.length).toBeGreaterThan(10)
    const explanation = await explain(out, excluded)
    expect(explanation.state).toBe('scope')
    await expectReplays(out)
  })

  it('adds a seed that gets no trust, and fetches it', async () => {
    const out = newFolder()
    const island = 'http://127.99.0.1:1/island'
    watched = await watchedCrawl(out, { heldAfter: 30 })
    await until(() => watched!.asked.length > 30)
    const { entry } = await control('seed', { url: `${island}#fragment` })
    expect(entry.what).toBe(`added ${island}`)
    const again = await post(watched.url, 'seed', { url: island }, watched.token)
    expect(again.status).toBe(400)
    for (const bad of ['ftp://a.example/', 'nonsense', '']) {
      expect((await post(watched.url, 'seed', { url: bad }, watched.token)).status).toBe(400)
    }
    watched.release()
    await watched.totals
    // Nothing listens there: what counts is that it was tried.
    const record = [...(await pageRecords(out))].find(({ url }) => url === island)
    expect(record).toBeDefined()
    const explanation = await explain(out, island)
    expect(explanation.found).toMatchObject({ depth: 0, path: [island] })
    expect(explanation.state).toBe('unreachable')
    await expectReplays(out)
  })

  it('requests failed pages again on request', async () => {
    const out = newFolder()
    let isBroken = true
    const broken = new Set<number>()
    watched = await watchedCrawl(out, {
      heldAfter: 200,
      options: { attempts: 1, retrySeconds: 0.01 },
      serve: {
        onRequest({ page }, response) {
          if (page === undefined || page % 5 !== 0 || !isBroken) return false
          broken.add(page)
          response.writeHead(500).end()
          return true
        },
      },
    })
    const { url } = watched
    await until(async () => (await get(url, 'control')).retryable.pages > 5)
    isBroken = false
    const { entry, state } = await control('retry', {})
    const [, retried] = /^requests (\d+) failed pages? again$/.exec(entry.what) ?? []
    expect(state.retryable.pages).toBe(0)
    watched.release()
    const totals = await watched.totals
    expect(totals.errors).toHaveProperty('retried-http-500', Number(retried))
    const twice = [...broken].filter((page) => watched!.asked.filter((each) => each === page).length === 2)
    expect(twice.length).toBe(Number(retried))
    await expectReplays(out)
  })
})
