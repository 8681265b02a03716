/**
 * A shard: one engine, the names of its pages, and how far its exchange with other shards has come. Its state is a function of
 * its journal: `replay` of all groups gives the same state, byte for byte, including the messages that are not settled.
 */
import type { Engine } from '../../engine/engine.ts'
import { namedBefore, type CutContent, type FactListener } from '../../engine/fact.ts'
import { readFacts } from '../../engine/fact-reader.ts'
import { FactWriter } from '../../engine/fact-writer.ts'
import type { EngineOptions } from '../../engine/engine-options.ts'
import { noMass, type MassAccount } from '../../engine/sharding.ts'
import { awaySite } from '../../engine/world.ts'
import { assert } from '../../lib/assert.ts'
import { ByteReader } from '../../lib/byte-reader.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { bucketOf } from '../../engine/key-histogram.ts'
import { usedBuckets } from './merged-keys.ts'
import { messageName, MessageWriter, sectionFor } from './message.ts'
import { Outbox } from './outbox.ts'
import type { PageNames } from './page-names.ts'
import { protocolRules, type ProtocolRules } from './rules.ts'
import { ShardRate } from './shard-rate.ts'
import { encodeShardGroup, readShardGroup, type GroupKind, type ShardHead } from './shard-group.ts'

/** Options of the engine that the shard decides. */
type ShardEngineOptions = Required<Pick<EngineOptions, 'facts' | 'isShard' | 'onCut'>> &
  Pick<EngineOptions, 'pagesMax'>

interface ShardParts {
  readonly number: number
  readonly shards: number
  readonly names: PageNames
  readonly makeEngine: (options: ShardEngineOptions) => Engine
  /** The crawl has a page budget: the shard takes only pages that it was granted. */
  readonly isBudgeted?: boolean | undefined
  readonly seeds: { readonly own: readonly number[]; readonly homes: readonly number[] }
  readonly rules?: ProtocolRules | undefined
}

/** A cut of more bytes is divided into several messages. NATS servers accept 1 MiB unless configured otherwise. */
const messageBytes = 1 << 18
/** Entries between two checks of the size. */
const sizeCheckEntries = 64
const noEntries = new ByteReader(new Uint8Array(0))

export class Shard {
  readonly number: number
  readonly names: PageNames
  readonly engine: Engine
  readonly #parts: ShardParts
  readonly rules: ProtocolRules
  readonly #facts = new FactWriter()
  /** The last message applied, by source. */
  readonly applied: Float64Array
  cut = 0
  published = 0
  position = 0
  /** The last control message that the shard has obeyed. */
  control = 0
  /** Pages granted to the shard so far, and how many of them it has given back (page-grants.ts). */
  granted = 0
  returned = 0
  readonly rate = new ShardRate()
  readonly #outbox = new Outbox()
  /** Pages named in the journal. */
  #named = 0
  /** Only pages of sites that have been unreachable for long are left: the shard counts as idle. */
  isStalled = false
  /** Nothing is left to fetch: whether there is work beside the pages. */
  isUnfinished: (() => boolean) | undefined
  /** Whether the next group has more than facts. Undefined: no. */
  hasRecords: (() => boolean) | undefined
  /** The keys of pages on sites that can be requested soon; undefined if every site can. */
  offers: (() => readonly number[]) | undefined
  /** The clock of the shard, once a worker crawls it. */
  now: (() => number) | undefined
  /** Bytes of the first facts of the next group, as far as these say that a message had nothing for this shard. */
  #emptyBytes = 0
  /** Something has happened since the last cut that took everything. */
  #isUnsettled = true
  readonly #pages = new GrowingUint32(0)
  readonly #amounts = new GrowingFloat64(0)
  readonly #foundMs = new GrowingUint32(0)
  #newSites = new Uint32Array(0)

  constructor(parts: ShardParts) {
    this.#parts = parts
    this.number = parts.number
    this.names = parts.names
    this.rules = parts.rules ?? protocolRules
    this.applied = new Float64Array(parts.shards)
    this.engine = parts.makeEngine({
      facts: this.#facts,
      isShard: true,
      ...(parts.isBudgeted === true ? { pagesMax: 0 } : {}),
      onCut: (content) => this.#onCut(content),
    })
  }

  /** Adds the seeds, in a shard whose journal is empty. */
  seed(): void {
    const { own, homes } = this.#parts.seeds
    for (const seed of own) {
      this.names.addSeed(seed)
      this.engine.seed(this.names.siteOf(this.names.known - 1))
    }
    for (const home of homes) {
      this.names.addHome(home)
      this.engine.seed(awaySite)
    }
  }

  get isSeeded(): boolean {
    return this.engine.known > 0
  }

