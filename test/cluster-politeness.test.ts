/** Politeness of several workers at one address: workers in processes of their own, nats-server, and the log of the web server. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ShardHead } from '../src/cluster/protocol/shard-group.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { gapsBelow } from './support/access-log.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { journaledUrls, memberOfHead, quickTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const shards = 16
const address = '127.1.0.1'
/**
 * All at this address. Each has a registered domain of its own. They are on 14 shards, so that more than one worker has some, whatever
 * the names of the workers are.
 */
const sites = Array.from({ length: 24 }, (_, i) => `site-${i}.test`)
const pagesPerSite = 1
const gapSeconds = 0.1
/** As seen by the server, whose clock starts when it reads the head of a request. */
const toleranceMs = 3

describe.skipIf(withoutNats)(`an address that sites of several workers share${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let web: SmallWeb
  let crawls = 0

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const paths = Array.from({ length: pagesPerSite }, (_, i) => (i === 0 ? '/' : `/${i}`))
    const page = (path: string) => ({
      [path]: (_: number, request: { headers: { host?: string | undefined } }) => ({
        body: pageWith(`${path} of ${request.headers.host}`, ...paths),
        afterMs: 20,
      }),
    })
    web = await serveSmall({ [address]: Object.assign({}, ...paths.map(page)) as ReturnType<typeof page> })
  })
  afterAll(async () => {
    await servers.stop()
    await web.close()
  })

  const newCluster = (more: Partial<CrawlOptions> = {}): Promise<WorkerCluster> => {
    const name = `c${crawls++}`
    const crawl: CrawlOptions = {
      seeds: sites.map((site) => `http://${site}/`),
      scope: 'any',
      connectTo: [`::${address}:${web.port}`],
      wait: gapSeconds,
      waitPerAddress: gapSeconds,
      waitFactor: 0,
      robotsTxt: false,
      threads: 1,
      // The shards exchange the rest of their mass in few rounds after the last page, instead of in eighty.
      damping: 0.2,
      allowPrivate: true,
      out: 'unused',
      ...more,
    }
    return WorkerCluster.create({ servers, connection, folder: join(folder, name), name, shards, crawl })
  }

  /** Every page is journaled once. */
  async function expectWhole(cluster: WorkerCluster): Promise<void> {
    expect(await journaledUrls(cluster.streams, shards)).toHaveLength(sites.length * pagesPerSite)
  }

  /** Waits until all shards are claimed, by more than one worker. */
  const untilShared = (cluster: WorkerCluster): Promise<void> =>
    cluster.untilHeads((heads) => {
      const isClaimed = heads.every((head) => head !== undefined && head.kind !== 'released')
      return isClaimed && new Set(heads.map(memberOfHead)).size > 1
    })

  const workersWithPages = (heads: readonly (ShardHead | undefined)[]): number =>
    new Set(heads.filter((head) => head !== undefined && head.fetched > 0).map(memberOfHead)).size

  it('gets one request at a time, with its gap between them, also after a worker was killed', async () => {
    const before = web.accesses.length
    const cluster = await newCluster()
    await cluster.control.command({ kind: 'pause' })
    const workers = await Promise.all([cluster.start(), cluster.start(), cluster.start()])
    await untilShared(cluster)
    await cluster.control.command({ kind: 'resume' })
    await cluster.untilHeads((heads) => workersWithPages(heads) > 1)
    await cluster.kill(workers[0])
    workers[0] = await cluster.start()
    const ends = await Promise.all(workers.map((worker) => cluster.ended(worker)))
    expect(ends).toEqual(workers.map(() => 'finished'))
    await expectWhole(cluster)
    const accesses = web.accesses.slice(before)
    expect(accesses.length).toBeGreaterThanOrEqual(sites.length * pagesPerSite)
    expect(gapsBelow(accesses, gapSeconds, { toleranceMs })).toEqual([])
    await cluster.stop()
  })

  it('gets no request in the gap of another after a worker was frozen, except the one that was in flight', async () => {
    const before = web.accesses.length
    const cluster = await newCluster()
    const frozenFolder = cluster.newFolder()
    await cluster.control.command({ kind: 'pause' })
    const [frozen, other] = await Promise.all([cluster.start(frozenFolder), cluster.start()])
    await untilShared(cluster)
    await cluster.control.command({ kind: 'resume' })
    await cluster.untilHeads((heads) => workersWithPages(heads) > 1)
    const { worker: name } = JSON.parse(readFileSync(join(frozenFolder, 'worker.json'), 'utf8')) as {
      worker: string
    }
    frozen.kill('SIGSTOP')
    await cluster.untilHeads((heads) => heads.every((head) => memberOfHead(head) !== name))
    frozen.kill('SIGCONT')
    expect(await Promise.all([cluster.ended(frozen), cluster.ended(other)])).toEqual(['finished', 'finished'])
    await expectWhole(cluster)
    // A request that was about to be sent is in the gaps before and after it.
    const violations = gapsBelow(web.accesses.slice(before), gapSeconds, { toleranceMs })
    expect(violations.length).toBeLessThanOrEqual(2)
    await cluster.stop()
  })

  it('gets no request from a worker that was frozen before its next beat is acknowledged', async () => {
    const cluster = await newCluster({ connections: 1, wait: 0.02, waitPerAddress: 0 })
    const worker = await cluster.start()
    await cluster.untilFetched(3)
    worker.kill('SIGSTOP')
    await servers.kill(0)
    await sleep(1000 * quickTiming.pauseSecondsMax! + 200)
    const before = web.accesses.length
    worker.kill('SIGCONT')
    // Without the rule, the other pages would be requested in this time.
    await sleep(1000)
    // The one that was in flight.
    expect(web.accesses.length - before).toBeLessThanOrEqual(1)
    servers.startServer(0)
    expect(await cluster.ended(worker)).toBe('finished')
    await expectWhole(cluster)
    await cluster.stop()
  })
})

describe.skipIf(withoutNats)(
  `a host to which the robots.txt of hosts of other shards redirect${natsNote}`,
  () => {
    it('gets one request at a time, with its gap between them', async () => {
      const hosts = Array.from({ length: 12 }, (_, i) => `127.1.7.${i + 1}`)
      const [target] = hosts
      const servers = await NatsServers.start(folder)
      const redirect = { status: 301, headers: { location: `http://${target}:PORT/robots.txt` } }
      const robots = { body: 'User-agent: *', headers: { 'content-type': 'text/plain' }, afterMs: 20 }
      const web = await serveSmall(
        Object.fromEntries(
          hosts.map((host) => [
            host,
            { '/robots.txt': host === target ? robots : redirect, '/': pageWith(host, '/a'), '/a': 'a' },
          ]),
        ),
      )
      const connection = await servers.connect()
      const crawl: CrawlOptions = {
        seeds: hosts.map((host) => web.url(`${host}/`)),
        scope: 'any',
        wait: gapSeconds,
        waitPerAddress: 0,
        waitFactor: 0,
        threads: 1,
        damping: 0.2,
        allowPrivate: true,
        out: 'unused',
      }
      const name = 'robots'
      const path = join(folder, name)
      const cluster = await WorkerCluster.create({ servers, connection, folder: path, name, shards, crawl })
      expect(await cluster.ended(await cluster.start())).toBe('finished')
      const accesses = web.accesses.filter(({ site }) => site === target)
      expect(accesses.length).toBeGreaterThanOrEqual(hosts.length + 2)
      expect(gapsBelow(accesses, gapSeconds, { toleranceMs })).toEqual([])
      await cluster.stop()
      await servers.stop()
      await web.close()
    })
  },
)
