/** A crawl of the real web on shards: workers in processes of their own, nats-server, and a served web whose log is the witness. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { readShardGroup, type ShardHead } from '../src/cluster/protocol/shard-group.ts'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import type { SnapshotLimits } from '../src/cluster/crawl/snapshot-store.ts'
import type { WorkerTiming } from '../src/cluster/worker/ports.ts'
import { crawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { gapsBelow } from './support/access-log.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import {
  calmTiming,
  claimsOf,
  journaledUrls,
  memberOfHead,
  quickTiming,
  WorkerCluster,
} from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
/** As seen by the server, whose clock starts when it reads the head of a request. */
const toleranceMs = 3
/** Snapshots, packs and purges from the first groups on. */
const manySnapshots: SnapshotLimits = { growthBytes: 1, packBytes: 1, purgeAfterSeconds: 0 }
/** The shards exchange the rest of their mass in few rounds after the last page, instead of in eighty. */
const damping = 0.2
const killSeed = Number(process.env['SEED'] ?? 1)
const web = syntheticGraph({ pages: 200, sites: 24, seed: 5, linksPerPage: 6 })
const { seed, reachable } = bestSeed(web.graph)

describe.skipIf(withoutNats)(`workers of a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb
  let crawls = 0
  let latencyMs = 0

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    served = await serveWeb(web, { latencyMs: () => latencyMs })
  })
  afterAll(async () => {
    await servers.stop()
    await served.close()
  })

  const options = (more: Partial<CrawlOptions> = {}): CrawlOptions => ({
    seeds: [served.urlOf(seed)],
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    threads: 1,
    damping,
    ...more,
  })

  const newCluster = (
    shards: number,
    more: Partial<CrawlOptions> = {},
    timing?: Partial<WorkerTiming>,
    snapshots?: Partial<SnapshotLimits>,
  ): Promise<WorkerCluster> => {
    const name = `c${crawls++}`
    return WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, name),
      name,
      shards,
      crawl: { ...options(more), out: 'unused' },
      timing,
      snapshots,
    })
  }

  const singleUrls = async (): Promise<string[]> => {
    const urls: string[] = []
    const onEvent: CrawlOptions['onEvent'] = (event) => {
      if (event.kind === 'page') urls.push(event.url)
    }
    await crawl(options({ onEvent })).run()
    return urls.toSorted()
  }

  /** Nothing is lost, nothing is counted twice, and no page was journaled twice. */
  async function expectWhole(cluster: WorkerCluster, shards: number): Promise<void> {
    const urls = await journaledUrls(cluster.streams, shards)
    expect(urls.toSorted()).toEqual(await singleUrls())
    expect(urls).toHaveLength(reachable)
    const { coverage, total, open } = await cluster.masses(damping)
    expect(Math.abs(total - 1)).toBeLessThan(1e-9)
    expect(Math.abs(open)).toBeLessThan(1e-12)
    expect(coverage).toBeGreaterThan(1 - 2e-6)
  }

  it('one worker with one shard requests the pages of a single crawl in the same order', async () => {
    const one: Partial<CrawlOptions> = { connections: 1, robotsTxt: false }
    const paths = (from: number): string[] =>
      served.accesses.slice(from).map(({ site, path }) => `${site}${path}`)
    const cluster = await newCluster(1, one)
    const before = served.accesses.length
    expect(await cluster.ended(await cluster.start())).toBe('finished')
    const byWorker = paths(before)
    const between = served.accesses.length
    await crawl(options(one)).run()
    expect(byWorker).toEqual(paths(between))
    await expectWhole(cluster, 1)
    await cluster.stop()
  })

  it('send mass to other shards soon after they have taken pages, while more pages wait', async () => {
    // Otherwise the seed's shard would send its first message when it has fetched the three pages that it knows.
    const cluster = await newCluster(4, { wait: 2 }, { ...quickTiming, cutSeconds: 3600 })
    const worker = await cluster.start()
    await cluster.untilHeads(
      (heads) => heads.filter((head) => head !== undefined && head.fetched > 0).length > 1,
    )
    await cluster.kill(worker)
    const journal = await cluster.streams.journal(shardOfUrl(served.urlOf(seed), 4))
    let first: ShardHead | undefined
    for await (const { bytes } of journal.read(0)) {
      const { head } = readShardGroup(bytes)
      if (head.cut > 0) first ??= head
    }
    expect(first!.waiting + first!.inFlight).toBeGreaterThan(0)
    await cluster.stop()
  })

  it('refuse to work with a clock that is an hour ahead of the servers', async () => {
    const cluster = await newCluster(2)
    const crawlName = cluster.control.crawl
    const wallMs = (): number => Date.now() + 3_600_000
    const worker = runWorker({ connection, crawl: crawlName, folder: cluster.newFolder(), wallMs })
    await expect(worker).rejects.toThrow(
      /The clock of this machine is 3[56]\d\d seconds ahead of that of the NATS/,
    )
    expect(await cluster.heads()).toEqual([undefined, undefined])
    await cluster.stop()
  })

  it('hand every shard over once when a worker joins, and once when one leaves, also while the crawl is paused', async () => {
    // So many that each worker has some, whatever their names are.
    const shards = 16
    const cluster = await newCluster(shards, {}, calmTiming)
    await cluster.control.command({ kind: 'pause' })
    const before = served.accesses.length
    const first = await cluster.start()
    await cluster.untilHeads((heads) => heads.every((head) => head !== undefined))
    const [firstName] = await cluster.owners()
    const second = await cluster.start()
    await cluster.untilHeads((heads) => new Set(heads.map(memberOfHead)).size === 2)
    await cluster.untilSettled(2)
    first.kill('SIGTERM')
    expect(await cluster.ended(first)).toBe('left')
    await cluster.untilHeads((heads) => heads.every((head) => memberOfHead(head) !== firstName))
    const secondName = (await cluster.owners())[0]
    const claims = await claimsOf(cluster.streams, shards)
    expect(claims).toEqual(claims.map(() => [firstName, secondName]))
    expect(served.accesses.length, 'a paused crawl requests nothing').toBe(before)
    await cluster.control.command({ kind: 'resume' })
    expect(await cluster.ended(second)).toBe('finished')
    await expectWhole(cluster, shards)
    await cluster.stop()
  })

  it('take over a site with its gap although their clocks are ahead of that of the owner before', async () => {
    // Longer than it takes to hand the shards over.
    const wait = 10
    latencyMs = 0
    const cluster = await newCluster(16, { wait, waitFactor: 0, robotsTxt: false })
    const accessesBefore = served.accesses.length
    await cluster.start()
    await cluster.untilFetched(12)
    await cluster.start(undefined, 50_000)
    await cluster.untilHeads((heads) => new Set(heads.map(memberOfHead)).size === 2)
    await cluster.untilSettled(2)
    await cluster.untilFetched((await cluster.fetchedCount()) + 20)
    expect(gapsBelow(served.accesses.slice(accessesBefore), wait, { toleranceMs })).toEqual([])
    await cluster.stop()
  })

  it('take over shards although their clocks are behind that of the owner before, and say it in one line', async () => {
    const wait = 0.2
    latencyMs = 0
    const shards = 16
    const cluster = await newCluster(shards, { wait, waitFactor: 0 })
    const accessesBefore = served.accesses.length
    const lines: string[] = []
    const { crawl: crawlName } = cluster.control
    const start = (): Promise<string> =>
      runWorker({
        connection,
        crawl: crawlName,
        folder: cluster.newFolder(),
        timing: quickTiming,
        onNotice: (line) => lines.push(line),
      })
    // Shards of its own, whose gaps must not change when it takes over the others.
    const worker = start()
    const ahead = await cluster.start(undefined, 40_000)
    await cluster.untilHeads((heads) => new Set(heads.map(memberOfHead)).size === 2)
    await cluster.untilSettled(2)
    await cluster.untilFetched((await cluster.fetchedCount()) + 20)
    await cluster.kill(ahead)
    expect(await worker).toBe('finished')
    expect(gapsBelow(served.accesses.slice(accessesBefore), wait, { toleranceMs })).toEqual([])
    await expectWhole(cluster, shards)
    const said = lines.filter((line) => line.includes('clock'))
    expect(said).toHaveLength(1)
    // The owner before may have written its last fact of that shard some time ago.
    expect(said[0]).toMatch(
      /^The clock of this machine is \d+ seconds behind the journal of shard \d+\. The crawl continues from .*\.$/,
    )
    await cluster.stop()
  })

  it('that are frozen until another has taken their shards over write nothing when they go on', async () => {
    const wait = 0.1
    latencyMs = 20
    const cluster = await newCluster(4, { wait }, undefined, manySnapshots)
    const frozen = await cluster.start()
    await cluster.untilFetched(10)
    const [name] = await cluster.owners()
    frozen.kill('SIGSTOP')
    const other = await cluster.start()
    await cluster.untilHeads((heads) => heads.every((head) => memberOfHead(head) !== name))
    frozen.kill('SIGCONT')
    expect(await Promise.all([cluster.ended(frozen), cluster.ended(other)])).toEqual(['finished', 'finished'])
    await expectWhole(cluster, 4)
    // Gaps are not promised here: requests that were in flight when the process was frozen go on with it.
    await cluster.stop()
  })

  it('that are killed at random moments lose no page, journal none twice and ask no site within its gap', async () => {
    const random = seededRandom(killSeed, 11)
    const kills = process.env['FULL'] === undefined ? 4 : 20
    const wait = 0.1
    latencyMs = 20
    const cluster = await newCluster(16, { wait }, undefined, manySnapshots)
    const accessesBefore = served.accesses.length
    const folders = [cluster.newFolder(), cluster.newFolder(), cluster.newFolder()]
    const workers = await Promise.all(folders.map((each) => cluster.start(each)))
    for (let kill = 0; kill < kills; kill++) {
      await cluster.untilFetched(Math.floor(((kill + random.fraction()) * 0.8 * reachable) / kills))
      const victim = random.below(workers.length)
      await cluster.kill(workers[victim])
      // Some come back at once, with their folder; the shards of others are taken over.
      const isBack = random.below(2) === 0
      workers[victim] = await cluster.start(
        isBack ? folders[victim] : (folders[victim] = cluster.newFolder()),
      )
    }
    expect(await Promise.all(workers.map((worker) => cluster.ended(worker)))).toEqual(
      workers.map(() => 'finished'),
    )
    const accesses = served.accesses.slice(accessesBefore)
    await expectWhole(cluster, 16)
    expect(gapsBelow(accesses, wait, { toleranceMs })).toEqual([])
    await cluster.stop()
  })
})
