/** A crawl of a served web by workers in processes of their own, over real nats-servers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { NatsConnection } from '@nats-io/transport-node'
import { readFacts } from '../../src/engine/fact-reader.ts'
import { ByteReader } from '../../src/lib/byte-reader.ts'
import { CrawlFolder } from '../../src/crawler/record/crawl-folder.ts'
import { decodeFound } from '../../src/crawler/record/found-record.ts'
import { GroupBytes, readRecord } from '../../src/crawler/record/group.ts'
import { SegmentLog } from '../../src/crawler/record/segment-log.ts'
import { coverageOf } from '../../src/cluster/protocol/heads.ts'
import { Members } from '../../src/cluster/protocol/members.ts'
import { CrawlStreams } from '../../src/cluster/jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../../src/cluster/jetstream/jetstream-control.ts'
import { memberOf, readShardGroup, type ShardHead } from '../../src/cluster/protocol/shard-group.ts'
import { createCrawl } from '../../src/cluster/crawl/create-crawl.ts'
import { headOfLocal, localForm, readJournalForm } from '../../src/cluster/jetstream/shard-group-bytes.ts'
import type { SnapshotLimits } from '../../src/cluster/crawl/snapshot-store.ts'
import type { WorkerTiming } from '../../src/cluster/worker/ports.ts'
import type { CrawlOptions } from '../../src/crawler/options/crawl-options.ts'
import type { WorkerPaths } from '../../src/crawler/options/worker-files.ts'
import { untilDone, type NatsServers } from './nats-server.ts'

const child = fileURLToPath(new URL('worker-child.mjs', import.meta.url))

/** Beats are frequent, so that a killed worker is noticed soon. */
export const quickTiming: Partial<WorkerTiming> = {
  beatSeconds: 0.3,
  beatSecondsMax: 3,
  pauseSecondsMax: 1.5,
  groupSeconds: 0.1,
  cutSeconds: 0.5,
}

/** No worker is taken for gone while it runs, however busy the machine is. */
export const calmTiming: Partial<WorkerTiming> = {
  ...quickTiming,
  beatSeconds: 2,
  beatSecondsMax: 20,
  pauseSecondsMax: 10,
}

export interface WorkerClusterOptions {
  readonly servers: NatsServers
  readonly connection: NatsConnection
  readonly folder: string
  readonly name: string
  readonly shards: number
  readonly crawl: CrawlOptions
  /** Of the workers, in place of `quickTiming`. */
  readonly timing?: Partial<WorkerTiming> | undefined
  readonly snapshots?: Partial<SnapshotLimits> | undefined
  /** The workers' copies of files that the cluster does not store. */
  readonly files?: WorkerPaths | undefined
  /** 1 by default. */
  readonly replicas?: number | undefined
}

interface WorkerStart extends Pick<
  WorkerClusterOptions,
  'servers' | 'name' | 'timing' | 'snapshots' | 'files'
> {
  readonly folder: string
  readonly clockAheadMs?: number
  readonly weight?: number | undefined
}

interface StartedWorker {
  readonly child: ChildProcess
  /** Why it ended. */
  readonly ended: Promise<string>
}

/** Starts a worker of a crawl; resolves when it runs. */
export async function startWorker(start: WorkerStart): Promise<StartedWorker> {
  const worker = spawnWorker(start)
  await worker.started
  return worker
}

function spawnWorker({
  servers,
  name: crawl,
  timing = quickTiming,
  ...rest
}: WorkerStart): StartedWorker & { readonly started: Promise<void> } {
  const { folder, snapshots, files, clockAheadMs, weight } = rest
  const options = {
    servers: servers.addresses,
    crawl,
    folder,
    timing,
    snapshots,
    files,
    clockAheadMs,
    weight,
  }
  const worker = spawn(process.execPath, [child, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const started = new Promise<void>((resolve, reject) => {
    worker.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('started\n')) resolve()
    })
    worker.once('exit', (code, signal) =>
      reject(new Error(`The worker in ${folder} ended before it ran: ${signal ?? `exit code ${code}`}`)),
    )
  })
  const ended = once(worker, 'close').then(() => text.replace('started\n', '').trim())
  return { child: worker, started, ended }
}

export class WorkerCluster {
  readonly streams: CrawlStreams
  readonly control: JetStreamControl
  readonly #options: WorkerClusterOptions
  readonly #running = new Set<ChildProcess>()
  /** What each worker prints when it ends. */
  readonly #ends = new WeakMap<ChildProcess, Promise<string>>()
  #folders = 0

  private constructor(options: WorkerClusterOptions, control: JetStreamControl, streams: CrawlStreams) {
    this.#options = options
    this.control = control
    this.streams = streams
  }

  static async create(options: WorkerClusterOptions): Promise<WorkerCluster> {
    const { connection, name, shards, crawl, replicas = 1 } = options
    const control = await createCrawl({ connection, name, shards, replicas, options: crawl })
    const streams = await CrawlStreams.open({ connection, crawl: name, shards, replicas })
    return new WorkerCluster(options, control, streams)
  }

