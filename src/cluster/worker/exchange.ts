/**
 * Sends the mass of away pages off, and reads what others have sent, without waiting for a tick: as soon as a worker has taken the pages that
 * may be taken in any order (page-order.ts). With patience, no more pages are taken meanwhile.
 */
import type { ShardOwner } from '../protocol/shard-owner.ts'
import { sleep } from './alarm.ts'
import type { Cuts } from './cuts.ts'
import { groupInterval } from './held-shard.ts'
import type { HeldShards } from './held-shards.ts'
import type { LinkReader } from './link-reader.ts'
import type { WorkerClock, WorkerTiming } from './ports.ts'

/** An exchange is over after this time, whether or not its messages are stored. */
const secondsMax = 2
const lookSeconds = 0.01

interface ExchangeOptions {
  readonly clock: WorkerClock
  readonly shards: HeldShards
  readonly cuts: Cuts
  readonly links: LinkReader
  readonly timing: Pick<WorkerTiming, 'groupSeconds'>
  readonly failed: (error: unknown) => void
}

export class Exchange {
  readonly #options: ExchangeOptions
  #isRunning = false
  #startedAt = -Infinity

  constructor(options: ExchangeOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Exchanges mass, unless that is happening; `done` is called afterwards. */
  start(done: () => void): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run().then(done).catch(this.#options.failed)
  }

  async #run(): Promise<void> {
    const { shards, cuts, links, clock, timing } = this.#options
    // Each exchange closes a group of every shard.
    const earliest = this.#startedAt + groupInterval(timing.groupSeconds, shards.count)
    if (earliest > clock.now()) await sleep(clock, earliest - clock.now())
    this.#startedAt = clock.now()
    cuts.makeAll()
    const sent = new Map<ShardOwner, number>()
    for (const { owner } of shards.all()) {
      owner.flush(false)
      sent.set(owner, owner.shard.cut)
    }
    const isSent = (): boolean =>
      [...sent].every(([owner, cut]) => !owner.isOwning || owner.shard.published >= cut)
    while (!isSent() && clock.now() < this.#startedAt + secondsMax) {
      for (const { owner } of shards.all()) owner.flush(false)
      await sleep(clock, lookSeconds)
    }
    await links.read([...shards.all()])
    this.#isRunning = false
  }
}
