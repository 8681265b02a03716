/**
 * What a worker works with. `rankward cluster worker` has NATS JetStream, the clock of the machine and shards of the real web (`../crawl/`);
 * `simulate --shards` has a virtual store and a virtual clock with seeded faults, and shards of a stored web.
 */
import type { CrawlClock } from '../../engine/crawl-clock.ts'
import type { World } from '../../engine/world.ts'
import type { TurnAnswer } from '../protocol/address-turns.ts'
import type { AppendRecord } from '../protocol/append.ts'
import type { ControlLog } from '../protocol/control-log.ts'
import type { ShardHead } from '../protocol/shard-group.ts'
import type { Shard } from '../protocol/shard.ts'
import type { SharedAddresses } from '../protocol/shared-addresses.ts'
import type { Spent } from '../protocol/spent.ts'

/** The heads of the last groups of all shards; undefined for a shard that was never claimed. */
export type Heads = readonly (ShardHead | undefined)[]

/** The head of a shard's last group, if it need not be read. */
export type KnownHead = (shard: number) => ShardHead | undefined

export interface WorkerTiming {
  readonly beatSeconds: number
  /** Without an acknowledged beat for this long, nothing is requested. */
  readonly beatSecondsMax: number
  /** After a pause of this length, nothing is requested before the next acknowledged beat. */
  readonly pauseSecondsMax: number
  /** Seconds between two groups of a shard. */
  readonly groupSeconds: number
  /** Longest time between two cuts of a shard that is not idle. */
  readonly cutSeconds: number
  /** The longest time for which a patient worker waits for better pages of others. */
  readonly orderSeconds: number
}

export const workerTiming: WorkerTiming = {
  beatSeconds: 2,
  beatSecondsMax: 10,
  pauseSecondsMax: 5,
  groupSeconds: 0.5,
  cutSeconds: 5,
  orderSeconds: 5,
}

/** What a worker must know of the crawl. */
export interface WorkerCrawl {
  readonly shards: number
  readonly settings: {
    readonly damping: number
    /** The share of the best waiting page that a page must be worth (S73). With 0, no worker waits for pages of others. */
    readonly patience: number
    /** Limits of the whole crawl; undefined: none. */
    readonly pages?: number | undefined
    readonly coverage?: number | undefined
    readonly seconds?: number | undefined
    readonly bytes?: number | undefined
    readonly failures?: number | undefined
    /** Of this worker. */
    readonly connections: number
    /** The gap between two requests to a site, and to an address, in seconds. */
    readonly wait: number
    readonly waitPerAddress: number
    /** Workers take turns at hosts too: files of any host may be requested. Default: no. */
    readonly sharesHosts?: boolean | undefined
    /** Undefined if every page is fetched once. `rate`: fetches per day of all shards; absent: it follows from the known pages. */
    readonly recrawl?: { readonly rate?: number | undefined } | undefined
  }
}

export interface WorkerClock {
  /** Seconds of the epoch, at the speed of the monotonic clock: it may stand still while the machine sleeps. */
  now(): number
  /** Milliseconds of the epoch: this clock may be set. */
  wallMs(): number
  /** Calls `run` after this time, in a later turn of the event loop in any case. Returns a function that prevents it. */
  after(seconds: number, run: () => void): () => void
}

/** Messages of the links log that were read, up to a position. */
export interface LinksRead {
  readonly messages: readonly Uint8Array[]
  /** The position of each message. */
  readonly positions: readonly number[]
  readonly position: number
  /** The last position of the log. */
  readonly end: number
}

interface LinksLog {
  /** True once the message is stored; false if it is unknown whether it was. Throws if it never can be. */
  publish(message: Uint8Array): Promise<boolean>
  /**
   * The messages after this position, at most `messagesMax`. A position past the end shows that the log has lost messages: everything is read
   * again. Throws without a response.
   */
  read(after: number, messagesMax: number): Promise<LinksRead>
  /** Removes the messages up to this position. */
  purge(position: number): Promise<void>
}

/** The journals of all shards, the links log, and hints between workers. Promises are rejected if there is no response. */
export interface WorkerStreams {
  readonly links: LinksLog
  /** Those that `known` returns are not read. */
  heads(known?: KnownHead): Promise<Heads>
  /** The counts in the last groups of all shards; undefined for a shard that was never claimed. */
  counts(): Promise<(object | undefined)[]>
  /** Asks the owner of `source` to publish its messages again, from this number on. */
  askAgain(source: number, from: number): void
  onAskedAgain(publish: (source: number, from: number) => void, failed: (error: Error) => void): void
  /** Tells all workers of the last group of a shard. It is a hint: it may be lost. */
  announceHead(shard: number, head: ShardHead): void
  onHead(heard: (shard: number, head: ShardHead) => void, failed: (error: unknown) => void): void
  close(): void
}

