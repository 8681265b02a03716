/**
 * A group of a shard's journal: the unit of durability. Its head states where the shard stands after the group, so that
 * coverage, balance and the end of the crawl can be read from the last groups of all shards.
 *
 *   mark (1) · head · names of the new pages · facts
 */
import type { MassAccount } from '../../engine/sharding.ts'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'

const mark = 0xc3

/** `claim`: a writer takes over the shard. `work`: facts. `released`: the writer gives the shard up. */
const groupKinds = ['claim', 'work', 'released'] as const
export type GroupKind = (typeof groupKinds)[number]

export interface ShardHead {
  /** The writer of the group: the name of a member, a dot, and a number that is new at each claim. */
  readonly writer: string
  /** Counts the groups of the writer from 1. */
  readonly group: number
  readonly kind: GroupKind
  readonly account: MassAccount
  /** Pages with content: those that count against a page budget. */
  readonly fetched: number
  readonly waiting: number
  readonly inFlight: number
  /** True if the shard has nothing to fetch and nothing to send. */
  readonly isIdle: boolean
  /** The number of the last message that was cut. */
  readonly cut: number
  /** The last message known to be in the links log. */
  readonly published: number
  /** Every shard has applied the messages up to this one. */
  readonly settled: number
  /** Everything up to this position of the links log has been read. */
  readonly position: number
  /** The number of the last control message that the shard has obeyed; 0 if none. */
  readonly control: number
  /** Pages granted to the shard so far, and how many of them it has given back (page-grants.ts). */
  readonly granted: number
  readonly returned: number
  /** The keys of waiting pages: bucket and number of pages, for each bucket that has any (key-histogram.ts). */
  readonly keys: readonly number[]
  /** The bucket of the best key that waits for politeness alone (patience.ts); 0 if there is none. */
  readonly awaited: number
  /** Pages that the shard owns, without those that are gone or failed. */
  readonly known: number
  /** Pages that were fetched or have failed, and looks at held pages that have observed them. */
  readonly looks: number
  /** If pages are fetched again: what fetches of due pages are worth, as `keys` (rate-shares.ts). */
  readonly due: readonly number[]
  /** Shares of the rate that were granted to the shard so far, and how many of them it has given back. */
  readonly sharesGranted: number
  readonly sharesReturned: number
  /** The number of the last message applied, by source. */
  readonly applied: readonly number[]
}

export interface ShardGroup {
  readonly head: ShardHead
  /** The names of new pages. In a crawl of the real web, a whole group of its record; `facts` is then empty. */
  readonly names: Uint8Array
  readonly facts: Uint8Array
}

export function encodeShardGroup({ head, names, facts }: ShardGroup): Uint8Array {
  const { account } = head
  const bytes = new ByteWriter()
  bytes.byte(mark)
  bytes.text(head.writer)
  bytes.varint(head.group)
  bytes.byte(groupKinds.indexOf(head.kind))
  bytes.byte(head.isIdle ? 1 : 0)
  bytes.double(account.certain)
  bytes.double(account.crumbs)
  bytes.double(account.waiting)
  bytes.double(account.away)
  bytes.double(account.excluded)
  bytes.double(account.unobtainable)
  bytes.double(account.owed)
  bytes.varint(head.fetched)
  bytes.varint(head.waiting)
  bytes.varint(head.inFlight)
  bytes.varint(head.cut)
  bytes.varint(head.published)
  bytes.varint(head.settled)
  bytes.varint(head.position)
  bytes.varint(head.control)
  bytes.varint(head.granted)
  bytes.varint(head.returned)
  bytes.varint(head.keys.length)
  for (const number of head.keys) bytes.varint(number)
  bytes.varint(head.awaited)
  bytes.varint(head.known)
  bytes.varint(head.looks)
  bytes.varint(head.due.length)
  for (const number of head.due) bytes.varint(number)
  bytes.varint(head.sharesGranted)
  bytes.varint(head.sharesReturned)
  bytes.varint(head.applied.length)
  for (const number of head.applied) bytes.varint(number)
  bytes.block(names)
  bytes.raw(facts)
  return Uint8Array.from(bytes.view())
}

/** Throws a RangeError if the bytes are not a group, or are truncated within the head. */
export function readShardGroup(bytes: Uint8Array): ShardGroup {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== mark) throw new RangeError('the bytes are not a group of a shard')
  const head: ShardHead = {
    writer: reader.text(),
    group: reader.varint(),
    kind: groupKinds[reader.byte()],
    isIdle: reader.byte() === 1,
    account: {
      certain: reader.double(),
      crumbs: reader.double(),
      waiting: reader.double(),
      away: reader.double(),
      excluded: reader.double(),
      unobtainable: reader.double(),
      owed: reader.double(),
    },
    fetched: reader.varint(),
    waiting: reader.varint(),
    inFlight: reader.varint(),
    cut: reader.varint(),
    published: reader.varint(),
    settled: reader.varint(),
    position: reader.varint(),
    control: reader.varint(),
    granted: reader.varint(),
    returned: reader.varint(),
    keys: Array.from({ length: reader.varint() }, () => reader.varint()),
    awaited: reader.varint(),
    known: reader.varint(),
    looks: reader.varint(),
    due: Array.from({ length: reader.varint() }, () => reader.varint()),
    sharesGranted: reader.varint(),
    sharesReturned: reader.varint(),
    applied: Array.from({ length: reader.varint() }, () => reader.varint()),
  }
  return { head, names: reader.block(), facts: reader.rest() }
}

/** The member of a writer. */
export function memberOf(writer: string): string {
  return writer.slice(0, writer.lastIndexOf('.'))
}
