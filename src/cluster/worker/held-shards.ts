/**
 * The shards that a worker owns and those that it is claiming. At each look it claims shards that are its own and free, releases
 * those that belong to another worker, and finds out which it has lost.
 */
import { RankwardError } from '../../lib/errors.ts'
import { isFinished, lostCutOf, settledOf } from '../protocol/heads.ts'
import type { Members } from '../protocol/members.ts'
import { memberOf, type ShardHead } from '../protocol/shard-group.ts'
import { CrawlShard, type ShardWorker } from './crawl-shard.ts'
import { lostJournal } from './lost-ends.ts'

/** Shards that are handed over at a time while the worker keeps working. */
const releasesMax = 2

export type Heads = readonly (ShardHead | undefined)[]

interface HeldShardsOptions {
  readonly members: Members
  /** What the shards need; `claimed` and `ended` are added. */
  readonly worker: Omit<ShardWorker, 'claimed' | 'ended'>
}

export class HeldShards {
  readonly #options: HeldShardsOptions
  readonly #worker: ShardWorker
  readonly #owned = new Map<number, CrawlShard>()
  /** Claims that are not decided. */
  readonly #claiming = new Set<number>()
  /** When the claim of each owned shard was stored, by the monotonic clock. */
  readonly #claimedAt = new Map<number, number>()
  readonly #closing = new Set<Promise<void>>()
  /** What each shard had applied at the last look, where the links log had nothing more. */
  readonly #missing = new Map<string, number>()
  /** Shards whose last claim had no response. */
  readonly #unclaimed = new Set<number>()
  #claims = 0
  #isLeaving = false

  constructor(options: HeldShardsOptions) {
    this.#options = options
    this.#worker = {
      ...options.worker,
      claimed: (shard) => this.#claimed(shard),
      ended: (shard) => this.#ended(shard),
    }
  }

  /** The owned shards. */
  all(): Iterable<CrawlShard> {
    return this.#owned.values()
  }

  get(number: number): CrawlShard | undefined {
    return this.#owned.get(number)
  }

  get count(): number {
    return this.#owned.size
  }

  /** True if no shard is owned and no claim is undecided. */
  get isEmpty(): boolean {
    return this.#owned.size === 0 && this.#claiming.size === 0
  }

  /** Releases all shards once their requests have outcomes, and claims no more. */
  leave(): void {
    this.#isLeaving = true
    for (const shard of this.#owned.values()) shard.isLeaving = true
  }

  /** Resolves when the files of all lost and released shards are closed. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing)
  }

  /** `heads` were read after `lookedAt`. */
  look(heads: Heads, lookedAt: number): void {
    if (this.#isLeaving) return
    const isOver = isFinished(heads, heads)
    for (const [number, head] of heads.entries()) {
      const shard = this.#owned.get(number)
      const isMine = this.#options.members.ownerOf(number) === this.#worker.name
      if (shard === undefined) {
        if (isMine && !isOver && this.#isFree(head)) void this.#claim(number, heads)
      } else if (head?.writer === shard.owner.writer) this.#settle(shard, heads, isMine)
      else if (this.#claimedAt.get(number)! <= lookedAt) shard.owner.taken()
    }
  }

  #isFree(head: ShardHead | undefined): boolean {
    if (head === undefined || head.kind === 'released') return true
    return !this.#options.members.isLive(memberOf(head.writer))
  }

  #settle(owned: CrawlShard, heads: Heads, isMine: boolean): void {
    const { shard, owner } = owned
    if (!owner.isOwning) return
    shard.settle(Math.min(settledOf(heads, shard.number), shard.published))
    this.#askForMissing(owned, heads)
    const leaving = [...this.#owned.values()].filter(({ isLeaving }) => isLeaving).length
    if (isMine) owned.isLeaving = false
    else if (leaving < releasesMax) owned.isLeaving = true
    owned.releaseIfDone()
  }

  /** A message is in no log although its source has published it: the source publishes it again. */
  #askForMissing({ shard }: CrawlShard, heads: Heads): void {
    for (const [source, head] of heads.entries()) {
      const applied = shard.applied[source]
      const key = `${shard.number} ${source}`
      if (head === undefined || source === shard.number || head.published <= applied)
        this.#missing.delete(key)
      else if (this.#missing.get(key) === applied) this.#worker.streams.askAgain(source, applied + 1)
      else this.#missing.set(key, applied)
    }
  }

  async #claim(number: number, heads: Heads): Promise<void> {
    if (this.#claiming.has(number)) return
    this.#claiming.add(number)
    try {
      const writer = `${this.#worker.name}.${this.#claims++}`
      const shard = await CrawlShard.restore(this.#worker, number, writer)
      const lost = lostCutOf(heads, number, shard.shard.cut)
      if (lost !== undefined) throw lostJournal(lost)
      if (!this.#isLeaving) return shard.owner.claim()
      await shard.drop()
    } catch (error) {
      // Without a response from the servers, the next look tries again.
      if (error instanceof RankwardError || error instanceof RangeError) this.#worker.failed(error)
      else if (isOfDisk(error)) this.#worker.failed(unwritableFolder(this.#worker.folder, error))
      else this.#missed(number, error)
    }
    this.#claiming.delete(number)
    this.#worker.wake()
  }

  /** One line for each shard until it is claimed. */
  #missed(number: number, error: unknown): void {
    if (this.#unclaimed.has(number)) return
    this.#unclaimed.add(number)
    const reason = error instanceof Error ? error.message : String(error)
    this.#worker.onNotice?.(`Shard ${number} was not claimed (${reason}). It is tried again.`)
  }

  #claimed(shard: CrawlShard): void {
    const { number } = shard.shard
    this.#unclaimed.delete(number)
    this.#claiming.delete(number)
    this.#owned.set(number, shard)
    this.#claimedAt.set(number, performance.now())
    shard.isLeaving = this.#isLeaving
    this.#worker.wake()
  }

  #ended(shard: CrawlShard): void {
    const { number } = shard.shard
    this.#claiming.delete(number)
    if (this.#owned.get(number) === shard) this.#owned.delete(number)
    const closing = shard.close().catch((error: unknown) => this.#worker.failed(error))
    this.#closing.add(closing)
    void closing.then(() => this.#closing.delete(closing))
    this.#worker.wake()
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
