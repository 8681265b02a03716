/** A crawl with a topic, on workers: links that mention it lead the way across shards. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { clusterSettings } from '../src/cluster/crawl/create-crawl.ts'
import { exportCluster } from '../src/cluster/operator.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { serveSmall, type SmallWeb } from './support/small-web.ts'
import { journaledUrls, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shards = 4
const home = '127.11.0.1'
const hosts = Array.from({ length: 12 }, (_, i) => `127.11.0.${2 + i}`)
/** On several shards; the others have as many pages without a word about the topic. */
const isSolar = (host: string): boolean => hosts.indexOf(host) % 3 === 0
const words = (host: string): string => (isSolar(host) ? 'Solar energy' : 'Cooking recipes')

const page = (title: string, links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><p>${title} today.${links.join('')}`

const options = (web: SmallWeb, more: Partial<CrawlOptions> = {}): CrawlOptions => ({
  seeds: [web.url(`${home}/`)],
  topic: 'solar energy',
  scope: 'any',
  allowPrivate: true,
  robotsTxt: false,
  threads: 1,
  connections: 1,
  wait: 0.01,
  waitFactor: 0,
  waitPerAddress: 0,
  traps: false,
  nearDuplicates: false,
  out: 'unused',
  ...more,
})

describe.skipIf(withoutNats)(`a topic on workers${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let web: SmallWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const link = (host: string, path: string): string =>
      `<a href="http://${host}:PORT${path}">${words(host)} ${path.slice(1)}</a> `
    const paths = ['/', '/a', '/b', '/c']
    web = await serveSmall({
      [home]: {
        '/': page(
          'Home',
          hosts.map((host) => link(host, '/')),
        ),
      },
      ...Object.fromEntries(
        hosts.map((host) => [
          host,
          Object.fromEntries(
            paths.map((path) => [
              path,
              page(
                `${words(host)} ${path}`,
                paths.map((to) => link(host, to)),
              ),
            ]),
          ),
        ]),
      ),
    })
  })
  afterAll(async () => {
    await servers.stop()
    await web.close()
  })

  it('is followed across shards within a page budget, and all hot pages are known as such', async () => {
    const solar = hosts.filter(isSolar)
    const solarShards = solar.map((host) => shardOfUrl(web.url(`${host}/`), shards))
    expect(new Set(solarShards).size).toBeGreaterThan(1)
    const pages = 1 + 4 * solar.length
    const crawl = options(web, { pages })
    const parts = { servers, connection, folder: join(folder, 'topic'), name: 'topic', shards, crawl }
    const cluster = await WorkerCluster.create(parts)
    const worker = await cluster.start()
    await cluster.ended(worker)
    const urls = await journaledUrls(cluster.streams, shards)
    expect(urls).toHaveLength(pages)
    const onTopic = urls.filter((url) => isSolar(new URL(url).hostname))
    // Grants go to shards before all their pages are known, so a few others are among them: a third would be by chance.
    expect(onTopic.length).toBeGreaterThan(0.75 * pages)
    const to = join(folder, 'pages.jsonl')
    await exportCluster({
      cluster: servers.addresses,
      name: 'topic',
      cache: join(folder, 'cache'),
      to,
      table: 'pages',
    })
    const rows = readFileSync(to, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    const hot = rows
      .map((line) => JSON.parse(line) as { url: string; hot?: boolean })
      .filter((row) => row.hot === true)
    expect(hot.map(({ url }) => url).toSorted()).toEqual(onTopic.toSorted())
    await cluster.stop()
  })

  it('has a strategy of its own there, and refuses those that need what all shards have read', () => {
    expect(clusterSettings(options(web)).strategy).toBe('anchor-similarity')
    expect(clusterSettings(options(web, { strategy: 'rankmass' })).strategy).toBe('rankmass')
    for (const strategy of ['learned-topic', 'hot-queue-breadth-first'] as const)
      expect(() => clusterSettings(options(web, { strategy }))).toThrow(/does not run on several shards/)
  })
})