  newFolder(): string {
    return join(this.#options.folder, `worker-${this.#folders++}`)
  }

  /** Starts a worker; resolves when it runs. Its clock may be ahead. */
  async start(folder = this.newFolder(), clockAheadMs = 0, weight?: number): Promise<ChildProcess> {
    const { child: worker, ended, started } = spawnWorker({ ...this.#options, folder, clockAheadMs, weight })
    this.#running.add(worker)
    worker.once('exit', () => this.#running.delete(worker))
    this.#ends.set(worker, ended)
    await started
    return worker
  }

  /** Why a worker ended. */
  async ended(worker: ChildProcess): Promise<string | undefined> {
    return this.#ends.get(worker)
  }

  async kill(worker: ChildProcess): Promise<void> {
    if (worker.exitCode !== null || worker.signalCode !== null) return
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((worker) => this.kill(worker)))
    this.streams.close()
  }

  heads(): Promise<(ShardHead | undefined)[]> {
    // Servers that create streams may not respond for seconds.
    return untilDone(() => this.streams.heads())
  }

  /** The coverage that the journals prove, and the RankMass that they account for: 1 if nothing is lost or counted twice. */
  async masses(damping = 0.85): Promise<{ coverage: number; total: number; open: number }> {
    const heads = await this.heads()
    let total = 0
    let open = 0
    for (const { account } of heads as ShardHead[]) {
      const { certain, crumbs, waiting, away, excluded, unobtainable } = account
      total += certain + (crumbs + waiting + away + excluded + unobtainable) / (1 - damping)
      open += waiting
    }
    return { coverage: coverageOf(heads, damping), total, open }
  }

  async fetchedCount(): Promise<number> {
    return (await this.heads()).reduce((sum, head) => sum + (head?.fetched ?? 0), 0)
  }

  /** The worker that wrote the last group of each shard. */
  async owners(): Promise<(string | undefined)[]> {
    return (await this.heads()).map(memberOfHead)
  }

  async untilHeads(isReached: (heads: readonly (ShardHead | undefined)[]) => boolean): Promise<void> {
    while (!isReached(await this.heads())) await sleep(20)
  }

  /** Waits until each of so many workers owns the shards that its hash gives it, and none changes hands any more. */
  async untilSettled(workers: number): Promise<void> {
    for (;;) {
      const owners = await this.owners()
      const live = [...new Set(owners)]
      const members = new Members(live[0] ?? '', this.#options.shards)
      members.beat(new Map(live.map((name) => [name ?? '', 1])))
      const heads = await this.heads()
      const isPlaced = heads.every(
        (head, shard) => head?.kind !== 'released' && memberOfHead(head) === members.ownerOf(shard),
      )
      if (live.length === workers && isPlaced) return
      await sleep(20)
    }
  }

  async untilFetched(pages: number): Promise<void> {
    while ((await this.fetchedCount()) < pages) await sleep(20)
  }
}

export function memberOfHead(head: ShardHead | undefined): string | undefined {
  return head && memberOf(head.writer)
}

/** The workers that have claimed each shard, in order. */
export async function claimsOf(streams: CrawlStreams, shards: number): Promise<string[][]> {
  const claims: string[][] = []
  for (let shard = 0; shard < shards; shard++) {
    const claimed: string[] = []
    for await (const { bytes } of (await streams.history(shard)).read(0)) {
      const { head } = readShardGroup(bytes)
      if (head.kind === 'claim') claimed.push(memberOf(head.writer))
    }
    claims.push(claimed)
  }
  return claims
}

/** The URLs that the journals have as fetched, each as often as it was journaled. */
export async function journaledUrls(streams: CrawlStreams, shards: number): Promise<string[]> {
  const urls: string[] = []
  for (let shard = 0; shard < shards; shard++) {
    const sites: string[] = []
    const found: string[] = []
    for await (const { bytes } of (await streams.history(shard)).read(0)) {
      const group = new GroupBytes(readJournalForm(bytes).group)
      const names = new ByteReader(group.section('sites'))
      while (!names.isAtEnd) sites.push(names.text())
      const records = new ByteReader(group.section('found'))
      while (!records.isAtEnd) found.push(decodeFound(readRecord(records), (site) => sites[site]).url)
      readFacts(group.section('facts'), { fetched: (page) => void urls.push(found[page]) })
    }
  }
  return urls
}

/** Adds a group to the copy of a shard that its journal does not have. Returns the number of groups before. */
export async function extendBeyondJournal(path: string): Promise<number> {
  const copy = await SegmentLog.open(CrawlFolder.open(path).log, { isSynced: false })
  const { last } = copy
  for await (const { bytes } of copy.read(last - 1)) {
    const { head, sequence } = headOfLocal(new GroupBytes(bytes))
    // A group without sections: its time only.
    await copy.append(localForm(head, new Uint8Array(8), sequence + 1000))
  }
  await copy.close()
  return last
}

/** The folders of all shards in a worker's folder. */
export function shardFolders(folder: string): string[] {
  const shards = join(folder, 'shards')
  return existsSync(shards) ? readdirSync(shards).map((name) => join(shards, name)) : []
}
