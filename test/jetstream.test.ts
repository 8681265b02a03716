/** The journal of a shard in JetStream, on real nats-servers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { AppendRecord } from '../src/cluster/protocol/append.ts'
import { CrawlStreams } from '../src/cluster/jetstream/crawl-streams.ts'
import { JetStreamJournal, type JournalOptions } from '../src/cluster/jetstream/jetstream-journal.ts'
import { JetStreamLog } from './support/jetstream-log.ts'
import { JetStreamMembers } from '../src/cluster/jetstream/jetstream-members.ts'
import { openStream } from '../src/cluster/jetstream/open-stream.ts'
import { subjectOf } from '../src/cluster/protocol/stream-names.ts'
import { groupLogCases, groupOf } from '../src/crawler/record/group-logs.cases.ts'
import { natsNote, NatsServers, untilDone, withoutNats } from './support/nats-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let streams = 0

function newFolder(): string {
  const path = join(folder, String(streams++))
  mkdirSync(path)
  return path
}

const record = (writer: string, group: number, after: number): AppendRecord => ({
  writer,
  group,
  after,
  bytes: groupOf(group),
})

describe.skipIf(withoutNats).each([1, 3] as const)(`a journal on %i servers${natsNote}`, (count) => {
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    servers = await NatsServers.start(newFolder(), { servers: count })
    connection = await servers.connect()
  })
  afterAll(() => servers.stop())

  const options = (): JournalOptions => ({ connection, stream: `J${streams++}`, replicas: count })

  describe('as a log of groups', () => {
    it.each(groupLogCases)('$guarantee', async ({ run }) => {
      const shared = options()
      await run(() => untilDone(() => JetStreamLog.open(shared)))
    })
  })

  it('accepts one of two writers with the same expectation, 300 times', async () => {
    const shared = options()
    const first = await JetStreamJournal.open(shared)
    const second = await JetStreamJournal.open({ ...shared, connection: await servers.connect() })
    let after = 0
    for (let race = 0; race < 300; race++) {
      const answers = await Promise.all([
        first.append(record('a', race, after)),
        second.append(record('b', race, after)),
      ])
      const stored = answers.filter((sequence) => sequence !== undefined)
      expect(stored).toHaveLength(1)
      after = stored[0]!
    }
    const numbers: number[] = []
    for await (const { group } of first.read(0)) numbers.push(group)
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, race) => race))
  })

  it('is read to its end although its consumer is lost on the way, as with a server', async () => {
    const shared = options()
    const journal = await JetStreamJournal.open(shared)
    const all = Array.from({ length: 450 }, (_, group) => group)
    for (const group of all) await journal.append(record('a', group, group))
    const manager = await jetstreamManager(connection)
    const numbers: number[] = []
    let deleted = 0
    for await (const { group } of journal.read(0)) {
      numbers.push(group)
      if (group !== 100) continue
      for await (const { name } of manager.consumers.list(shared.stream)) {
        await manager.consumers.delete(shared.stream, name)
        deleted++
      }
    }
    expect(numbers).toEqual(all)
    expect(deleted).toBe(1)
  })

  it('keeps every acknowledged group in one chain while two writers fight and servers are killed', async () => {
    const shared = options()
    const journals = [
      await JetStreamJournal.open(shared),
      await JetStreamJournal.open({ ...shared, connection: await servers.connect() }),
    ]
    const acknowledged = new Map<number, string>()
    const fight = async (journal: JetStreamJournal, writer: string): Promise<void> => {
      let after = 0
      for (let group = 1; group <= 100; group++) {
        const sequence = await journal.append(record(writer, group, after))
        if (sequence === undefined) {
          const last = await untilDone(() => journal.lastGroup())
          after = last?.sequence ?? 0
        } else {
          expect(acknowledged.has(sequence)).toBe(false)
          acknowledged.set((after = sequence), `${writer} ${group}`)
        }
      }
    }
    const kill = async (): Promise<void> => {
      for (let server = 0; server < servers.count; server++) {
        const before = acknowledged.size
        await untilDone(async () => expect(acknowledged.size).toBeGreaterThan(Math.min(before + 10, 40)))
        await servers.kill(server)
        servers.startServer(server)
      }
    }
    await Promise.all([fight(journals[0], 'a'), fight(journals[1], 'b'), kill()])
    const stored = new Map<number, string>()
    await untilDone(async () => {
      stored.clear()
      for await (const { sequence, writer, group } of journals[0].read(0))
        stored.set(sequence, `${writer} ${group}`)
    })
    expect([...stored.keys()]).toEqual(Array.from(stored, (_, i) => i + 1))
    expect(stored).toEqual(new Map([...acknowledged].toSorted(([a], [b]) => a - b)))
    expect(new Set([...stored.values()].map((name) => name[0]))).toEqual(new Set(['a', 'b']))
  })

  it('stores a record once whose acknowledgement was lost, within the duplicate window and after it', async () => {
    const journal = await JetStreamJournal.open({ ...options(), duplicateWindowMs: 100 })
    expect(await journal.append(record('a', 1, 0))).toBe(1)
    expect(await journal.append(record('a', 1, 0))).toBe(1)
    // The server forgets ids after the window, though not at once.
    await untilDone(async () => {
      expect((await journal.send(record('a', 1, 0))).kind).toBe('refused')
    })
    expect(await journal.append(record('a', 1, 0))).toBe(1)
    // A group of the same number, by another writer.
    expect(await journal.append(record('b', 1, 0))).toBeUndefined()
  })

  it('loses nothing that it acknowledged when servers are killed, and the writer goes on', async () => {
    const journal = await JetStreamJournal.open(options())
    let after = 0
    for (let group = 1; group <= 60; group++) {
      if (group === 20) {
        await servers.kill(0)
        servers.startServer(0)
      }
      if (group === 40) {
        for (let server = 0; server < servers.count; server++) await servers.kill(server)
        for (let server = 0; server < servers.count; server++) servers.startServer(server)
      }
      const sequence = await journal.append(record('a', group, after))
      expect(sequence).toBe(after + 1)
      after = sequence!
    }
    const groups: number[] = []
    await untilDone(async () => {
      groups.length = 0
      for await (const { group } of journal.read(0)) groups.push(group)
    })
    expect(groups).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
  })

  it.runIf(count === 3)('is read to its end if the server dies that delivers it', async () => {
    const stream = 'RW_c_J9'
    const journal = await untilDone(() => JetStreamJournal.open({ connection, stream, replicas: 3 }))
    // More than are read at a time.
    for (let group = 1; group <= 210; group++)
      await journal.append({ writer: 'w', group, after: group - 1, bytes: Buffer.from('x') })
    const manager = await jetstreamManager(connection, { checkAPI: false })
    let read = 0
    let killed: number | undefined
    for await (const { sequence } of journal.read(0)) {
      expect(sequence).toBe(++read)
      if (read > 1) continue
      const [consumer] = await untilDone(() => manager.consumers.list(stream).next())
      killed = Number(consumer.cluster!.leader!.slice(1))
      await servers.kill(killed)
    }
    expect(read).toBe(210)
    servers.startServer(killed!)
  })

  it('skips messages of other programs: the writer is not fenced, and a claim follows them', async () => {
    const shared = options()
    const journal = await JetStreamJournal.open(shared)
    const disturb = () => jetstream(connection).publish(subjectOf(shared.stream), 'hello')
    await disturb()
    expect(await journal.append(record('a', 1, 0))).toBe(2)
    await disturb()
    await disturb()
    expect(await journal.append(record('a', 2, 2))).toBe(5)
    await disturb()
    expect(await journal.lastGroup()).toMatchObject({ sequence: 5, writer: 'a', group: 2 })
    const next = await JetStreamJournal.open(shared)
    const read: number[] = []
    for await (const { sequence } of next.read(0)) read.push(sequence)
    expect(read).toEqual([2, 5])
    expect(next.foreignCount).toBe(4)
    expect(await next.append(record('b', 1, 5))).toBe(7)
    expect(await journal.append(record('a', 3, 5))).toBeUndefined()
  })

  it('tells every member the revisions of all', async () => {
    const crawl = `C${streams++}`
    const [a, b] = await Promise.all(
      ['a', 'b'].map((name) => untilDone(() => JetStreamMembers.open(connection, crawl, name, count))),
    )
    await a.beat()
    const first = await b.beat()
    expect([...first.keys()].toSorted()).toEqual(['a', 'b'])
    const second = await b.beat()
    expect(second.get('a')).toBe(first.get('a'))
    expect(second.get('b')).toBeGreaterThan(first.get('b')!)
    await a.leave()
    expect([...(await b.beat()).keys()]).toEqual(['b'])
  })
})

describe.skipIf(withoutNats)(`a writer that is stopped${natsNote}`, () => {
  it('is fenced when it goes on, and has stored nothing after the groups of the new writer', async () => {
    const servers = await NatsServers.start(newFolder())
    const options = { connection: await servers.connect(), stream: 'STOPPED', replicas: 1 }
    const writer = join(import.meta.dirname, 'support', 'journal-writer.mjs')
    const child = spawn(process.execPath, [writer, servers.addresses[0], options.stream])
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const ended = once(child, 'close')
    while (lines.length < 20) await once(child.stdout, 'data')
    child.kill('SIGSTOP')
    const log = await JetStreamLog.open(options)
    const taken = log.last
    for (let group = 0; group < 10; group++) await log.append(Buffer.from(`parent ${log.last + 1}`))
    child.kill('SIGCONT')
    for (let group = 0; group < 10; group++) await log.append(Buffer.from(`parent ${log.last + 1}`))
    await ended
    expect(lines.pop()).toBe('FENCED')
    const groups: string[] = []
    for await (const { bytes } of log.read(0)) groups.push(Buffer.from(bytes).toString())
    expect(groups).toEqual(
      Array.from({ length: taken + 20 }, (_, i) => `${i < taken ? 'child' : 'parent'} ${i + 1}`),
    )
    // All that the child was told is stored.
    expect(lines.length).toBeLessThanOrEqual(taken)
    await servers.stop()
  })
})

describe.skipIf(withoutNats)(`a stream on more servers than are up${natsNote}`, () => {
  it('is created once another server has started', async () => {
    const servers = await NatsServers.start(newFolder(), { servers: 3, started: 2 })
    const manager = await jetstreamManager(await servers.connect(), { checkAPI: false })
    const stream = { name: 'late', replicas: 3 }
    try {
      const refused = manager.streams.add({ name: 'early', subjects: ['early'], num_replicas: 3 })
      await expect(refused).rejects.toThrow('no suitable peers')
      const opened = openStream(manager, stream)
      servers.startServer(2)
      await opened
      expect((await manager.streams.info(stream.name)).config.num_replicas).toBe(3)
    } finally {
      await servers.stop()
    }
  })
})

describe.skipIf(withoutNats)(`a journal without room${natsNote}`, () => {
  it('is a clear error, and can be written again once there is room', async () => {
    const path = newFolder()
    let servers = await NatsServers.start(path, { maxFile: 1 << 20 })
    const stream = { stream: 'FULL', replicas: 1 }
    const log = await JetStreamLog.open({ ...stream, connection: await servers.connect() })
    const fill = async (): Promise<void> => {
      for (let group = 1; group < 100; group++) await log.append(groupOf(group, 50_000))
    }
    await expect(fill()).rejects.toMatchObject({ code: 'FILE_UNWRITABLE', message: /max_file/ })
    const stored = log.last
    expect(stored).toBeGreaterThan(10)
    await servers.stop()
    servers = await NatsServers.start(path, { maxFile: 1 << 24 })
    const again = await JetStreamLog.open({ ...stream, connection: await servers.connect() })
    expect(again.last).toBe(stored)
    await again.append(groupOf(1))
    await servers.stop()
  })
})

describe.skipIf(withoutNats)(`an account without room${natsNote}`, () => {
  it('is a clear error for journals and links, and what was stored can be read', async () => {
    const login = { user: 'me', pass: 'secret' }
    const limit = 'jetstream { max_file: 300000, max_mem: 0 }'
    const users = 'users: [ { user: me, password: secret } ]'
    const config = (limits: string): string => `accounts { A { ${limits}, ${users} } }`
    const servers = await NatsServers.start(newFolder(), { config: config(limit), login })
    const open = async (): Promise<CrawlStreams> => {
      const connection = await servers.connect()
      return CrawlStreams.open({ connection, crawl: 'full', shards: 1, replicas: 1 })
    }
    const streams = await open()
    const journal = await streams.journal(0)
    const full = { code: 'FILE_UNWRITABLE', message: /no room .* account/ }
    const fill = async (): Promise<void> => {
      for (let group = 1; ; group++)
        await journal.append({ ...record('a', group, group - 1), bytes: groupOf(group, 100_000) })
    }
    await expect(fill()).rejects.toMatchObject(full)
    await expect(streams.links.publish(groupOf(1, 100_000))).rejects.toMatchObject(full)
    const { sequence } = (await journal.lastGroup())!
    expect(sequence).toBe(2)
    const groups: number[] = []
    for await (const { group } of journal.read(0)) groups.push(group)
    expect(groups).toEqual([1, 2])
    await servers.stop()
    // A closed connection is an error too: a worker that ends sends nothing again.
    await expect(streams.links.publish(groupOf(1))).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
  })
})

describe.skipIf(withoutNats)(`a journal that has lost a group in its middle${natsNote}`, () => {
  it('is an error for its readers', async () => {
    const servers = await NatsServers.start(newFolder())
    const connection = await servers.connect()
    const journal = await JetStreamJournal.open({ connection, stream: 'HOLE', replicas: 1 })
    for (let group = 1; group <= 3; group++) await journal.append(record('a', group, group - 1))
    await (await jetstreamManager(connection)).streams.deleteMessage('HOLE', 2)
    const all = async (after: number): Promise<void> => {
      for await (const { sequence } of journal.read(after)) expect(sequence).toBe(1)
    }
    const lost = { code: 'BAD_STREAM', message: /HOLE has lost the group before 3/ }
    await expect(all(0)).rejects.toMatchObject(lost)
    await expect(all(1)).rejects.toMatchObject(lost)
    await servers.stop()
  })
})

describe.skipIf(withoutNats)(`a group that is larger than a message${natsNote}`, () => {
  const size = 3_500_000
  const large = { ...record('a', 2, 1), bytes: groupOf(2, size) }
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    servers = await NatsServers.start(newFolder(), { maxPayload: '1MB' })
    connection = await servers.connect()
  })
  afterAll(() => servers.stop())

  const opened = async (stream: string): Promise<JetStreamJournal> => {
    const journal = await JetStreamJournal.open({ connection, stream, replicas: 1 })
    if ((await journal.lastGroup()) === undefined) await journal.append(record('a', 1, 0))
    return journal
  }
  const allOf = async (journal: JetStreamJournal): Promise<string[]> => {
    const groups: string[] = []
    for await (const { sequence, writer, group, bytes } of journal.read(0)) {
      // Vitest takes seconds to compare so many numbers.
      const isWhole = Buffer.compare(bytes, groupOf(group, bytes.length)) === 0
      groups.push(`${sequence} ${writer}.${group} ${isWhole ? bytes.length : 'damaged'}`)
    }
    return groups
  }
  /** Parts of a writer that was killed. */
  const leaveParts = (stream: string): Promise<unknown> => {
    const head = headers()
    head.set('Rankward-Part', '1')
    return jetstream(connection).publish(subjectOf(stream), 'part', { headers: head })
  }

  it('is divided, and read as one', async () => {
    const journal = await opened('WHOLE')
    expect(await journal.append(large)).toBe(5)
    expect(await journal.append(record('a', 3, 5))).toBe(6)
    expect(await allOf(journal)).toEqual(['1 a.1 2', `5 a.2 ${size}`, '6 a.3 4'])
    expect((await journal.groupAt(5))!.bytes).toHaveLength(size)
    expect(await journal.groupAt(4)).toBeUndefined()
    expect(journal.foreignCount).toBe(0)
  })

  it('is the last one, as its writer finds if it repeats the append', async () => {
    const journal = await opened('REPEATED')
    expect(await journal.append(large)).toBe(5)
    expect(await (await opened('REPEATED')).append(large)).toBe(5)
    const last = (await journal.lastGroup())!
    expect(last).toMatchObject({ sequence: 5, writer: 'a', group: 2 })
    expect(Buffer.compare(last.bytes, large.bytes)).toBe(0)
  })

  it('is stored after parts that a killed writer has left, and its own writer is fenced by a claim between them', async () => {
    const journal = await opened('LEFT')
    await leaveParts('LEFT')
    await leaveParts('LEFT')
    expect(await journal.append(large)).toBe(7)
    await leaveParts('LEFT')
    const other = await opened('LEFT')
    expect(await other.append(record('b', 1, 7))).toBe(9)
    expect(await journal.append({ ...large, group: 3, after: 7 })).toBeUndefined()
    expect(await allOf(other)).toEqual(['1 a.1 2', `7 a.2 ${size}`, '9 b.1 2'])
  })

  it('is an error if one of its parts is missing', async () => {
    const journal = await opened('TORN')
    await journal.append(large)
    await (await jetstreamManager(connection)).streams.deleteMessage('TORN', 3)
    const missing = { code: 'BAD_STREAM', message: /TORN/ }
    await expect(journal.lastGroup()).rejects.toMatchObject(missing)
    await expect(allOf(journal)).rejects.toMatchObject(missing)
  })
})
