/**
 * Turns of an address that sites of several workers share. One worker, the *home* of the address, hands out turns; a turn
 * permits one request. The home is the live member with the highest hash of member and address.
 *
 * | event | rule |
 * | --- | --- |
 * | a turn is requested | granted if the last turn is a gap ago; otherwise refused, with the time to wait |
 * | no response | the pages are postponed; a granted turn whose response was lost costs one gap |
 * | the response is late | a turn is void `turnSecondsMax` after its request was sent |
 * | the members change | turns of addresses that are new to a home begin `settleSeconds` and a gap later |
 * | no acknowledged beat for ten seconds | the worker grants nothing; after its return all addresses are new to it |
 *
 * No clocks are compared. The home adds `turnSecondsMax` to every gap, so two requests are never less than a gap apart, however
 * long messages take. Workers that request or grant anything have seen the members within the last ten seconds, so after
 * `settleSeconds` no other worker considers itself the home. A worker that is frozen between its check and its request is the
 * exception.
 */
import { hashOfMember } from './members.ts'

/** A turn must be used within this time after its request was sent. */
export const turnSecondsMax = 1
/** The longest time for which a worker acts on an old list of members, with the delay of a response. */
export const settleSeconds = 12

export interface TurnAnswer {
  readonly isGranted: boolean
  /** If not granted: the seconds until a request may succeed. */
  readonly waitSeconds: number
}

/** The live member that hands out the turns of an address. */
export function homeOf(address: number, live: Iterable<string>): string | undefined {
  let home: string | undefined
  let best = -1
  for (const member of live) {
    const hash = hashOfMember(member, address)
    if (hash > best || (hash === best && member > home!)) {
      home = member
      best = hash
    }
  }
  return home
}

/** The addresses of which a worker is the home. */
export class AddressTurns {
  /** When the next turn of each address may be granted. */
  readonly #freeAt = new Map<number, number>()
  /** When this worker may have become the home of an address that is not in the table. */
  #changedAt: number

  constructor(now: number) {
    this.#changedAt = now
  }

  /**
   * A worker, maybe this one, requests a turn. `gap` is the rest in seconds that the sites of the address need. The caller has
   * checked that this worker is the home and that its last beat was acknowledged within ten seconds.
   */
  request(address: number, gap: number, now: number): TurnAnswer {
    const cost = gap + turnSecondsMax
    const freeAt = this.#freeAt.get(address) ?? this.#changedAt + settleSeconds + cost
    if (freeAt > now) return { isGranted: false, waitSeconds: freeAt - now }
    this.#freeAt.set(address, now + cost)
    return { isGranted: true, waitSeconds: 0 }
  }

  /** The list of members has changed. Addresses whose home is another worker now are dropped. */
  membersChanged(isHome: (address: number) => boolean, now: number): void {
    this.#changedAt = now
    for (const address of this.#freeAt.keys()) if (!isHome(address)) this.#freeAt.delete(address)
  }

  /** The worker had no acknowledged beat for ten seconds: others may have granted turns in the meantime. */
  returned(now: number): void {
    this.membersChanged(() => false, now)
  }

  /** Drops addresses whose rest is over, to bound the table. */
  dropRested(now: number): void {
    for (const [address, freeAt] of this.#freeAt) if (freeAt <= now) this.#freeAt.delete(address)
  }
}

/** A worker's requests for turns: at most one per address at a time. */
export class TurnRequests {
  readonly #sentAt = new Map<number, number>()
  readonly #retryAt = new Map<number, number>()

  /** True if a request should be sent now; it then counts as sent. */
  send(address: number, now: number): boolean {
    if (this.#sentAt.has(address) || this.retryAt(address) > now) return false
    this.#sentAt.set(address, now)
    return true
  }

  /** When another request may be sent: pages of the address are postponed until then. */
  retryAt(address: number): number {
    return this.#retryAt.get(address) ?? -Infinity
  }

  /**
   * Handles the response to the request that was sent at `sentAt`; `undefined` if there was none in time. Returns true if one
   * request may go to the address now. A second response to the same request has no effect.
   */
  answered(address: number, answer: TurnAnswer | undefined, now: number, sentAt: number): boolean {
    if (this.#sentAt.get(address) !== sentAt) return false
    this.#sentAt.delete(address)
    if (answer?.isGranted === true) return now - sentAt <= turnSecondsMax
    this.#retryAt.set(address, now + (answer?.waitSeconds ?? turnSecondsMax))
    return false
  }
}