interface WorkerMembers {
  /** Renews the key of this worker. Returns the revisions of all keys once that is acknowledged; rejects without a response. */
  beat(): Promise<ReadonlyMap<string, number>>
  /** When the last beat was stored, by the clock of the servers. */
  readonly beatMs: number
  /** Removes the key: the other workers see at once that this one has left. */
  leave(): Promise<void>
}

export interface TurnRequest {
  /** The worker that sends the request. */
  readonly from: string
  /** The address whose turn is requested. */
  readonly address?: string | undefined
  readonly isBusy?: boolean | undefined
  /** In place of an address: the worker has joined, has read the keys of these members, and asks when the last turns end. */
  readonly keys?: readonly string[] | undefined
}

/** Requests for turns of addresses (address-turns.ts) between workers. */
export interface TurnMessages {
  /** Answers the requests to a worker until `close`. */
  listen(
    self: string,
    answer: (request: TurnRequest) => TurnAnswer | undefined,
    failed: (error: unknown) => void,
  ): void
  /** `onAnswer` is called once, with undefined if there is no valid response in time. */
  request(worker: string, request: TurnRequest, onAnswer: (answer: TurnAnswer | undefined) => void): void
  close(): void
}

/** A shard that was restored from its journal, and what crawls it once the worker has claimed it. */
export interface ShardCrawl {
  readonly shard: Shard
  /** The sequence of the last group that it was restored from; 0 if its journal is empty. */
  readonly sequence: number
  /** Takes pages from `begin` to `end`. */
  readonly world: World
  /** The claim is stored: requests may be sent, by this clock. Owners before may have sent requests that they have not journaled. */
  begin(clock: CrawlClock): void
  /** Whether the world has outcomes to deliver. */
  readonly hasNews: boolean
  /** Does what is due beside the pages; returns when there is more to do, by the clock of `begin`. Called often. */
  turn(): number
  /** Nothing is left to fetch: whether there is work beside the pages, which ends by itself. */
  isUnfinished(): boolean
  /** Something was recorded that no fact goes with, since the last group. */
  readonly hasRecords: boolean
  /** When the shard counts as idle since only pages of unreachable sites are left; Infinity as long as there are others. */
  idleFrom(): number
  /** Up to now: its last group may have less. */
  readonly spent: Spent
  /** Stores the group, completely, and all that it refers to. Returns its sequence; undefined if another writer has appended. */
  append(record: AppendRecord): Promise<number | undefined>
  /** The shard is lost or released: requests in flight are aborted, and nothing more is written or sent. */
  end(state: 'fenced' | 'released'): void
  /** Resolves when its files are closed. No append is in flight. */
  close(): Promise<void>
}

/** The shards of the crawl, as this worker can crawl them. */
export interface WorkerShards {
  /** Restores a shard from its journal. Throws a RankwardError or RangeError if it never can be, other errors without a response. */
  open(number: number): Promise<ShardCrawl>
  /** False while no more pages can be archived. Undefined: they always can. */
  readonly hasRoom?: boolean
  /** Pages were taken: their requests are sent. */
  flush(): void
  /** Resolves when everything is stored and closed. */
  close(): Promise<void>
  /** Ends at once. */
  kill(): Promise<void>
}

/** What the shards need of their worker. */
export interface ShardHost {
  /** A world has outcomes. */
  readonly wake: () => void
  /** Something cannot be repaired: the worker ends. */
  readonly failed: (error: unknown) => void
  /** Undefined without a gap between requests to an address. */
  readonly addresses: SharedAddresses | undefined
}

export interface WorkerOptions {
  readonly crawl: WorkerCrawl
  /** The name of this start of the worker. */
  readonly name: string
  readonly clock: WorkerClock
  readonly streams: WorkerStreams
  readonly members: WorkerMembers
  readonly control: Pick<ControlLog, 'read' | 'append' | 'command'>
  readonly turns: TurnMessages
  readonly shards: (host: ShardHost) => WorkerShards
  readonly timing?: Partial<WorkerTiming> | undefined
  readonly onLook?: ((look: WorkerLook) => void) | undefined
  /** A beat had no response. The worker continues, and requests nothing if that lasts. */
  readonly onSilence?: ((error: unknown) => void) | undefined
  /** Called with a line about something that costs time, and from which the worker recovers by itself. */
  readonly onNotice?: ((line: string) => void) | undefined
  /** Called at the first shard whose journal is ahead of the clock, with the seconds. */
  readonly onClockBehind?: ((seconds: number, shard: number) => void) | undefined
}

/** What a worker sees at each beat. */
export interface WorkerLook {
  /** Shards that this worker owns, and those that any worker has claimed. */
  readonly owned: number
  readonly claimed: number
  /** Of all shards. */
  readonly fetched: number
  readonly waiting: number
  readonly coverage: number
}

/** Why a worker ended: `left`, and the crawl continues without it, or the reason why the crawl was stopped. */
export type WorkerEnd = string
