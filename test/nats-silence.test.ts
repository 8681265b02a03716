/** NATS servers that fall silent and keep their connections: a cut cable, a firewall, a frozen machine. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { connectCluster } from '../src/cluster/jetstream/connect.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { clusterCrawls, clusterStatus, exportCluster, stopCluster } from '../src/index.ts'
import { serveWeb } from '../src/webgraph/served/served-web.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { natsNote, NatsServers, untilDone, withoutNats } from './support/nats-server.ts'
import { calmTiming, claimsOf, journaledUrls, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 60, sites: 6, seed: 5, linksPerPage: 4 })
const { seed, reachable } = bestSeed(web.graph)
/** So many that each of two workers certainly gets some: names, and so hashes, are random. */
const shards = 16
const info = { server_id: 'x', version: '2.9.10', max_payload: 1 << 20, headers: true, jetstream: true }

it.each([
  ['says nothing', ''],
  ['only greets', `INFO ${JSON.stringify(info)}\r\n`],
])('a command ends at a port that accepts connections and %s', async (_, greeting) => {
  const silent = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting)
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const end = await rankward(['cluster', 'list', '--cluster', `127.0.0.1:${port}`])
  silent.close()
  expectRefusal(end, 1, /does not respond: check the address and the firewall/)
})

describe.skipIf(withoutNats)(`one of three NATS servers that falls silent${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    servers = await NatsServers.start(folder, { servers: 3, isWired: true })
    connection = await servers.connect(1)
  })
  afterAll(() => servers.stop())

  it('is left for another one within seconds, also while megabytes wait to be sent to it', async () => {
    const client = await connectCluster({ cluster: [servers.addresses[0]] })
    const manager = await jetstreamManager(client, { checkAPI: false, timeout: 2000 })
    servers.cutOff(0)
    for (let i = 0; i < 64; i++) client.publish('nobody', new Uint8Array(1 << 20))
    // A client that goes by its pings needs more than 120 attempts.
    let attempts = 1
    while (attempts < 60) {
      const isAnswered = await manager.getAccountInfo().then(
        () => true,
        () => false,
      )
      if (isAnswered) break
      attempts++
    }
    servers.mend(0)
    await client.close()
    expect(attempts).toBeLessThan(60)
  })

  it('takes no shard from its workers, and the crawl goes on to its end', async () => {
    const served = await serveWeb(web, {})
    const cluster = await WorkerCluster.create({
      servers,
      connection,
      folder,
      name: 'web',
      shards,
      replicas: 3,
      crawl: {
        seeds: [served.urlOf(seed)],
        scope: 'any',
        wait: 0,
        allowPrivate: true,
        threads: 1,
        damping: 0.2,
        out: 'unused',
      },
    })
    await cluster.control.command({ kind: 'pause' })
    const work = async (server: number): Promise<string> => {
      const worker = await connectCluster({ cluster: [servers.addresses[server]] })
      const end = await runWorker({
        connection: worker,
        crawl: 'web',
        folder: join(folder, `worker-${server}`),
        timing: { ...calmTiming, beatSeconds: 3 },
      })
      await worker.close()
      return end
    }
    const ends = Promise.all([work(0), work(1)])
    await cluster.untilSettled(2)
    const claims = await claimsOf(cluster.streams, shards)
    servers.cutOff(0)
    await untilDone(() => cluster.control.command({ kind: 'resume' }))
    expect(await ends).toEqual(['finished', 'finished'])
    expect(await untilDone(() => claimsOf(cluster.streams, shards))).toEqual(claims)
    expect(await untilDone(() => journaledUrls(cluster.streams, shards))).toHaveLength(reachable)

    // Whichever server a command tries first, and wherever the streams had their leaders.
    const on = { cluster: servers.addresses }
    expect(await untilDone(() => clusterCrawls(on))).toMatchObject([
      { name: 'web', stoppedBecause: 'finished' },
    ])
    expect(await untilDone(() => clusterStatus({ ...on, name: 'web' }))).toMatchObject({ pages: reachable })
    const to = join(folder, 'export')
    await exportCluster({ ...on, name: 'web', to, cache: join(folder, 'cache') })
    servers.mend(0)
    // The mended server must be one of the majority before another one goes.
    await untilDone(async () => {
      const client = await connectCluster({ cluster: [servers.addresses[0]] })
      try {
        await (await jetstreamManager(client, { checkAPI: false, timeout: 2000 })).getAccountInfo()
      } finally {
        await client.close()
      }
    })
    await servers.kill(2)
    expect(await untilDone(() => clusterStatus({ ...on, name: 'web' }))).toMatchObject({ pages: reachable })
    expect(await untilDone(() => stopCluster({ ...on, name: 'web' }))).toMatchObject({ isChanged: false })
    await cluster.stop()
    await served.close()
  })
})
