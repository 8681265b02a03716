/** A continuous crawl on workers, over nats-server and a served web that changes: fresh, at one rate, although workers are killed. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { rateShares } from '../src/cluster/protocol/rate-shares.ts'
import type { ShardHead } from '../src/cluster/protocol/shard-group.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { rankward } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { pageWith, serveSmall, type SmallPage, type SmallWeb } from './support/small-web.ts'
import { journaledUrls, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shards = 4
const hosts = Array.from({ length: 8 }, (_, i) => `127.9.0.${i + 1}`)
const pagesPerHost = 5
const perSecond = 20
/** The only page that changes, at every request. */
const lively = `${hosts[3]}/0`
const all = hosts.flatMap((host) => [
  `${host}/`,
  ...Array.from({ length: pagesPerHost }, (_, i) => `${host}/${i}`),
])

describe.skipIf(withoutNats)(`a continuous crawl on workers${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let web: SmallWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const links = hosts.map((host) => `http://${host}:PORT/`)
    const site = (host: string): Record<string, SmallPage> => ({
      '/': pageWith(host, ...links, ...Array.from({ length: pagesPerHost }, (_, i) => `/${i}`)),
      ...Object.fromEntries(
        Array.from({ length: pagesPerHost }, (_, i): [string, SmallPage] => [
          `/${i}`,
          (before) =>
            pageWith(`${host}/${i}${`${host}/${i}` === lively ? ` version ${before}` : ''}`, ...links),
        ]),
      ),
    })
    web = await serveSmall(Object.fromEntries(hosts.map((host) => [host, site(host)])))
  })
  afterAll(async () => {
    await servers.stop()
    await web.close()
  })

  const options = (more: Partial<CrawlOptions> = {}): CrawlOptions => ({
    seeds: [web.url(`${hosts[0]}/`)],
    scope: 'any',
    allowPrivate: true,
    robotsTxt: false,
    threads: 1,
    wait: 0.02,
    waitFactor: 0,
    waitPerAddress: 0,
    traps: false,
    nearDuplicates: false,
    out: 'unused',
    continuous: true,
    rate: perSecond * 86_400,
    restSeconds: 0,
    ...more,
  })
  const timesOf = (place: string): number => web.asked.filter((asked) => asked === place).length
  /** Whether the page that changes is looked at more often than the others that only their own hosts link to. */
  const isPreferred = (): boolean => {
    const others = all.filter((place) => place !== lively && !place.endsWith('/'))
    const mean = others.reduce((sum, place) => sum + timesOf(place), 0) / others.length
    return timesOf(lively) > 1.5 * mean
  }
  const looksOf = (heads: readonly (ShardHead | undefined)[]): number =>
    heads.reduce((sum, head) => sum + (head?.looks ?? 0), 0)

  it('finds every page, looks more often at what changes, and never exceeds its rate, although a worker is killed', async () => {
    const cluster = await WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, 'news'),
      name: 'news',
      shards,
      crawl: options(),
    })
    const workers = [await cluster.start(), await cluster.start()]
    await cluster.untilSettled(2)
    await cluster.untilHeads((heads) => looksOf(heads) > 3 * all.length)
    await cluster.kill(workers[0])
    const before = looksOf(await cluster.heads())
    // The other one takes the shards over, with their shares of the rate.
    await cluster.untilHeads((heads) => looksOf(heads) > before + 5 * all.length && isPreferred())
    await cluster.control.command({ kind: 'stop', reason: 'user' })
    expect(await cluster.ended(workers[1])).toBe('user')
    const heads = (await cluster.heads()) as ShardHead[]
    const granted = heads.reduce((sum, head) => sum + head.sharesGranted - head.sharesReturned, 0)
    expect(granted).toBeLessThanOrEqual(rateShares(shards))
    expect((await journaledUrls(cluster.streams, shards)).toSorted()).toEqual(
      all.map((place) => web.url(place)).toSorted(),
    )
    // A second's tokens and one for each worker may be saved; requests of the killed worker are repeated.
    const starts = web.accesses.map(({ startMs }) => startMs / 1000).toSorted((a, b) => a - b)
    // A busy server may see one request of each host late.
    for (const span of [5, 20])
      expect(mostWithin(starts, span)).toBeLessThanOrEqual(perSecond * (span + 1) + 3 + hosts.length)
    await cluster.stop()
    const addresses = servers.addresses.flatMap((address) => ['--cluster', address])
    const { stdout } = await rankward(['status', ...addresses, '--name', 'news', '--json'])
    const status = JSON.parse(stdout) as { pages: number; looks: number; looksPerSecond: number }
    expect(status.pages).toBe(all.length)
    expect(status.looks).toBeGreaterThan(before + 5 * all.length)
    expect(status.looksPerSecond).toBeGreaterThan(0)
    const shown = await rankward(['status', ...addresses, '--name', 'news'])
    expect(shown.stdout).toMatch(/looks {9}[\d,]+ \([\d.]+ per second\)/)
  })
})

/** The most of these times within so many seconds. */
function mostWithin(times: readonly number[], span: number): number {
  let most = 0
  for (let end = 0, start = 0; end < times.length; end++) {
    while (times[start] <= times[end] - span) start++
    most = Math.max(most, end - start + 1)
  }
  return most
}