  /** True if there are facts for a group. */
  get hasFacts(): boolean {
    return this.#facts.length > 0
  }

  /** True if all of them say that a message had nothing for this shard. */
  get hasOnlyEmptyArrivals(): boolean {
    return this.#facts.length > 0 && this.#facts.length === this.#emptyBytes
  }

  /** Bytes of the facts for the next group. */
  get factBytes(): number {
    return this.#facts.length
  }

  /** The world has reported an outcome to the engine. */
  touched(): void {
    this.#isUnsettled = true
  }

  /** True if an idle shard may have something to pass on. */
  get isUnsettled(): boolean {
    return this.#isUnsettled
  }

  /** Whether a cut with this limit may have anything to send. */
  hasToSend(limit: number): boolean {
    const { exchange, strategy } = this.engine
    const account = strategy.sharding?.account?.()
    if (account === undefined) return exchange!.changedCount > 0
    // Negative amounts are sent too: without them, the sums would be larger by up to four times what is owed.
    return account.away + account.crumbs + 4 * account.owed >= limit
  }

  /** Empties the accounts of away pages that hold at least `limit`; with `all`, names all new away pages too. */
  makeCut(limit: number, all: boolean): void {
    this.engine.cut(limit, all)
    if (all) this.#isUnsettled = false
  }

  /** The shard may take `granted` pages in all, less what it gives back. The limit is a fact. */
  grant(granted: number): void {
    if (granted <= this.granted) return
    this.granted = granted
    this.#setLimit()
  }

  /** Pages that the shard may still take, those in flight excluded; Infinity if the crawl has no page budget. */
  get unspent(): number {
    if (this.#parts.isBudgeted !== true) return Infinity
    const { fetchedCount, inFlightCount } = this.engine.pages
    return this.granted - this.returned - fetchedCount - inFlightCount
  }

  /** Gives granted pages back. They may be granted to others once the group is stored. */
  giveBack(pages: number): void {
    const returned = Math.min(pages, this.unspent)
    if (!(returned > 0)) return
    this.returned += returned
    this.#setLimit()
  }

  #setLimit(): void {
    this.engine.budget(this.granted - this.returned, Infinity, Infinity)
  }

  /** Message `number`; undefined if it is settled or not cut yet. */
  message(number: number): Uint8Array | undefined {
    return this.#outbox.message(number)
  }

  /** Forgets messages that every shard has applied. */
  settle(number: number): void {
    this.#outbox.settle(number)
  }

  /** Every shard has applied the messages up to this one. */
  get settled(): number {
    return this.#outbox.settled
  }

  /** Receives a message that was read from the links log. */
  receive(bytes: Uint8Array): 'apply' | 'drop' | 'gap' {
    const { source, number } = messageName(bytes)
    if (source === this.number) return 'drop'
    const verdict = this.rules.onMessage(number, this.applied[source])
    if (verdict === 'apply') this.#apply(bytes, source, number)
    return verdict
  }

  #apply(bytes: Uint8Array, source: number, number: number): void {
    const hadOnlyEmpty = this.#facts.length === this.#emptyBytes
    this.applied[source] = number
    const section = sectionFor(bytes, this.number)
    const entries = section?.entries ?? noEntries
    let count = 0
    const knownBefore = this.names.known
    while (!entries.isAtEnd) {
      this.#pages.ensure(count)
      this.#amounts.ensure(count)
      const { known } = this.names
      this.#pages.array[count] = this.names.read(entries)
      this.#amounts.array[count++] = entries.double()
      const foundMs = entries.varint() - 1
      if (this.names.known > known) {
        this.#foundMs.ensure(known - knownBefore)
        this.#foundMs.array[known - knownBefore] = foundMs
      }
    }
    const newCount = this.names.known - knownBefore
    if (newCount > this.#newSites.length) this.#newSites = new Uint32Array(2 * newCount)
    for (let i = 0; i < newCount; i++) this.#newSites[i] = this.names.siteOf(knownBefore + i)
    this.#isUnsettled ||= section !== undefined
    this.engine.arrived(source, number, {
      home: section?.home ?? 0,
      pages: this.#pages.array,
      amounts: this.#amounts.array,
      count,
      newSites: this.#newSites,
      foundMs: this.#foundMs.array,
    })
    if (hadOnlyEmpty && section === undefined) this.#emptyBytes = this.#facts.length
  }

