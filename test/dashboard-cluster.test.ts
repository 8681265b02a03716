/** The dashboard of a crawl on a cluster: a real nats-server, two workers in processes of their own, and a real browser. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import '../src/view/dashboard/register.ts'
import { ClusterSource } from '../src/view/dashboard/cluster/cluster-source.ts'
import { openDashboard, type Dashboard } from '../src/view/dashboard/dashboard.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { chromiumNote, startChromium, withoutChromium } from './support/chromium.ts'
import { get, post, send, until } from './support/dashboard.ts'
import { openTab, pixelsOutside, screenshot, show, violations, widths } from './support/dashboard-tab.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { calmTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const promtool = '/usr/bin/promtool'
const web = syntheticGraph({ pages: 12_000, sites: 30, seed: 5, linksPerPage: 6 })
const { seed } = bestSeed(web.graph)
/** So many that each of two workers has some, whatever their names are. */
const shardCount = 16
/** Later requests take four seconds each, so that the crawl lasts longer than the tests on a busy machine. */
const quickRequests = 200

describe.skipIf(withoutNats)(`the dashboard of a crawl on a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb
  let cluster: WorkerCluster
  let dashboard: Dashboard
  let url: string
  const problems: string[] = []

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    let requests = 0
    served = await serveWeb(web, {
      keepAccesses: false,
      latencyMs: () => (requests++ < quickRequests ? 0 : 4000),
      onRequest({ page }, response) {
        if (page === undefined || page === seed || page % 9 !== 0) return false
        response.writeHead(404).end()
        return true
      },
    })
    cluster = await WorkerCluster.create({
      servers,
      connection,
      folder,
      name: 'news',
      shards: shardCount,
      crawl: { seeds: [served.urlOf(seed)], scope: 'any', wait: 0, allowPrivate: true, threads: 1 },
      timing: calmTiming,
    })
    await Promise.all([cluster.start(), cluster.start()])
    await cluster.untilSettled(2)
    await cluster.untilFetched(60)
    dashboard = await openDashboard({
      source: await ClusterSource.open({ connection, crawl: 'news' }),
      address: { host: '127.0.0.1', port: 0 },
      onProblem: (what) => problems.push(what),
    })
    url = dashboard.url
  })
  afterAll(async () => {
    await dashboard?.close()
    await cluster?.stop()
    await served?.close()
    await servers?.stop()
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })

  it('sums the journals of all shards', async () => {
    const info = await get(url, 'crawl')
    expect(info).toMatchObject({
      name: 'news',
      isRunning: true,
      has: { cluster: true, record: false, guarantee: true },
      access: { control: true },
    })
    const [now, reading] = [await get(url, 'now'), await get(url, 'cluster')]
    const before = await cluster.fetchedCount()
    expect(now.pages).toBeGreaterThanOrEqual(60)
    expect(now.pages).toBeLessThanOrEqual(before)
    expect(now.errors).toContainEqual({ error: 'http-404', count: now.failed })
    expect(now.failed).toBeGreaterThan(0)
    expect(now.bytes).toBeGreaterThan(0)
    expect(now.coverage).toBeGreaterThan(0)
    expect(now).not.toHaveProperty('sites')
    const { importance } = now
    expect(importance!.held + importance!.waiting + importance!.unobtainable!).toBeCloseTo(1, 9)

    expect(reading).toMatchObject({ phase: 'running', liveWorkers: 2, goneWorkers: 0, stalledCount: 0 })
    expect(reading.shardCounts).toEqual({ owned: shardCount, released: 0, orphaned: 0, unclaimed: 0 })
    expect(reading.workers.map(({ shards }) => shards).reduce((a, b) => a + b)).toBe(shardCount)
    expect(Object.values(reading.mass!).reduce((a, b) => a + b)).toBeCloseTo(1, 9)
    expect(reading.links.sent).toBeGreaterThan(0)
  })

  it('sorts and pages shards on the server', async () => {
    const shards = await get(url, 'cluster/shards', { sort: 'pages', limit: 3 })
    const pages = shards.rows.map((row) => row.pages)
    expect(shards).toMatchObject({ total: shardCount, offset: 0 })
    expect(pages).toHaveLength(3)
    expect(pages).toEqual(pages.toSorted((a, b) => b - a))
    expect(
      (await get(url, 'cluster/shards', { offset: shardCount - 1 })).rows.map(({ shard }) => shard),
    ).toEqual([shardCount - 1])
    expect((await send(`${url}api/v1/cluster/shards?sort=worker`)).status).toBe(400)
  })

  it('refuses what needs the pages, which are on the workers', async () => {
    for (const name of ['pages', 'sites', 'queue', 'map', 'page?page=0', 'page/text?page=0', 'freshness']) {
      const { status, text } = await send(`${url}api/v1/${name}`)
      expect([name, status]).toEqual([name, 404])
      expect(text).toContain('on a cluster')
    }
  })

  it('has metrics with few labels, none of them a worker or a shard', async () => {
    const { text } = await send(`${url}metrics`)
    expect(text).toMatch(/^rankward_cluster_workers\{state="live"\} 2$/m)
    expect(text).toMatch(/^rankward_cluster_shards\{state="owned"\} 16$/m)
    expect(text).toMatch(/^rankward_cluster_mass_ratio\{part="held"\} 0\.\d+$/m)
    expect(text).toMatch(/^rankward_cluster_messages_total [1-9]\d*$/m)
    for (const name of ['rankward_waiting_sites', 'rankward_outage', 'rankward_connections_limit'])
      expect(text).not.toContain(name)
    const values = new Set([...text.matchAll(/="([^"]*)"/g)].map(([, value]) => value))
    for (const { worker } of (await get(url, 'cluster')).workers) expect(values).not.toContain(worker)
    if (!existsSync(promtool)) return
    const { stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })
    expect(stdout + stderr).toBe('')
  })

  it('gives commands only with the token, and only those of a cluster', async () => {
    expect((await post(url, 'pause', {})).status).toBe(401)
    expect((await post(url, 'pause', {}, 'wrong')).status).toBe(401)
    const settings = await post(url, 'settings', { pages: 5 }, dashboard.token)
    expect([settings.status, settings.text]).toEqual([409, expect.stringContaining('paused, continued')])
    expect((await post(url, 'stop', { isAbrupt: true }, dashboard.token)).status).toBe(400)
    expect((await post(url, 'explode', {}, dashboard.token)).status).toBe(404)
    expect((await cluster.control.read()).isPaused).toBe(false)
  })

  describe.skipIf(withoutChromium)(`in a browser${chromiumNote}`, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await startChromium()
    })
    afterAll(() => browser?.close())

    const menu = (page: Page): Promise<string[]> => page.locator('.views a').allInnerTexts()

    it.each(widths)('shows Now, Cluster and Control at %i pixels', async (width) => {
      const colorScheme = width === 1280 ? 'dark' : 'light'
      const { page, complaints } = await openTab(browser, url, { width, colorScheme })
      expect(await menu(page)).toEqual(['Now', 'Cluster', 'Control'])
      for (const view of ['now', 'cluster', 'control']) {
        await show(page, `#/${view}`)
        expect([view, await pixelsOutside(page)]).toEqual([view, 0])
        if (width === 1280) expect(await violations(page)).toEqual([])
        await screenshot(page, `cluster-${view}-${width}`)
      }
      await show(page, '#/cluster?sort=pages')
      expect(await page.locator('[aria-sort="descending"]').innerText()).toContain('Pages')
      expect(await page.locator('.badge', { hasText: 'live' }).count()).toBe(2)
      expect(complaints).toEqual([])
      await page.context().close()
    })

    it('pauses, continues and stops the crawl after confirmation', async () => {
      const { page } = await openTab(browser, url)
      await show(page, '#/control')
      await page.getByRole('button', { name: 'Enter the token' }).click()
      await page.locator('#token-input').fill(dashboard.token)
      await page.getByRole('button', { name: 'Use it' }).click()
      const use = async (name: 'Pause' | 'Continue' | 'Stop', confirm: string): Promise<void> => {
        await page.getByRole('button', { name: `${name}…` }).click()
        await page.getByRole('button', { name: confirm, exact: true }).click()
      }
      await page.getByRole('button', { name: 'Pause…' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect((await cluster.control.read()).isPaused).toBe(false)
      await use('Pause', 'Pause')
      await page.getByText('The crawl is paused.').waitFor()
      expect((await cluster.control.read()).isPaused).toBe(true)
      await page.locator('.phase[data-phase="paused"]').waitFor()
      await use('Continue', 'Continue')
      await page.getByText('The crawl is running.').waitFor()
      expect((await cluster.control.read()).isPaused).toBe(false)
      await use('Stop', 'Stop the crawl')
      await page.getByText('The crawl is stopped.').waitFor()
      expect((await cluster.control.read()).stopped).toBe('by the dashboard')
      await page.locator('.phase', { hasText: 'stopped' }).waitFor()
      await screenshot(page, 'cluster-stopped-1280')
      const { entries, actions } = await get(url, 'control')
      expect(entries.map(({ action }) => action)).toEqual(['stop', 'resume', 'pause'])
      expect(actions).toEqual(['resume'])
      await until(async () => (await get(url, 'cluster')).shardCounts.released === shardCount)
      await page.context().close()
    })
  })

  it.runIf(process.env['FULL'] === '1')(
    'keeps the last figures while the servers do not respond, and says so',
    async () => {
      const before = await get(url, 'now')
      await servers.kill(0)
      await until(async () => (await get(url, 'now')).problem !== undefined)
      const now = await get(url, 'now')
      expect(now.problem).toMatch(/NATS/)
      expect(now.pages).toBeGreaterThanOrEqual(before.pages)
      expect((await post(url, 'pause', {}, dashboard.token)).status).toBe(409)
    },
  )
})
