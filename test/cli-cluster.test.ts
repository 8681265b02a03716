/** The operator's commands, on a real nats-server with shards of a small web. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi, onTestFinished } from 'vitest'
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ClusterStatus } from '../src/cluster/protocol/cluster-status.ts'
import { coverageOf } from '../src/cluster/protocol/heads.ts'
import { JetStreamControl } from '../src/cluster/jetstream/jetstream-control.ts'
import { JetStreamMembers } from '../src/cluster/jetstream/jetstream-members.ts'
import type { ShardOwner } from '../src/cluster/protocol/shard-owner.ts'
import { subjectOf } from '../src/cluster/protocol/stream-names.ts'
import {
  clusterCrawls,
  clusterStatus,
  pauseCluster,
  resumeCluster,
  stopCluster,
  type ClusterCommandResult,
} from '../src/index.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { natsNote, NatsServers, untilDone, withoutNats } from './support/nats-server.ts'
import { Crawl, damping, shards, work, workUntilFinished } from './support/virtual-shards.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

describe.skipIf(withoutNats)(`commands for a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let crawl: Crawl
  let owners: ShardOwner[]
  let on: string[]
  let members: JetStreamMembers

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const settings = { damping, strategy: 'exact-rankmass' }
    const parts = { shards, replicas: 1, seeds: ['https://a.example/'], trust: [1], settings }
    await JetStreamControl.create(connection, 'news', parts)
    await JetStreamControl.create(connection, 'empty', parts)
    crawl = await Crawl.create(connection, 1, 'news')
    owners = await Promise.all(crawl.journals.map((_, shard) => crawl.claim(shard)))
    members = await JetStreamMembers.open(connection, 'news', 'worker', 1)
    await members.beat()
    for (let round = 0; round < 5; round++) await work(crawl, owners)
    on = ['--cluster', servers.addresses[0], '--name', 'news']
  })
  afterAll(() => servers.stop())

  it('show the coverage, pages, workers and shards that the journals prove', async () => {
    // However long the commands take, the worker is alive.
    const beats = setInterval(() => void members.beat(), 1000)
    onTestFinished(() => clearInterval(beats))
    const heads = await crawl.heads()
    const status = await rankwardJson<ClusterStatus & Record<string, unknown>>(['status', ...on])
    expect(status).toMatchObject({
      name: 'news',
      phase: 'running',
      pages: heads.reduce((sum, head) => sum + head!.fetched, 0),
      coverage: coverageOf(heads, damping),
      replicas: 1,
    })
    expect(status.workers).toMatchObject([{ name: 'worker', isLive: true, shards: [0, 1, 2, 3] }])
    expect(status.shards.map(({ phase }) => phase)).toEqual(Array(shards).fill('owned'))
    const { stdout } = await rankward(['status', ...on])
    expect(stdout).toMatch(/^news {2}running\n/)
    expect(stdout).toMatch(/^ {2}coverage +[\d.]+% certain$/m)
    expect(stdout).toMatch(/^ {2}workers +1 live$/m)
    expect(stdout).toMatch(/^ {2}shards +4: 4 owned$/m)
    expect((await rankward(['cluster', 'workers', ...on])).stdout).toMatch(
      /^worker +live +[\d.]+ m?s +4 +\d+$/m,
    )
    expect((await rankward(['cluster', 'shards', ...on])).stdout.split('\n')).toHaveLength(shards + 2)
    expect(await rankwardJson(['cluster', 'shards', ...on])).toMatchObject({
      name: 'news',
      shards: { length: shards },
    })
    expect(await rankwardJson(['cluster', 'workers', ...on])).toMatchObject({ workers: [{ name: 'worker' }] })
  })

  it('pause, resume and stop a crawl once, and show how many shards have obeyed', async () => {
    const paused = await rankwardJson<ClusterCommandResult & Record<string, unknown>>([
      'cluster',
      'pause',
      ...on,
    ])
    expect(paused).toMatchObject({ name: 'news', isPaused: true, isChanged: true, control: 2 })
    expect(await rankwardJson(['cluster', 'pause', ...on])).toMatchObject({
      isPaused: true,
      isChanged: false,
      control: 2,
    })
    expect((await rankward(['cluster', 'pause', ...on])).stdout).toBe(
      'news is paused; nothing was changed.\n',
    )
    owners[0].shard.control = 2
    owners[0].flush()
    await untilDone(async () => expect((await crawl.heads())[0]!.control).toBe(2))
    const { stdout } = await rankward(['status', ...on])
    expect(stdout).toMatch(/^news {2}paused\n/)
    expect(stdout).toMatch(/control +message 2, obeyed by 1 of 4 shards/)
    expect((await rankward(['cluster', 'resume', ...on])).stdout).toMatch(/^news is now running\. /)
    expect((await rankward(['cluster', 'resume', ...on])).stdout).toBe(
      'news is running; nothing was changed.\n',
    )
    const stop = await rankward(['cluster', 'stop', ...on, '--reason', 'new disks'])
    expect(stop.stdout).toMatch(/^news is now stopped \(new disks\)\./)
    expect(await rankwardJson(['status', ...on])).toMatchObject({
      phase: 'stopped',
      stoppedBecause: 'new disks',
    })
    expect((await rankward(['cluster', 'resume', ...on])).exitCode).toBe(0)
  })

  it('list the crawls of a cluster', async () => {
    const { stdout } = await rankward(['cluster', 'list', '--cluster', servers.addresses[0]])
    expect(stdout.split('\n').map((line) => line.split(/ +/)[0])).toEqual(['crawl', 'empty', 'news', ''])
    expect(stdout).toMatch(/^news +running +4 /m)
    expect(await rankwardJson(['cluster', 'list', '--cluster', servers.addresses[0]])).toMatchObject({
      crawls: [{ name: 'empty' }, { name: 'news' }],
    })
    const empty = ['status', '--cluster', servers.addresses[0], '--name', 'empty']
    expect((await rankward(empty)).stdout).toMatch(/shards +4: 4 unclaimed/)
  })

  it('are functions of the library too', async () => {
    const options = { cluster: [servers.addresses[0]], name: 'news' }
    expect(await clusterStatus(options)).toMatchObject({ name: 'news', phase: 'running' })
    expect(await clusterCrawls({ cluster: options.cluster })).toHaveLength(2)
    expect(await pauseCluster(options)).toMatchObject({ isPaused: true, isChanged: true })
    expect(await resumeCluster(options)).toMatchObject({ isPaused: false, isChanged: true })
    expect(await stopCluster({ ...options, reason: 'x' })).toMatchObject({ stoppedBecause: 'x' })
    expect(await resumeCluster(options)).toMatchObject({ stoppedBecause: undefined })
    await expect(clusterStatus({ ...options, nam: 'x' } as never)).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('compare times by the clock of the servers, so that an operator whose clock is wrong sees live workers', async () => {
    const options = { cluster: [servers.addresses[0]], name: 'news' }
    const hour = 3_600_000
    for (const offset of [-hour, hour]) {
      await members.beat()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offset })
      const [worker] = (await clusterStatus(options)).workers
      vi.useRealTimers()
      expect(worker.isLive).toBe(true)
      expect(worker.secondsSinceBeat).toBeLessThan(3600)
    }
  })

  it('refuse bad input with one line, without the password in it', async () => {
    const [server] = servers.addresses
    const cases: [string[], 1 | 2, RegExp][] = [
      [['status'], 2, /folder of a crawl, or --cluster with --name/],
      [['status', 'folder', ...on], 2, /folder and --cluster/],
      [['cluster', 'pause', '--name', 'news'], 2, /add --cluster/],
      [['cluster', 'pause', '--cluster', server], 2, /add --name/],
      [['cluster', 'pause', '--cluster', server, '--name', 'other'], 2, /no crawl named other/],
      [['cluster', 'pause', '--cluster', server, '--name', 'a.b'], 2, /letters, digits/],
      [['cluster', 'stop', '--cluster', '127.0.0.1:1', '--name', 'news'], 1, /connection is refused/],
      [['cluster', 'list', '--cluster', `nats://me:hunter2@${server}`], 2, /without user and password/],
      [['cluster', 'resume', ...on, '--pages', '5'], 2, /unknown option '--pages'/],
      [['resume', ...on], 2, /Did you mean cluster resume/],
      [['cluster', 'list', '--cluster', server, '--nats-user', 'me'], 2, /no password/],
    ]
    for (const [args, code, line] of cases) {
      const end = await rankward(args)
      expectRefusal(end, code, line)
      expect(end.stderr).not.toContain('hunter2')
    }
  })

  it('name a group that is truncated, and see the end of a crawl', async () => {
    const heads = await workUntilFinished(crawl, owners)
    const status = await clusterStatus({ cluster: [servers.addresses[0]], name: 'news' })
    expect(status).toMatchObject({ phase: 'finished', waiting: 0, coverage: coverageOf(heads, damping) })
    const { certain, crumbs, waiting, away, excluded, unobtainable } = status.mass!
    expect(certain + crumbs + waiting + away + excluded + unobtainable).toBeCloseTo(1, 9)
    expect(away).toBeLessThan(1e-4)
    // Bytes that only a worker could have written, cut off.
    const bytes = (await crawl.journals[2].lastGroup())!
    const { headers } = await import('@nats-io/transport-node')
    const head = headers()
    head.set('Rankward-Writer', bytes.writer)
    head.set('Rankward-Group', String(bytes.group + 1))
    const subject = subjectOf(crawl.journals[2].stream)
    await jetstream(connection).publish(subject, bytes.bytes.subarray(0, 20), { headers: head })
    expectRefusal(await rankward(['status', ...on]), 1, /Group \d+ of the stream RW_news_J2 is truncated/)
  })

  it('read a password from a file', async () => {
    const path = join(folder, 'password')
    writeFileSync(path, 'hunter2\n')
    const args = [
      'cluster',
      'list',
      '--cluster',
      servers.addresses[0],
      '--nats-user',
      'me',
      '--nats-password-file',
      path,
    ]
    // The server has no users, so it accepts any.
    expect((await rankward(args)).exitCode).toBe(0)
  })
})
