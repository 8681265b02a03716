/**
 * The shards that a worker owns and those that it is claiming. At each look it claims shards that are its own and free, releases
 * those that belong to another worker, and finds out which it has lost.
 */
import { RankwardError } from '../../lib/errors.ts'
import { isFinished, lostCutOf, settledOf } from '../protocol/heads.ts'
import type { Members } from '../protocol/members.ts'
import { memberOf, type ShardHead } from '../protocol/shard-group.ts'
import { HeldShard, type ShardKeeper } from './held-shard.ts'
import { lostJournal } from './lost-ends.ts'
import type { Heads, WorkerOptions, WorkerShards } from './ports.ts'

/** Shards that are handed over at a time while the worker keeps working. */
const releasesMax = 2

interface HeldShardsOptions
  extends
    Omit<ShardKeeper, 'claimed' | 'ended' | 'clockBehind'>,
    Pick<WorkerOptions, 'onNotice' | 'onClockBehind'> {
  readonly members: Members
  readonly shards: WorkerShards
  readonly wake: () => void
}

export class HeldShards {
  readonly #options: HeldShardsOptions
  readonly #keeper: ShardKeeper
  readonly #owned = new Map<number, HeldShard>()
  /** Claims that are not decided. */
  readonly #claiming = new Set<number>()
  /** When the claim of each owned shard was stored, by the clock of the worker. */
  readonly #claimedAt = new Map<number, number>()
  readonly #closing = new Set<Promise<void>>()
  /** What each shard had applied at the last look, where the links log had nothing more. */
  readonly #missing = new Map<string, number>()
  /** Shards whose last claim had no response. */
  readonly #unclaimed = new Set<number>()
  #claims = 0
  #isLeaving = false
  #isClockNoted = false

  constructor(options: HeldShardsOptions) {
    this.#options = options
    this.#keeper = {
      ...options,
      clockBehind: (seconds, shard) => this.#clockBehind(seconds, shard),
      claimed: (shard) => this.#claimed(shard),
      ended: (shard) => this.#ended(shard),
    }
  }

  /** The owned shards. */
  all(): Iterable<HeldShard> {
    return this.#owned.values()
  }

  get(number: number): HeldShard | undefined {
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
    const { members } = this.#options
    const isOver = isFinished(heads, heads)
    for (const [number, head] of heads.entries()) {
      const shard = this.#owned.get(number)
      const isMine = members.ownerOf(number) === members.self
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

  #settle(owned: HeldShard, heads: Heads, isMine: boolean): void {
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
  #askForMissing({ shard }: HeldShard, heads: Heads): void {
    for (const [source, head] of heads.entries()) {
      const applied = shard.applied[source]
      const key = `${shard.number} ${source}`
      if (head === undefined || source === shard.number || head.published <= applied)
        this.#missing.delete(key)
      else if (this.#missing.get(key) === applied) this.#options.streams.askAgain(source, applied + 1)
      else this.#missing.set(key, applied)
    }
  }

  async #claim(number: number, heads: Heads): Promise<void> {
    if (this.#claiming.has(number)) return
    this.#claiming.add(number)
    try {
      const { members, shards } = this.#options
      const crawl = await shards.open(number)
      const lost = lostCutOf(heads, number, crawl.shard.cut)
      if (lost !== undefined) throw lostJournal(lost)
      const writer = `${members.self}.${this.#claims++}`
      if (!this.#isLeaving) return new HeldShard(this.#keeper, crawl, writer).owner.claim()
      await crawl.close()
    } catch (error) {
      // Without a response from the servers, the next look tries again.
      if (error instanceof RankwardError || error instanceof RangeError) this.#options.failed(error)
      else this.#missed(number, error)
    }
    this.#claiming.delete(number)
    this.#options.wake()
  }

  /** One line for each shard until it is claimed. */
  #missed(number: number, error: unknown): void {
    if (this.#unclaimed.has(number)) return
    this.#unclaimed.add(number)
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.onNotice?.(`Shard ${number} was not claimed (${reason}). It is tried again.`)
  }

  #clockBehind(seconds: number, shard: number): void {
    if (this.#isClockNoted) return
    this.#isClockNoted = true
    this.#options.onClockBehind?.(seconds, shard)
  }

  #claimed(shard: HeldShard): void {
    const { number } = shard.shard
    this.#unclaimed.delete(number)
    this.#claiming.delete(number)
    this.#owned.set(number, shard)
    this.#claimedAt.set(number, this.#options.clock.now())
    shard.isLeaving = this.#isLeaving
    this.#options.wake()
  }

  #ended(shard: HeldShard): void {
    const { number } = shard.shard
    this.#claiming.delete(number)
    if (this.#owned.get(number) === shard) this.#owned.delete(number)
    const closing = shard.close().catch((error: unknown) => this.#options.failed(error))
    this.#closing.add(closing)
    void closing.then(() => this.#closing.delete(closing))
    this.#options.wake()
  }
}
