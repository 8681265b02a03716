/** The shards of the real web that a worker can crawl. They share fetch threads, addresses and the store of snapshots. */
import { AddressRests } from '../../crawler/desk/address-rests.ts'
import { asksElsewhere, isArchived } from '../../crawler/parts/all-parts.ts'
import { Addresses } from '../../crawler/desk/addresses.ts'
import type { ArchiveSending } from '../../crawler/parts/archiving.ts'
import type { FetchThreads } from '../../crawler/desk/fetch-threads.ts'
import { Wire } from '../../crawler/desk/wire.ts'
import { crawlThreads } from '../../crawler/session/crawl-threads.ts'
import { readSecrets } from '../../crawler/session/request-secrets.ts'
import { systemSeconds } from '../../crawler/session/system-clock.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { ShardHost, WorkerShards } from '../worker/ports.ts'
import { CrawlShard, type ShardWorker } from './crawl-shard.ts'
import { ShardTurns } from './shard-turns.ts'
import { SnapshotStore, type SnapshotLimits } from './snapshot-store.ts'

export interface CrawlShardsOptions extends Pick<
  ShardWorker,
  'name' | 'crawl' | 'folder' | 'streams' | 'given' | 'onEvent' | 'onRestored' | 'onNotice'
> {
  /** The folder of the WARC files. */
  readonly warc: string
  readonly snapshots?: Partial<SnapshotLimits> | undefined
  /** Undefined: the archive stays on this machine. */
  readonly sending?: ArchiveSending | undefined
}

export class CrawlShards implements WorkerShards {
  readonly #worker: ShardWorker
  readonly #threads: FetchThreads
  readonly #isArchived: boolean
  readonly #sending: ArchiveSending | undefined
  #sync: Promise<void> | undefined

  constructor(options: CrawlShardsOptions, { wake, failed, addresses: shared }: ShardHost) {
    const { crawl, name, warc, streams, onNotice, snapshots: limits } = options
    const { settings } = crawl
    this.#sending = options.sending
    const secrets = readSecrets(settings)
    const rests = new AddressRests(settings.waitPerAddress, systemSeconds)
    this.#isArchived = isArchived(settings)
    const wire = new Wire({ isArchived: this.#isArchived, wake, broken: failed })
    this.#threads = crawlThreads(
      { settings, crawlId: crawl.id, warc, worker: name, bodies: false, secrets },
      wire,
    )
    wire.use(this.#threads)
    this.#worker = {
      ...options,
      secrets: secrets.parts,
      wire,
      turns: (aheadSeconds) =>
        new ShardTurns({
          rests,
          shared,
          sharesAddresses: settings.waitPerAddress > 0,
          sharesHosts: asksElsewhere(settings),
          now: systemSeconds,
          aheadSeconds,
        }),
      addresses: new Addresses(settings),
      hosts: new Set(),
      wake,
      snapshots: new SnapshotStore({ streams, limits, onNotice: (line) => onNotice?.(line) }),
      synced: () => this.#synced(),
    }
  }

  async open(number: number): Promise<CrawlShard> {
    try {
      return await CrawlShard.restore(this.#worker, number)
    } catch (error) {
      throw isOfDisk(error) ? unwritableFolder(this.#worker.folder, error) : error
    }
  }

  get hasRoom(): boolean {
    return this.#sending?.hasRoom !== false
  }

  flush(): void {
    this.#threads.flush()
  }

  async close(): Promise<void> {
    await this.#worker.snapshots.stored()
    await this.#threads.close()
  }

  async kill(): Promise<void> {
    await this.#threads.kill()
  }

  /** Groups that are closed in one turn share one sync of the archive. */
  #synced(): Promise<void> {
    if (!this.#isArchived) return Promise.resolve()
    this.#sync ??= Promise.resolve().then(async () => {
      this.#sync = undefined
      await this.#threads.sync()
    })
    return this.#sync
  }
}

function isOfDisk(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

function unwritableFolder(folder: string, cause: Error): RankwardError {
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The worker's folder ${folder} cannot be written (${cause.message}). Free some space or restore access, then start the worker again; other workers take its shards over.`,
    { cause },
  )
}
