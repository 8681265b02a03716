/** `rankward cluster check` and `drain`, on real servers. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { checkCluster, clusterStatus, drainCluster } from '../src/index.ts'
import { JetStreamMembers } from '../src/cluster/jetstream/jetstream-members.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { calmTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 200, sites: 20, seed: 5, linksPerPage: 5 })
const { seed } = bestSeed(web.graph)

describe.skipIf(withoutNats)(`operating a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb
  let cluster: WorkerCluster
  let addresses: string[]

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    // It never responds: the crawl lasts as long as the test.
    served = await serveWeb(web, { onRequest: () => true })
    addresses = servers.addresses.map((each) => `nats://${each}`)
    cluster = await WorkerCluster.create({
      servers,
      connection,
      folder,
      name: 'web',
      shards: 6,
      timing: calmTiming,
      crawl: {
        seeds: [served.urlOf(seed)],
        scope: 'any',
        wait: 0,
        limitSeconds: 5,
        allowPrivate: true,
        threads: 1,
      },
    })
  })
  afterAll(async () => {
    await cluster.stop()
    await servers.stop()
    await served.close()
  })

  const on = (): string[] => ['--cluster', addresses[0], '--name', 'web']

  it('finds a server that does not respond, and a crawl without workers', async () => {
    const dead = 'nats://127.0.0.1:1'
    const { state, findings } = await checkCluster({ cluster: [...addresses, dead], name: 'web' })
    expect(state).toBe('problem')
    expect(findings).toContainEqual(expect.objectContaining({ of: `server ${dead}`, state: 'problem' }))
    expect(findings).toContainEqual(
      expect.objectContaining({ of: 'workers', state: 'problem', text: 'the crawl has none' }),
    )
    expect(findings).toContainEqual(expect.objectContaining({ of: 'clock', state: 'good' }))
    expect(findings.find(({ of }) => of === 'streams')?.text).toMatch(
      /\d+ streams with 1 replica, all current/,
    )
    const end = await rankward(['cluster', 'check', ...on()])
    expect(end).toMatchObject({ exitCode: 1, stderr: '' })
    expect(end.stdout).toMatch(/PROBLEM\s+workers\s+the crawl has none/)
    expectRefusal(
      await rankward(['cluster', 'check', ...on().slice(0, 2), '--name', 'none']),
      2,
      /no crawl none/,
    )
  })

  it('workers have shards by weight; check says their version, clock and room, and drain ends one', async () => {
    const first = await cluster.start(join(folder, 'a'))
    await cluster.start(join(folder, 'b'), 0, 2)
    const status = async () => (await clusterStatus({ cluster: addresses, name: 'web' })).workers
    // Both have claimed their shards.
    const parts = async (): Promise<string> =>
      (await status())
        .map(({ name, shards }) => `${/-w2$/.exec(name)?.[0] ?? ''} ${shards.length}`)
        .toSorted()
        .join()
    while ((await parts()) !== ' 2,-w2 4') await new Promise((resolve) => setTimeout(resolve, 200))
    const { findings } = await checkCluster({ cluster: addresses, name: 'web' })
    const workers = findings.filter(({ of }) => of.startsWith('worker '))
    expect(workers.map(({ state }) => state)).toEqual(['good', 'good'])
    expect(workers[0].text).toMatch(
      /[24] shards, version \d+\.\d+\.\d+, .* free, its clock is .* the servers/,
    )

    const { name } = (await status()).find(({ shards }) => shards.length === 2)!
    const left = cluster.ended(first)
    const drained = await drainCluster({ cluster: addresses, name: 'web', worker: name })
    expect(drained).toMatchObject({ worker: name, shards: 2 })
    expect((await status()).some((each) => each.name === name)).toBe(false)
    const wrong = await rankward(['cluster', 'drain', 'nobody', ...on()])
    expectRefusal(wrong, 2, /No live worker of the crawl web has a name that begins with nobody/)
    // One of the two has ended by itself; the other one takes the shards.
    while ((await status()).every((each) => each.shards.length < 6))
      await new Promise((resolve) => setTimeout(resolve, 200))
    const rest = await status()
    expect(rest.length).toBe(1)
    void left
  })

  it('warns of a worker whose clock differs, and whose disk is full', async () => {
    const members = await JetStreamMembers.open(connection, 'web', 'odd', 1, () => ({
      version: '9.9.9',
      roomBytes: 5,
    }))
    await members.beat()
    const { findings } = await checkCluster({ cluster: addresses, name: 'web' })
    const odd = findings.find(({ of }) => of === 'worker odd')
    expect(odd).toMatchObject({ state: 'problem' })
    expect(odd?.text).toMatch(/version 9\.9\.9, 5 bytes free/)
    await members.leave()
  })
})
