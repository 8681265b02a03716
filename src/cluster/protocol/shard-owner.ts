/**
 * A worker's ownership of one shard, from the claim to the release or the fence. The journal is the lock: the worker that appends the
 * next group owns the shard. No I/O happens here: requests go out through `OwnerPorts`, answers come back as calls, in any
 * order and after any delay.
 *
 *   claiming ──stored──▶ owning ──release──▶ released
 *       └────refused──────┴──refused──▶ fenced
 *
 * One append is in flight at a time. Facts that happen meanwhile go into the next group. A cut is published only after its
 * group is stored; messages are published in order, one at a time, and any owner may publish them again.
 */
import type { AppendRecord } from './append.ts'
import { haveChanged } from './merged-keys.ts'
import type { Shard } from './shard.ts'
import type { GroupKind, ShardHead } from './shard-group.ts'

interface OwnerPorts {
  /** Appends the record to the journal (append.ts); `appended` follows, or nothing if this process dies. */
  append(record: AppendRecord): void
  /** Appends a message to the links log; `publishAnswered` follows. */
  publish(number: number, message: Uint8Array): void
  /** The claim was stored: the shard may be crawled from now on. */
  claimed(): void
  /** The shard belongs to another worker, or was released. Nothing more is sent. */
  ended(state: 'fenced' | 'released'): void
}

interface OwnerOptions {
  readonly shard: Shard
  /** New at each claim. */
  readonly writer: string
  /** The last sequence of the journal that the shard was replayed from. */
  readonly sequence: number
  readonly ports: OwnerPorts
}

type OwnerState = 'claiming' | 'owning' | 'releasing' | 'released' | 'fenced'

export class ShardOwner {
  readonly shard: Shard
  readonly writer: string
  readonly #ports: OwnerPorts
  #state: OwnerState = 'claiming'
  #sequence: number
  #groups = 0
  /** The head of the group on its way to the journal. */
  #append: ShardHead | undefined
  /** The last message in a stored group. */
  #durableCut: number
  /** The last message that this owner has published. */
  #published: number
  #isPublishing = false
  /** The head of the last stored group. */
  #stored: ShardHead | undefined

  constructor({ shard, writer, sequence, ports }: OwnerOptions) {
    this.shard = shard
    this.writer = writer
    this.#sequence = sequence
    this.#ports = ports
    this.#durableCut = shard.cut
    this.#published = shard.published
  }

  get state(): OwnerState {
    return this.#state
  }

  /** True if a group is on its way to the journal. */
  get isAppending(): boolean {
    return this.#append !== undefined
  }

  /** The head of the last group that this owner has stored. */
  get storedHead(): ShardHead | undefined {
    return this.#stored
  }

  /** The sequence of the last group in the journal, as far as this owner knows. */
  get sequence(): number {
    return this.#sequence
  }

  /** True if pages may be requested and messages applied. */
  get isOwning(): boolean {
    return this.#state === 'owning'
  }

  /** Appends an empty group: it is stored only if nothing was appended since the journal was read. */
  claim(): void {
    this.#close('claim')
  }

  /**
   * Appends what has happened since the last group, if anything has and no append is in flight. What only the head would say
   * is appended if `withNews`, and that messages had nothing for the shard, if `withEmpty`. Returns whether a group was closed.
   */
  flush(withNews = true, withEmpty = withNews): boolean {
    if (this.#append !== undefined || !this.#isActive) return false
    if (this.#state === 'releasing') this.#close('released')
    else {
      const hasFacts = this.shard.hasFacts && (withEmpty || !this.shard.hasOnlyEmptyArrivals)
      if (!hasFacts && !this.#isCommanded && !(withNews && this.#hasNews())) return false
      this.#close('work')
    }
    return true
  }

  /** Gives the shard up. The caller has settled all pages in flight; the last group says `released`. */
  release(): void {
    if (this.#state !== 'owning') return
    this.#state = 'releasing'
    this.flush()
  }

  /** Publishes messages again, from this one on: a receiver has found a gap. */
  publishAgain(from: number): void {
    this.#published = Math.min(this.#published, from - 1)
    this.publishNext()
  }

  /** Another writer has appended to the journal, as its last group shows. */
  taken(): void {
    if (this.#isActive) this.#end('fenced')
  }

  /** The append in flight has ended: with the sequence of its group, or with undefined if another writer has appended. */
  appended(sequence: number | undefined): void {
    const append = this.#append
    if (append === undefined || !this.#isActive) return
    if (sequence === undefined) this.#end('fenced')
    else this.#done(append, sequence)
  }

  publishAnswered(number: number, isStored: boolean): void {
    this.#isPublishing = false
    if (isStored && number === this.#published + 1) {
      this.#published = number
      this.shard.published = Math.max(this.shard.published, number)
    }
    this.publishNext()
  }

  publishNext(): void {
    if (this.#isPublishing || !this.#isActive || this.#state === 'claiming') return
    // Messages that every shard has applied are no longer kept.
    this.#published = Math.max(this.#published, this.shard.settled)
    const number = this.#published + 1
    if (number > this.shard.rules.publishUpTo(this.#durableCut, this.shard.cut)) return
    this.#isPublishing = true
    this.#ports.publish(number, this.shard.message(number)!)
  }

  get #isActive(): boolean {
    return this.#state === 'claiming' || this.#state === 'owning' || this.#state === 'releasing'
  }

  /** The shard has obeyed a command since the last group, and others may wait for that. */
  get #isCommanded(): boolean {
    return this.shard.control !== this.#stored?.control
  }

  /** The head would say something new that is not a fact. */
  #hasNews(): boolean {
    const head = this.shard.head('work', this.writer, 0)
    const stored = this.#stored
    return (
      head.published !== stored?.published ||
      head.isIdle !== stored.isIdle ||
      this.shard.hasRecords?.() === true ||
      // Other keys without a fact: sites can be requested again, or not any more.
      haveChanged(stored.keys, head.keys) ||
      haveChanged(stored.due, head.due) ||
      head.sharesGranted !== stored.sharesGranted ||
      head.sharesReturned !== stored.sharesReturned
    )
  }

  #close(kind: GroupKind): void {
    const group = ++this.#groups
    const { bytes, head } = this.shard.closeGroup(kind, this.writer, group)
    this.#append = head
    this.#ports.append({ writer: this.writer, group, after: this.#sequence, bytes })
    this.publishNext()
  }

  #done(head: ShardHead, sequence: number): void {
    this.#append = undefined
    this.#sequence = sequence
    this.#durableCut = head.cut
    this.#stored = head
    if (this.#state === 'claiming') {
      this.#state = 'owning'
      this.#ports.claimed()
    } else if (head.kind === 'released') return this.#end('released')
    if (this.#state === 'releasing') this.flush()
    this.publishNext()
  }

  #end(state: 'fenced' | 'released'): void {
    this.#state = state
    this.#ports.ended(state)
  }
}
