/** What can go wrong beside a worker of a cluster: one clear line each, and nothing is lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { encodeControl, type ControlMessage } from '../src/cluster/protocol/control.ts'
import { JetStreamJournal, type JournalGroup } from '../src/cluster/jetstream/jetstream-journal.ts'
import {
  controlStream,
  journalStream,
  linksStream,
  membersBucket,
  subjectOf,
} from '../src/cluster/protocol/stream-names.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { clusterStatus } from '../src/index.ts'
import { version } from '../src/crawler/options/version.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { journaledUrls, memberOfHead, quickTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 100, sites: 12, seed: 5, linksPerPage: 5 })
const { seed, reachable } = bestSeed(web.graph)

describe.skipIf(withoutNats)(`bad input for workers of a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    served = await serveWeb(web)
  })
  afterAll(async () => {
    await servers.stop()
    await served.close()
  })

  const create = (name: string, shards = 2): Promise<WorkerCluster> =>
    WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, name),
      name,
      shards,
      crawl: {
        seeds: [served.urlOf(seed)],
        scope: 'any',
        wait: 0,
        allowPrivate: true,
        threads: 1,
        warc: false,
        out: 'unused',
      },
    })

  /** Runs a worker in this process until it ends. */
  const work = (crawl: string, path = join(folder, crawl, 'here')): Promise<string> =>
    runWorker({ connection, crawl, folder: path, timing: quickTiming })

  async function expectWhole({ streams }: WorkerCluster, shards = 2): Promise<void> {
    const urls = await journaledUrls(streams, shards)
    expect(urls).toHaveLength(reachable)
    expect(new Set(urls).size).toBe(reachable)
  }

  /** Replaces a stream by one with these messages: as after a power failure that has taken the others. */
  async function replaced(stream: string, groups: readonly JournalGroup[]): Promise<void> {
    await (await jetstreamManager(connection)).streams.delete(stream)
    const journal = await JetStreamJournal.open({ connection, stream, replicas: 1 })
    let after = 0
    for (const { writer, group, bytes } of groups)
      after = (await journal.append({ writer, group, after, bytes }))!
  }

  async function groupsOf(stream: string): Promise<JournalGroup[]> {
    const groups: JournalGroup[] = []
    const journal = await JetStreamJournal.open({ connection, stream, replicas: 1 })
    for await (const group of journal.read(0)) groups.push(group)
    return groups
  }

  it('messages of other programs on the subjects of a crawl are skipped', async () => {
    const cluster = await create('noise')
    const subjects = [
      subjectOf(journalStream('noise', 0)),
      subjectOf(journalStream('noise', 1)),
      subjectOf(linksStream('noise')),
      subjectOf(controlStream('noise')),
      subjectOf('RW_noise_AGAIN'),
      `$KV.${membersBucket('noise')}.other`,
    ]
    const speak = (): void => {
      for (const subject of subjects) connection.publish(subject, 'hello')
    }
    speak()
    const talk = setInterval(speak, 100)
    expect(await work('noise')).toBe('finished')
    clearInterval(talk)
    await expectWhole(cluster)
    await cluster.stop()
  })

  it('a truncated group ends a worker before it writes anything', async () => {
    const cluster = await create('torn')
    const journal = await cluster.streams.journal(0)
    await journal.append({ writer: 'other.0', group: 1, after: 0, bytes: new Uint8Array([0xc2, 3, 65]) })
    await expect(work('torn')).rejects.toMatchObject({
      code: 'BAD_STREAM',
      message: 'Group 1 of the stream RW_torn_J0 is truncated, or of another version of Rankward.',
    })
    expect((await journal.lastGroup())!.sequence).toBe(1)
    await cluster.stop()
  })

  it('a worker of another version is refused, and one that differs in the last number works', async () => {
    const cluster = await create('old')
    const [settings] = await groupsOf(controlStream('old'))
    const [major, minor, patch] = version.split('.').map(Number)
    const begunBy = (rankward: string): Promise<void> => {
      const message = JSON.parse(Buffer.from(settings.bytes).toString()) as ControlMessage
      const bytes = encodeControl({ ...message, rankward } as ControlMessage)
      return replaced(controlStream('old'), [{ ...settings, bytes }])
    }
    await begunBy(`${major}.${minor + 1}.0`)
    await expect(work('old')).rejects.toMatchObject({
      code: 'BAD_STREAM',
      message: new RegExp(
        `crawl old was begun by Rankward ${major}\\.${minor + 1}\\.0; this is ${version}\\.`,
      ),
    })
    expect(await cluster.heads()).toEqual([undefined, undefined])
    await begunBy(`${major}.${minor}.${patch + 1}`)
    expect(await work('old')).toBe('finished')
    await expectWhole(cluster)
    await cluster.stop()
  })

  it('a folder that cannot be written, and a disk that is full, end a worker; another one goes on', async () => {
    const cluster = await create('disk', 1)
    const broken = join(folder, 'disk', 'broken')
    mkdirSync(broken, { recursive: true })
    writeFileSync(join(broken, 'shards'), 'a file')
    await expect(work('disk', broken)).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: /The worker's folder .*broken cannot be written/,
    })

    const full = join(folder, 'disk', 'full')
    const command = join(import.meta.dirname, '../dist/bundle/main.js')
    const args = [
      'cluster',
      'worker',
      '--cluster',
      `nats://${servers.addresses[0]}`,
      '--name',
      'disk',
      '--out',
      full,
    ]
    const child = spawn(
      'sh',
      // No file may become larger than 8 KiB.
      ['-c', `trap '' XFSZ; ulimit -f 16; exec "$@"`, 'sh', process.execPath, command, ...args],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const [exitCode] = (await once(child, 'close')) as [number]
    expect(said).toMatch(/^rankward: The record in .* cannot be written \(.*\)\. Free some space/m)
    expect(exitCode).toBe(1)
    expect(await work('disk')).toBe('finished')
    await expectWhole(cluster, 1)
    await cluster.stop()
  })

  it('a page with more links than a message of NATS can hold is stored, and read by the worker after', async () => {
    const links = 12_000
    const name = 'x'.repeat(100)
    const large = await serveSmall({
      '127.1.0.1': {
        '/': pageWith('large', ...Array.from({ length: links }, (_, i) => `/${name}-${i}`)),
      },
    })
    const path = join(folder, 'large')
    mkdirSync(path)
    const small = await NatsServers.start(path, { maxPayload: '1MB' })
    const cluster = await WorkerCluster.create({
      servers: small,
      connection: await small.connect(),
      folder: path,
      name: 'large',
      shards: 1,
      crawl: {
        seeds: [large.url('127.1.0.1/')],
        robotsTxt: false,
        allowPrivate: true,
        wait: 3600,
        warc: false,
        out: 'unused',
      },
    })
    const first = await cluster.start()
    await cluster.untilFetched(1)
    const [killed] = await cluster.owners()
    await cluster.kill(first)
    const second = await cluster.start()
    await cluster.untilHeads(([head]) => memberOfHead(head) !== killed)
    second.kill('SIGTERM')
    expect(await cluster.ended(second)).toBe('left')
    expect((await cluster.heads())[0]).toMatchObject({ fetched: 1, waiting: links })
    await cluster.stop()
    await small.stop()
    await large.close()
  })

  it('a journal and a control stream that have lost their ends are found, and no worker goes on', async () => {
    const cluster = await create('power')
    expect(await work('power')).toBe('finished')
    const heads = await cluster.heads()
    const source = heads.findIndex((head) => head!.cut > 0)
    const journal = journalStream('power', source)
    const groups = await groupsOf(journal)
    await cluster.control.command({ kind: 'resume' })
    const control = await groupsOf(controlStream('power'))
    const lasts = async (): Promise<number[]> => (await cluster.heads()).map((head) => head!.group)

    // The command `stop` that both shards have obeyed is lost.
    await replaced(controlStream('power'), control.slice(0, 1))
    const before = await lasts()
    await expect(work('power')).rejects.toMatchObject({
      code: 'BAD_STREAM',
      message: /The control stream of the crawl power has lost its end: shard \d has obeyed message \d+/,
    })
    expect(await lasts()).toEqual(before)
    await replaced(controlStream('power'), control)

    await replaced(journal, groups.slice(0, 1))
    await expect(work('power')).rejects.toMatchObject({
      code: 'BAD_STREAM',
      message: new RegExp(`The journal of shard ${source} has lost its end: .* as in a power failure`),
    })
    const { phase, lost } = await clusterStatus({ cluster: [servers.addresses[0]], name: 'power' })
    expect({ phase, source: lost?.source }).toEqual({ phase: 'damaged', source })
    expect(await groupsOf(journal)).toHaveLength(1)
    await cluster.stop()
  })
})
