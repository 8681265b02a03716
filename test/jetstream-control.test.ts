/** The control stream of a crawl, on real nats-servers. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ControlState } from '../src/cluster/protocol/control.ts'
import { JetStreamControl, listCrawls, type NewCrawl } from '../src/cluster/jetstream/jetstream-control.ts'
import { JetStreamJournal } from '../src/cluster/jetstream/jetstream-journal.ts'
import { controlStream, subjectOf } from '../src/cluster/protocol/stream-names.ts'
import { natsNote, NatsServers, untilDone, withoutNats } from './support/nats-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0

describe.skipIf(withoutNats).each([1, 3] as const)(`a control stream on %i servers${natsNote}`, (count) => {
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    const path = join(folder, String(count))
    mkdirSync(path)
    servers = await NatsServers.start(path, { servers: count })
    connection = await servers.connect()
  })
  afterAll(() => servers.stop())

  const parts: NewCrawl = {
    shards: 4,
    replicas: count,
    seeds: ['https://a.example/'],
    trust: [1],
    settings: { damping: 0.85 },
  }
  const newName = (): string => `crawl-${crawls++}`
  const create = (name: string, on = connection): Promise<JetStreamControl> =>
    JetStreamControl.create(on, name, parts)

  it('begins with the settings, which every reader finds', async () => {
    const name = newName()
    const { state } = await create(name)
    expect(state.settings).toMatchObject({ ...parts, kind: 'settings', format: 1 })
    const other = await JetStreamControl.open(await servers.connect(), name)
    expect(other.state.settings).toEqual(state.settings)
    expect(await listCrawls(connection)).toContain(name)
  })

  it('refuses a crawl whose name exists and one that does not exist, and changes nothing', async () => {
    const name = newName()
    const { state } = await create(name)
    await expect(create(name)).rejects.toMatchObject({ code: 'CRAWL_EXISTS', message: /crawl named crawl-/ })
    expect((await JetStreamControl.open(connection, name)).state.settings).toEqual(state.settings)
    const none = newName()
    await expect(JetStreamControl.open(connection, none)).rejects.toMatchObject({ code: 'NO_CRAWL' })
    expect(await listCrawls(connection)).not.toContain(none)
  })

  it.each(['', 'a b', 'a.b', '-a', 'a'.repeat(65), 'ä', 'a*'])('refuses %j as a name', async (name) => {
    await expect(create(name)).rejects.toMatchObject({ code: 'USAGE', message: /letters, digits/ })
  })

  it('begins a crawl once, of ten that begin it at the same time', async () => {
    const name = newName()
    const connections = await Promise.all(Array.from({ length: 10 }, () => servers.connect()))
    const results = await Promise.allSettled(connections.map((each) => create(name, each)))
    // The reasons first: they say why none of them succeeded.
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'CRAWL_EXISTS' })
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('begins a crawl whose creation was interrupted before its settings were stored', async () => {
    const name = newName()
    await JetStreamJournal.open({ connection, stream: controlStream(name), replicas: count })
    await expect(JetStreamControl.open(connection, name)).rejects.toMatchObject({ code: 'NO_CRAWL' })
    expect((await create(name)).state.settings.shards).toBe(4)
  })

  it('applies each of many commands at once, on the state that it was decided on', async () => {
    const name = newName()
    await create(name)
    const operators = await Promise.all(
      Array.from({ length: 5 }, async () => JetStreamControl.open(await servers.connect(), name)),
    )
    // Each grants shard 0 one page more than it has.
    const grant = (state: ControlState) => ({ kind: 'grant', pages: [[0, state.granted[0] + 1]] }) as const
    const rounds = 4
    await Promise.all(
      operators.map(async (control) => {
        for (let round = 0; round < rounds; round++) await control.append(grant)
      }),
    )
    const { granted } = (await JetStreamControl.open(connection, name)).state
    // 0, 1, 3, 7, … : any two decided on one state would give another sum.
    expect(granted[0]).toBe(2 ** (operators.length * rounds) - 1)
  })

  it('stores a command once that two operators give at once, and none that changes nothing', async () => {
    const name = newName()
    const first = await create(name)
    const second = await JetStreamControl.open(await servers.connect(), name)
    await Promise.all([first.command({ kind: 'pause' }), second.command({ kind: 'pause' })])
    const before = (await first.read()).number
    expect(before).toBe(2)
    expect((await first.command({ kind: 'pause' })).number).toBe(before)
    expect((await second.command({ kind: 'stop', reason: 'done' })).stopped).toBe('done')
    expect(await first.command({ kind: 'resume' })).toMatchObject({ isPaused: false, stopped: undefined })
  })

  it('is followed from any moment, by readers that see every state in order', async () => {
    const name = newName()
    const control = await create(name)
    const stop = new AbortController()
    const follower = await JetStreamControl.open(await servers.connect(), name)
    const states: boolean[] = []
    const following = (async () => {
      for await (const { isPaused, stopped } of follower.follow({ everyMs: 1, signal: stop.signal })) {
        states.push(isPaused)
        if (stopped !== undefined) stop.abort()
      }
    })()
    const seen = async (length: number): Promise<void> =>
      untilDone(async () => expect(states).toHaveLength(length))
    await seen(1)
    await control.command({ kind: 'pause' })
    await seen(2)
    for (let server = 0; server < count; server++) await servers.kill(server)
    for (let server = 0; server < count; server++) servers.startServer(server)
    await untilDone(() => control.command({ kind: 'resume' }))
    await seen(3)
    await control.command({ kind: 'stop', reason: 'end' })
    await following
    expect(states).toEqual([false, true, false, false])
  })

  it('skips messages of other programs, and appends after them', async () => {
    const name = newName()
    const control = await create(name)
    const client = jetstream(connection)
    await client.publish(subjectOf(controlStream(name)), 'hello')
    expect((await control.command({ kind: 'pause' })).isPaused).toBe(true)
    await client.publish(subjectOf(controlStream(name)), '{"kind":"resume"}')
    expect((await JetStreamControl.open(connection, name)).state).toMatchObject({ isPaused: true, number: 3 })
    const manager = await jetstreamManager(connection)
    const { state } = await manager.streams.info(controlStream(name))
    expect(state.messages).toBe(4)
  })

  it('refuses a command of a newer version with one line', async () => {
    const name = newName()
    const control = await create(name)
    await control.append(() => ({ kind: 'split' }) as never).catch(() => {})
    await expect(JetStreamControl.open(connection, name)).rejects.toMatchObject({
      code: 'BAD_STREAM',
      message: /kind "split", which is of a newer version/,
    })
  })
})
