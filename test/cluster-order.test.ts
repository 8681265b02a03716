/** The order of pages between workers of the real web, where the best pages cannot be had. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { readJournalForm } from '../src/cluster/jetstream/shard-group-bytes.ts'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { clusterCrawl } from '../src/cluster/crawl/cluster-crawl.ts'
import { createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { GroupBytes } from '../src/crawler/record/group.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { pageWith, serveSmall, type SmallPage, type SmallWeb } from './support/small-web.ts'
import { journaledUrls, memberOfHead, quickTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shards = 6
const dead = '127.1.0.2'
const slow = '127.1.0.3'
const good = ['127.1.0.4', '127.1.0.5', '127.1.0.6', '127.1.0.7']
const pagesEach = 5
const paths = Array.from({ length: pagesEach }, (_, i) => `/${i}`)

describe.skipIf(withoutNats)(`patient workers${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let web: SmallWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const linksTo = (site: string): string[] => paths.map((path) => `http://${site}:PORT${path}`)
    // Most of the mass is on the pages of the site that responds once and then rests for an hour.
    const best = [...linksTo(dead), ...linksTo(dead)]
    const others = [slow, ...good].flatMap((site) => [`http://${site}:PORT/0`, `http://${site}:PORT/1`])
    const pages = (page: (path: string) => SmallPage): Record<string, SmallPage> =>
      Object.fromEntries(paths.map((path) => [path, page(path)]))
    let deadRequests = 0
    web = await serveSmall({
      '127.1.0.1': { '/': pageWith('home', ...best, ...others) },
      [dead]: pages(
        (path) => () =>
          deadRequests++ === 0
            ? pageWith(`dead ${path}`, ...paths)
            : { status: 503, headers: { 'retry-after': '3600' } },
      ),
      [slow]: pages((path) => ({ body: pageWith(`slow ${path}`, ...paths), afterMs: 2000 })),
      ...Object.fromEntries(
        good.map((site) => [site, pages((path) => pageWith(`${site}${path}`, ...paths))]),
      ),
    })
  })
  afterAll(async () => {
    await servers.stop()
    await web.close()
  })

  const options = (more: Partial<CrawlOptions> = {}): CrawlOptions => ({
    seeds: [web.url('127.1.0.1/')],
    scope: 'any',
    allowPrivate: true,
    robotsTxt: false,
    threads: 1,
    // So that few pages may be taken in any order.
    connections: 1,
    wait: 0.02,
    waitFactor: 0,
    out: 'unused',
    ...more,
  })

  it('spend the budget although the best pages are on a dead and a slow site and their owner is killed', async () => {
    const pages = 12
    const cluster = await WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, 'budget'),
      name: 'budget',
      shards,
      crawl: options({ pages }),
      timing: { ...quickTiming, orderSeconds: 0.5 },
    })
    const folders = [cluster.newFolder(), cluster.newFolder()]
    const workers = await Promise.all(folders.map((each) => cluster.start(each)))
    const names = folders.map(
      (each) => (JSON.parse(readFileSync(join(each, 'worker.json'), 'utf8')) as { worker: string }).worker,
    )
    await cluster.untilFetched(4)
    // The owner of the best pages. The other worker takes its shards over.
    const owner = memberOfHead((await cluster.heads())[shardOfUrl(web.url(`${dead}/`), shards)])
    const victim = Math.max(0, names.indexOf(owner!))
    await cluster.kill(workers[victim])
    expect(await cluster.ended(workers[1 - victim])).toBe('pages')
    const urls = await journaledUrls(cluster.streams, shards)
    expect(urls).toHaveLength(pages)
    expect(urls.filter((url) => url.includes(`${dead}:`)).length).toBeLessThanOrEqual(1)
    expect(await priceCount(cluster)).toBeGreaterThan(0)
    await cluster.stop()
  })

  it('are those of a crawl that ends at a number of pages or a coverage, unless the frontier has no best page', async () => {
    const isPatient = async (name: string, more: Partial<CrawlOptions>): Promise<boolean> => {
      const made = { connection, name, shards: 1, replicas: 1, options: options(more) }
      return clusterCrawl((await createCrawl(made)).state).settings.patience > 0
    }
    expect(await isPatient('a', { pages: 5 })).toBe(true)
    expect(await isPatient('b', { coverage: 0.5 })).toBe(true)
    expect(await isPatient('c', {})).toBe(false)
    expect(await isPatient('d', { pages: 5, frontier: 'mercator' })).toBe(false)
    const refused = { connection, name: 'e', shards: 1, replicas: 1 }
    const patient = options({ frontier: 'mercator', patience: 0.1 })
    await expect(createCrawl({ ...refused, options: patient })).rejects.toThrow(/use two-level/)
  })
})

/** How often a price was used for a choice. */
async function priceCount(cluster: WorkerCluster): Promise<number> {
  let count = 0
  for (let shard = 0; shard < shards; shard++) {
    for await (const { bytes } of (await cluster.streams.journal(shard)).read(0)) {
      const facts = new GroupBytes(readJournalForm(bytes).group).section('facts')
      readFacts(facts, { price: () => void count++ })
    }
  }
  return count
}