  #onCut({ pages, amounts, foundMs, count }: CutContent): void {
    if (count === 0) return
    let message = new MessageWriter()
    let owed = 0
    const send = (): void => {
      this.#outbox.add(message.bytes(this.number, ++this.cut), owed)
      message = new MessageWriter()
      owed = 0
    }
    for (let i = 0; i < count; i++) {
      if (i % sizeCheckEntries === sizeCheckEntries - 1 && message.length > messageBytes) send()
      owed -= Math.min(0, amounts[i])
      const page = pages[i]
      const target = this.names.ownerOf(page)
      if (this.engine.exchange!.isHome(page)) message.home(target, amounts[i])
      else {
        const entries = message.entries(target)
        this.names.write(page, entries)
        entries.double(amounts[i])
        entries.varint(foundMs[i] === namedBefore ? 0 : foundMs[i] + 1)
      }
    }
    send()
  }

  /** Where the mass of the shard is. What its messages call back is owed until they are settled. */
  #account(): MassAccount {
    const account = this.engine.strategy.sharding?.account?.() ?? noMass
    return { ...account, owed: account.owed + this.#outbox.owed }
  }

  /**
   * The keys of pages that may be taken soon: bucket and number of pages. Those of all waiting pages, unless the world knows
   * better.
   */
  keys(): readonly number[] {
    return this.offers?.() ?? usedBuckets(this.engine.exchange!.keyCounts)
  }

  /** The bucket of the best key that waits for politeness alone; 0 if there is none, or if the shard may take no page. */
  awaited(): number {
    const { patience } = this.engine
    if (patience === undefined || this.now === undefined || !(this.unspent > 0)) return 0
    return bucketOf(patience.awaitedKey(this.now()))
  }

  /** Closes the open group. Its effects are durable once the group is. */
  closeGroup(
    kind: GroupKind,
    writer: string,
    group: number,
  ): { readonly bytes: Uint8Array; readonly head: ShardHead } {
    if (this.hasFacts && this.now !== undefined) this.engine.moment(this.now())
    const head = this.head(kind, writer, group)
    const names = this.names.since(this.#named)
    this.#named = this.names.known
    this.#emptyBytes = 0
    return { head, bytes: encodeShardGroup({ head, names, facts: this.#facts.takeBytes() }) }
  }

  /** Nothing is left to fetch, and no work beside the pages. */
  get isDone(): boolean {
    if (this.isStalled) return true
    const { pages, waitingCount } = this.engine
    return waitingCount === 0 && pages.inFlightCount === 0 && this.isUnfinished?.() !== true
  }

  head(kind: GroupKind, writer: string, group: number): ShardHead {
    const { pages, waitingCount, recrawl } = this.engine
    const inFlight = pages.inFlightCount + (recrawl?.held.inFlight ?? 0)
    // A crawl that fetches pages again does not end by itself.
    const isDone = recrawl === undefined && this.isDone
    const isIdle = isDone && !this.#isUnsettled && this.published === this.cut
    return {
      writer,
      group,
      kind,
      account: this.#account(),
      fetched: pages.fetchedCount,
      waiting: waitingCount,
      inFlight,
      isIdle,
      cut: this.cut,
      published: this.published,
      settled: this.settled,
      position: this.position,
      control: this.control,
      granted: this.granted,
      returned: this.returned,
      keys: this.keys(),
      awaited: this.awaited(),
      ...this.rate.head(this.engine),
      applied: [...this.applied],
    }
  }

  /** Applies a group of the journal. */
  replay(bytes: Uint8Array): ShardHead {
    const { head, names, facts } = readShardGroup(bytes)
    this.names.restore(names)
    this.apply(head, facts)
    return head
  }

  /** Applies the facts of a group of the journal, each to the tables first and then to the engine. */
  apply(head: ShardHead, facts: Uint8Array, tables: readonly Partial<FactListener>[] = []): void {
    readFacts(facts, ...tables, this.engine, {
      arrived: (source, number) => {
        this.applied[source] = number
      },
    })
    assert(Buffer.compare(this.#facts.takeBytes(), facts) === 0, 'a replay has other facts than the journal')
    assert(this.cut === head.cut, 'a replay has cut other messages than the journal')
    this.follow(head)
  }

  /** Takes over what the head of a group states and no fact does. */
  follow(head: ShardHead): void {
    this.#named = this.names.known
    this.published = head.published
    this.settle(head.settled)
    this.position = head.position
    this.control = head.control
    this.granted = head.granted
    this.returned = head.returned
    this.rate.follow(head)
    this.#isUnsettled = !head.isIdle
  }

  transfer(state: StateCodec): void {
    state.section('shard', 3)
    this.engine.transfer(state)
    this.names.transfer(state)
    state.fixed(this.applied)
    this.cut = state.number(this.cut)
    this.published = state.number(this.published)
    this.position = state.number(this.position)
    this.control = state.number(this.control)
    this.granted = state.number(this.granted)
    this.returned = state.number(this.returned)
    this.rate.transfer(state)
    this.#named = state.number(this.#named)
    this.#outbox.transfer(state)
  }
}
