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
  #beats = 0
  readonly #seen = new Map<string, { revision: number; beat: number }>()
  /** Members that have said so themselves, and the beat from which on their key must have been read. */
  readonly #heard = new Map<string, number>()

  constructor(self: string) {
    this.self = self
  }

  /** A beat of this worker was acknowledged; `revisions` are the keys of all members at that time. */
  beat(revisions: ReadonlyMap<string, number>): void {
    this.#beats++
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

  /** The live member with the highest rendezvous hash: a member that joins or leaves moves only its own shards. */
  ownerOf(shard: number): string {
    let owner = this.self
    let best = hashOfMember(owner, shard)
    for (const member of this.#seen.keys()) {
      if (!this.isLive(member)) continue
      const hash = hashOfMember(member, shard)
      if (hash > best || (hash === best && member > owner)) {
        owner = member
        best = hash
      }
    }
    return owner
  }
}

/** The rendezvous hash of a member and a shard or address. */
export function hashOfMember(member: string, of: number): number {
  let hash = fmix32(of + 1)
  for (let i = 0; i < member.length; i++)
    hash = fmix32(hash ^ (member.charCodeAt(i) + Math.imul(i + 1, 0x9e3779b9)))
  return hash
}
