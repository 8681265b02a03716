/** `rankward cluster delete`: a crawl leaves a cluster without a trace, and no other one is touched. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { JetStreamJournal } from '../src/cluster/jetstream/jetstream-journal.ts'
import { controlStream, subjectOf } from '../src/cluster/protocol/stream-names.ts'
import { createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import { clusterCrawls, deleteCluster } from '../src/index.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { quickTiming } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

describe.skipIf(withoutNats)(`deleting a crawl of a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let on: { readonly cluster: readonly string[] }

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    on = { cluster: [servers.addresses[0]] }
  })
  afterAll(() => servers.stop())

  const create = async (name: string): Promise<void> => {
    // Nothing listens there.
    const options = { seeds: ['http://127.0.0.1:9/'], allowPrivate: true, warc: false, out: 'unused' }
    await createCrawl({ connection, name, shards: 2, replicas: 1, options })
  }

  const streamNames = async (): Promise<string[]> => {
    const names: string[] = []
    for await (const name of (await jetstreamManager(connection)).streams.names()) names.push(name)
    return names.toSorted()
  }

  it('needs --yes, deletes all of its streams, and leaves crawls of similar names alone', async () => {
    for (const name of ['news_J1', 'news-2']) await create(name)
    const others = await streamNames()
    await create('news')
    expect((await streamNames()).length - others.length).toBe(6)
    const args = ['cluster', 'delete', '--cluster', `nats://${servers.addresses[0]}`, '--name', 'news']
    expectRefusal(await rankward(args), 2, /This would delete the crawl news: 6 streams, .*Add --yes/)
    expect(await streamNames()).not.toEqual(others)
    const deleted = await rankward([...args, '--yes'])
    expect(deleted.stdout).toMatch(/^news is deleted: 6 streams, /)
    expect(await streamNames()).toEqual(others)
    expectRefusal(await rankward([...args, '--yes']), 2, /The cluster has no crawl named news/)
    expect((await clusterCrawls(on)).map(({ name }) => name)).toEqual(['news-2', 'news_J1'])
  })

  it('is refused while a worker lives, and possible once it has left', async () => {
    await create('live')
    let leave = (): void => {}
    const worker = runWorker({
      connection,
      crawl: 'live',
      folder: join(folder, 'live'),
      timing: quickTiming,
      onStart: (started) => {
        leave = () => started.leave()
      },
      onLook: () => looked(),
    })
    let looked = (): void => {}
    await new Promise<void>((resolve) => {
      looked = resolve
    })
    await expect(deleteCluster({ ...on, name: 'live' })).rejects.toMatchObject({
      code: 'CRAWL_RUNNING',
      message: /The crawl live has a live worker: .*rankward cluster stop/,
    })
    leave()
    expect(await worker).toBe('left')
    expect(await deleteCluster({ ...on, name: 'live' })).toMatchObject({ name: 'live', streams: 6 })
  })

  it('ends workers that were out of reach meanwhile', async () => {
    await create('away')
    let isBegun = false
    const worker = runWorker({
      connection,
      crawl: 'away',
      folder: join(folder, 'away'),
      timing: quickTiming,
      onLook: () => {
        if (isBegun) return
        isBegun = true
        void removeAll()
      },
    })
    const removeAll = async (): Promise<void> => {
      const manager = await jetstreamManager(connection)
      for (const name of await streamNames())
        if (name.includes('RW_away_')) await manager.streams.delete(name)
    }
    await expect(worker).rejects.toMatchObject({ code: 'NO_CRAWL', message: /RW_away_CONTROL was deleted/ })
    expect((await streamNames()).filter((name) => name.includes('away'))).toEqual([])
  })

  it('works for two operators at once, and for a crawl whose settings cannot be read', async () => {
    await create('twice')
    const both = await Promise.allSettled([0, 1].map(() => deleteCluster({ ...on, name: 'twice' })))
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
    for (const each of both)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'NO_CRAWL' })
    const stream = controlStream('bad')
    await JetStreamJournal.open({ connection, stream, replicas: 1 })
    connection.publish(subjectOf(stream), 'not a message of Rankward')
    await connection.flush()
    expect(await deleteCluster({ ...on, name: 'bad' })).toMatchObject({ streams: 1 })
    expect((await streamNames()).filter((name) => /twice|bad/.test(name))).toEqual([])
  })
})
