/** Budgets of a crawl of the real web on shards: workers in processes of their own, nats-server, and a served web. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { spentOf } from '../src/cluster/protocol/spent.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import type { CrawlOptions } from '../src/crawler/options/crawl-options.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { journaledUrls, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shards = 6
const web = syntheticGraph({ pages: 120, sites: 16, seed: 7, linksPerPage: 6 })
const { seed, reachable } = bestSeed(web.graph)

describe.skipIf(withoutNats)(`a budget on a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    served = await serveWeb(web, { latencyMs: () => 20 })
  })
  afterAll(async () => {
    await servers.stop()
    await served.close()
  })

  const newCluster = (
    name: string,
    budget: Pick<CrawlOptions, 'pages' | 'seconds' | 'bytes' | 'failures' | 'wait' | 'connections'>,
    more: readonly string[] = [],
  ): Promise<WorkerCluster> =>
    WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, name),
      name,
      shards,
      crawl: {
        seeds: [served.urlOf(seed), ...more],
        scope: 'any',
        wait: 0,
        allowPrivate: true,
        threads: 1,
        out: 'unused',
        ...budget,
      },
    })

  it('of pages is spent to the last page and never exceeded by three workers, one of them killed', async () => {
    const budget = 50
    const cluster = await newCluster('spent', { pages: budget })
    const workers = await Promise.all([cluster.start(), cluster.start(), cluster.start()])
    await cluster.untilFetched(budget / 3)
    await cluster.kill(workers[0])
    workers[0] = await cluster.start()
    const ends = await Promise.all(workers.map((worker) => cluster.ended(worker)))
    expect(ends).toEqual(['pages', 'pages', 'pages'])
    const urls = await journaledUrls(cluster.streams, shards)
    expect(urls).toHaveLength(budget)
    expect(new Set(urls).size).toBe(budget)
    const heads = await cluster.heads()
    const allowed = heads.reduce((sum, head) => sum + (head?.granted ?? 0) - (head?.returned ?? 0), 0)
    expect(allowed).toBe(budget)
    await cluster.stop()
  })

  it('of more pages than there are does not keep the crawl from finishing', async () => {
    const cluster = await newCluster('rich', { pages: reachable + 30 })
    const workers = await Promise.all([cluster.start(), cluster.start()])
    const ends = await Promise.all(workers.map((worker) => cluster.ended(worker)))
    expect(ends).toEqual(['finished', 'finished'])
    expect(await journaledUrls(cluster.streams, shards)).toHaveLength(reachable)
    await cluster.stop()
  })

  it.each([
    ['bytes', { bytes: 1 }],
    ['failures', { failures: 1 }],
  ])('of %s stops all workers', async (reason, budget) => {
    // All pages would take a quarter of a minute.
    const cluster = await newCluster(reason, { ...budget, wait: 2 }, [`${served.urlOf(seed)}/missing`])
    const workers = await Promise.all([cluster.start(), cluster.start()])
    expect(await Promise.all(workers.map((worker) => cluster.ended(worker)))).toEqual([reason, reason])
    expect((await cluster.control.read()).stopped).toBe(reason)
    expect((await journaledUrls(cluster.streams, shards)).length).toBeLessThan(reachable)
    await cluster.stop()
  })

  it('of bytes is not exceeded between two readings of the sums', async () => {
    // A page has about 1,000 bytes, and the worker requests one at a time. It would fetch 15 pages between two beats.
    const bytes = 5000
    const cluster = await newCluster('few-bytes', { bytes, connections: 1 })
    expect(await cluster.ended(await cluster.start())).toBe('bytes')
    const spent = spentOf(await cluster.streams.counts()).bytes
    expect(spent).toBeGreaterThanOrEqual(bytes)
    expect(spent).toBeLessThan(bytes + 3000)
    await cluster.stop()
  })

  it('of time stops all workers, and a pause does not count', async () => {
    // No site is requested a second time within the test.
    const cluster = await newCluster('time', { seconds: 2, wait: 3600 })
    const paused = await cluster.control.command({ kind: 'pause' })
    expect(paused.ranMs(Infinity)).toBe(paused.ranMs(0))
    const workers = await Promise.all([cluster.start(), cluster.start()])
    await cluster.control.command({ kind: 'resume' })
    expect(await Promise.all(workers.map((worker) => cluster.ended(worker)))).toEqual(['time', 'time'])
    const state = await cluster.control.read()
    expect(state.stopped).toBe('time')
    // The time of the stop, by the clock of the servers.
    expect(state.ranMs(0)).toBeGreaterThanOrEqual(2000)
    await cluster.stop()
  })
})
