/**
 * The requests of all shards of a worker go through the same fetch threads and address rests. Shards number their pages and
 * sites independently, so each ownership of a shard has a *lane*: a number that makes its ids and sites unambiguous. A lane
 * is never used again, so results of a shard that was lost reach no later owner.
 */
import { assert } from '../../lib/assert.ts'
import type { AddressRests, AddressTurns } from '../../worlds/real/address-rests.ts'
import type { SharedAddresses } from '../shared-addresses.ts'
import type { FetchResult } from '../../worlds/real/fetch-result.ts'
import type { FetchThreads, RequestThreads, ThreadsListener } from '../../worlds/real/fetch-threads.ts'
import type { FetchConnection, Kept, Verdict } from '../../worlds/real/messages.ts'

/** More than the ids of pages (32 bits) and of robots.txt files after them. */
const idsPerLane = 2 ** 34
/** Lanes share the threads evenly: sites of different lanes differ in the low bits too. */
const sitesPerLane = 2 ** 32
const lanesMax = 2 ** 19

/** What a lane receives. */
export interface LaneListener {
  received(result: FetchResult, thread: number): void
  slow(id: number, thread: number): void
  kept(kept: Kept, thread: number): void
}

export interface SharedRequestsOptions {
  readonly rests: AddressRests
  /** The turns of addresses that other workers may use too; undefined without a gap between requests to an address. */
  readonly turns: SharedAddresses | undefined
  readonly now: () => number
  readonly isArchived: boolean
  readonly wake: () => void
  readonly broken: (error: Error) => void
}

export class SharedRequests implements ThreadsListener {
  readonly #options: SharedRequestsOptions
  readonly #lanes = new Map<number, Lane>()
  #opened = 0
  #threads: FetchThreads | undefined

  constructor(options: SharedRequestsOptions) {
    this.#options = options
  }

  /** Must be called before a lane is opened. */
  use(threads: FetchThreads): void {
    this.#threads = threads
  }

  /** The clock of the shard is so far ahead of that of the worker. */
  openLane(listener: LaneListener, aheadSeconds: number): Lane {
    const number = this.#opened++
    assert(number < lanesMax, 'a worker has claimed too many shards')
    const { rests, turns, now, isArchived } = this.#options
    const lane = new Lane({
      number,
      threads: this.#threads!,
      rests,
      turns,
      now,
      aheadSeconds,
      isArchived,
      listener,
    })
    this.#lanes.set(number, lane)
    return lane
  }

  /** Aborts the requests of a lane. Nothing of them is archived or reported. */
  closeLane(lane: Lane): void {
    this.#lanes.delete(lane.number)
    lane.close()
  }

  received(result: FetchResult, thread: number): void {
    const lane = this.#laneOf(result.id)
    if (lane !== undefined) lane.received(result, thread)
    else if (this.#options.isArchived) this.#threads!.keep(thread, { id: result.id, drop: true })
  }

  slow(id: number, thread: number): void {
    this.#laneOf(id)?.slow(id, thread)
  }

  kept(kept: Kept, thread: number): void {
    this.#laneOf(kept.id)?.kept(kept, thread)
  }

  wake(): void {
    this.#options.wake()
  }

  broken(error: Error): void {
    this.#options.broken(error)
  }

  #laneOf(id: number): Lane | undefined {
    return this.#lanes.get(Math.floor(id / idsPerLane))
  }
}

interface LaneOptions {
  readonly number: number
  readonly threads: FetchThreads
  readonly rests: AddressRests
  readonly turns: SharedAddresses | undefined
  readonly now: () => number
  readonly aheadSeconds: number
  readonly isArchived: boolean
  readonly listener: LaneListener
}

/** The threads and address rests as one shard sees them. Its times are those of the shard's clock; the rests have those of the worker. */
export class Lane implements RequestThreads, AddressTurns {
  readonly number: number
  readonly #options: LaneOptions
  /** Sites with requests in flight, and addresses that are occupied. */
  readonly #sites = new Set<number>()
  readonly #addresses = new Set<string>()
  /** Responses that wait for a verdict, by id, and their threads. */
  readonly #undecided = new Map<number, number>()

  constructor(options: LaneOptions) {
    this.#options = options
    this.number = options.number
  }

  fetch(connection: FetchConnection): void {
    const site = this.#siteOut(connection.site)
    this.#sites.add(site)
    const requests = connection.requests.map((request) => ({ ...request, id: this.#idOut(request.id) }))
    this.#options.threads.fetch({ ...connection, site, requests })
  }

  keep(thread: number, verdict: Verdict): void {
    const id = this.#idOut(verdict.id)
    this.#undecided.delete(id)
    this.#options.threads.keep(thread, { ...verdict, id })
  }

  cut(thread: number, id: number): void {
    this.#options.threads.cut(thread, this.#idOut(id))
  }

  flush(): void {
    this.#options.threads.flush()
  }

  turn(address: string, site: number): number {
    const { rests, turns, now, aheadSeconds } = this.#options
    const waitSeconds = turns?.waitFor(address) ?? 0
    if (waitSeconds > 0) rests.hold(address, now() + waitSeconds)
    return rests.turn(address, this.#siteOut(site)) + aheadSeconds
  }

  occupy(address: string, now: number): void {
    this.#addresses.add(address)
    this.#options.turns?.began(address)
    this.#options.rests.occupy(address, now - this.#options.aheadSeconds)
  }

  release(address: string, end: number): void {
    this.#addresses.delete(address)
    this.#options.turns?.ended(address)
    this.#options.rests.release(address, end - this.#options.aheadSeconds)
  }

  received(result: FetchResult, thread: number): void {
    if (this.#options.isArchived && result.failure === undefined) this.#undecided.set(result.id, thread)
    if (result.last) this.#sites.delete(result.site)
    const site = result.site % sitesPerLane
    this.#options.listener.received({ ...result, id: result.id % idsPerLane, site }, thread)
  }

  slow(id: number, thread: number): void {
    this.#options.listener.slow(id % idsPerLane, thread)
  }

  kept(kept: Kept, thread: number): void {
    this.#options.listener.kept({ ...kept, id: kept.id % idsPerLane }, thread)
  }

  close(): void {
    const { threads, now, aheadSeconds } = this.#options
    threads.abortSites(this.#sites)
    for (const [id, thread] of this.#undecided) threads.keep(thread, { id, drop: true })
    for (const address of this.#addresses) this.release(address, now() + aheadSeconds)
    this.#undecided.clear()
  }

  #idOut(id: number): number {
    return this.number * idsPerLane + id
  }

  #siteOut(site: number): number {
    return this.number * sitesPerLane + site
  }
}
