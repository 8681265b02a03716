/** Sitemaps of the seeds' sites, on workers. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { gapsBelow } from './support/access-log.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { pageWith, serveSmall, type SmallPage, type SmallWeb } from './support/small-web.ts'
import { journaledUrls, quickTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shards = 4
const [home, linked, elsewhere] = ['127.10.0.1', '127.10.0.2', '127.10.0.3']
const hidden = Array.from({ length: 6 }, (_, i) => `/hidden-${i}`)

const xml = (body: string): SmallPage => ({
  body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  headers: { 'content-type': 'application/xml' },
})
const urls = (list: readonly string[]): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${list.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

describe.skipIf(withoutNats)(`sitemaps on workers${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let web: SmallWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const at = (host: string, path: string): string => `http://${host}:PORT${path}`
    web = await serveSmall({
      [home]: {
        '/': pageWith('home', at(linked, '/')),
        '/sitemap.xml': xml(
          `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${at(home, '/one.xml')}</loc></sitemap></sitemapindex>`,
        ),
        '/one.xml': xml(urls([...hidden.map((path) => at(home, path)), at(elsewhere, '/')])),
        ...Object.fromEntries(hidden.map((path) => [path, pageWith(path)])),
      },
      [linked]: {
        '/': pageWith('linked'),
        // Not one of the seeds' sites.
        '/sitemap.xml': xml(urls([at(linked, '/never')])),
        '/never': pageWith('never'),
      },
      [elsewhere]: { '/': pageWith('elsewhere') },
    })
  })
  afterAll(async () => {
    await servers.stop()
    await web.close()
  })

  const options = (more: Partial<CrawlOptions>): CrawlOptions => ({
    seeds: [web.url(`${home}/`)],
    scope: 'any',
    allowPrivate: true,
    robotsTxt: false,
    threads: 1,
    wait: 0.05,
    waitFactor: 0,
    traps: false,
    nearDuplicates: false,
    out: 'unused',
    ...more,
  })

  async function crawled(name: string, more: Partial<CrawlOptions>, killAfter?: number): Promise<string[]> {
    const cluster = await WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, name),
      name,
      shards,
      crawl: options(more),
      timing: quickTiming,
    })
    const workers = [await cluster.start(), await cluster.start()]
    if (killAfter !== undefined) {
      await cluster.untilFetched(killAfter)
      await cluster.kill(workers[0])
      workers[0] = await cluster.start()
    }
    expect(await Promise.all(workers.map((worker) => cluster.ended(worker)))).toEqual([
      'finished',
      'finished',
    ])
    const found = await journaledUrls(cluster.streams, shards)
    await cluster.stop()
    return found.toSorted()
  }

  it('the pages in the sitemaps of the seeds are crawled, on whichever shard they are, although a worker is killed', async () => {
    const expected = [`${home}/`, `${linked}/`, `${elsewhere}/`, ...hidden.map((path) => `${home}${path}`)]
    const places = new Set(expected.map((place) => shardOfUrl(web.url(place), shards)))
    expect(places.size).toBeGreaterThan(1)
    expect(await crawled('sitemap', { sitemap: true }, 1)).toEqual(
      expected.map((place) => web.url(place)).toSorted(),
    )
    expect(web.asked).not.toContain(`${linked}/sitemap.xml`)
    const ofHome = web.accesses.filter(({ site }) => site === home)
    expect(gapsBelow(ofHome, 0.05, { toleranceMs: 3 })).toEqual([])
  })
})
