/**
 * Which workers are alive, and which shard belongs to which. Each worker increments a key of its own every two seconds; every
 * worker reads the keys of all. Another worker is gone if its key did not change during ten *acknowledged beats of one's own*.
 * So no clocks are compared, and while the store accepts no writes, no count advances and no shard moves.
 *
 * Membership is a hint. Workers that see different members claim the same shard, and the journal refuses one of them.
 */
import { fmix32 } from '../../lib/hash.ts'

/** A member whose key stands still for this many acknowledged beats is gone. */
export const goneAfterBeats = 10

export class Members {
  readonly self: string
  readonly #shards: number
  /** By shard, while the same members are alive. */
  #owners: readonly string[] | undefined
  #beats = 0
  readonly #seen = new Map<string, { revision: number; beat: number }>()
  /** Members that have said so themselves, and the beat from which on their key must have been read. */
  readonly #heard = new Map<string, number>()

  constructor(self: string, shards: number) {
    this.self = self
    this.#shards = shards
  }

  /** A beat of this worker was acknowledged; `revisions` are the keys of all members at that time. */
  beat(revisions: ReadonlyMap<string, number>): void {
    this.#beats++
    this.#owners = undefined
    for (const [member, revision] of revisions) {
      if (this.#seen.get(member)?.revision !== revision)
        this.#seen.set(member, { revision, beat: this.#beats })
    }
    // A worker that leaves removes its key.
    for (const member of this.#seen.keys()) {
      if (!revisions.has(member) && (this.#heard.get(member) ?? 0) <= this.#beats) this.#seen.delete(member)
    }
    for (const [member, beat] of this.#heard) if (beat <= this.#beats) this.#heard.delete(member)
  }

  /** Another worker has said that its first beat is stored. Keys that were read before that do not list it. */
  heard(member: string): void {
    if (member === this.self || this.isLive(member)) return
    this.#seen.set(member, { revision: -1, beat: this.#beats })
    this.#owners = undefined
    // The reading of keys that is under way may have begun before.
    this.#heard.set(member, this.#beats + 2)
  }

  isLive(member: string): boolean {
    if (member === this.self) return true
    const seen = this.#seen.get(member)
    return seen !== undefined && this.#beats - seen.beat < goneAfterBeats
  }

  /** This worker and all others that are alive. */
  get live(): string[] {
    return [
      this.self,
      ...[...this.#seen.keys()].filter((member) => member !== this.self && this.isLive(member)),
    ]
  }

  ownerOf(shard: number): string {
    this.#owners ??= evenOwners(this.live, this.#shards)
    return this.#owners[shard]
  }
}

/**
 * The weight of a member is the end of its name: `host-1a2b3c4d-w3`. So everyone who has heard of a member knows it, and nobody can see another
 * one.
 */
export function weightOf(member: string): number {
  const [, weight = '1'] = /-w([1-9]\d{0,2})$/.exec(member) ?? []
  return Number(weight)
}

export function weightedName(name: string, weight: number): string {
  return weight === 1 ? name : `${name}-w${weight}`
}

/**
 * The owner of each shard: no member has more than its part by weight, rounded up. Of all pairs of a member and a shard, the one with the highest
 * rendezvous hash is settled first. All workers that see the same members come to the same result. A member that joins or leaves moves
 * little more than its own shards: 1.04 times as many with 2 members and 64 shards, 1.4 times with 8.
 */
export function evenOwners(members: readonly string[], shards: number): string[] {
  // The order of members must not matter where hashes are equal.
  const named = members.toSorted()
  const weights = named.map((member) => weightOf(member))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const most = weights.map((weight) => Math.ceil((shards * weight) / whole))
  const hashes = new Float64Array(named.length * shards)
  // A hash and its pair as one number: sorting numbers is fast.
  for (let i = 0; i < hashes.length; i++)
    hashes[i] = hashOfMember(named[i % named.length], Math.floor(i / named.length)) * hashes.length + i
  const owners = Array.from<string | undefined>({ length: shards })
  const loads = new Uint32Array(named.length)
  for (const pair of hashes.toSorted().toReversed()) {
    const place = pair % hashes.length
    const member = place % named.length
    const shard = Math.floor(place / named.length)
    if (owners[shard] !== undefined || loads[member] === most[member]) continue
    owners[shard] = named[member]
    loads[member]++
  }
  return owners as string[]
}

/** The rendezvous hash of a member and a shard or address, in 32 bits. */
export function hashOfMember(member: string, of: number): number {
  let hash = fmix32(of + 1)
  for (let i = 0; i < member.length; i++)
    hash = fmix32(hash ^ (member.charCodeAt(i) + Math.imul(i + 1, 0x9e3779b9)))
  return hash
}
