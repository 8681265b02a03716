/**
 * The addresses that a worker may share with others: it is the home of some, and requests turns of the others (address-turns.ts).
 * No I/O happens here: requests go out through `TurnPort`. Times are those of a monotonic clock, in seconds.
 */
import { homeOf, TurnHome, type TurnAnswer, type TurnTiming } from './address-turns.ts'
import { HeldTurns } from './held-turns.ts'
import type { Members } from './members.ts'

/** Called once: with the answer, or undefined if there was none in time. */
type OnAnswer = (answer: TurnAnswer | undefined) => void

interface TurnPort {
  /** Requests a turn from another worker. */
  request(home: string, address: string, isBusy: boolean, onAnswer: OnAnswer): void
  /**
   * Asks a worker when its last turns end that belong to this one from now on: `waitSeconds`. `keys`: the members that this one
   * has read.
   */
  join(member: string, keys: readonly string[], onAnswer: OnAnswer): void
}

interface SharedAddressesOptions {
  readonly members: Members
  readonly timing: TurnTiming
  readonly port: TurnPort
  readonly now: () => number
}

export class SharedAddresses {
  readonly #options: SharedAddressesOptions
  readonly #home: TurnHome
  readonly #held: HeldTurns
  /** When the last acknowledged beat was sent. The lists of members are at least as new. */
  #beatAt = -Infinity
  /** The process was paused at this time: beats before it do not count. */
  #pausedAt = -Infinity
  /** Members that may not have seen the first beat of this worker. */
  #strangers = new Set<string>()
  #lastTurnEnds = -Infinity
  #joins = 0

  constructor(options: SharedAddressesOptions) {
    this.#options = options
    const { members, timing } = options
    this.#home = new TurnHome(members.self, timing)
    this.#held = new HeldTurns(timing, (...request) => this.#send(...request))
  }

  #isActive(now: number): boolean {
    return now - this.#beatAt <= this.#options.timing.silenceSeconds
  }

  /** Seconds until the address may be requested, or until the next look; 0 if it may be requested now. */
  waitFor(address: string): number {
    const now = this.#options.now()
    return this.#isActive(now) ? this.#held.waitFor(address, now) : 1
  }

  /** A request to the address has begun, or ended. */
  began(address: string): void {
    this.#held.began(address, this.#options.now())
  }

  ended(address: string): void {
    this.#held.ended(address)
  }

  /** Called regularly. */
  tick(): void {
    this.#held.tick(this.#options.now())
  }

  /** The process was paused: other workers may use its addresses. */
  paused(): void {
    this.#pausedAt = this.#options.now()
    this.#beatAt = -Infinity
    this.#held.dropAll()
  }

  /** A beat that was sent at `sentAt` is acknowledged, and `Members` knows these keys, which were read after it. */
  beat(sentAt: number, keys: readonly string[]): void {
    if (sentAt < this.#pausedAt) return
    const now = this.#options.now()
    const wasActive = this.#isActive(now)
    this.#beatAt = sentAt
    const { live, self } = this.#options.members
    if (!wasActive) {
      this.#joins++
      this.#held.dropAll()
      this.#home.joined(now, keys.length === 1)
      this.#strangers = new Set(live.filter((member) => member !== self))
      this.#lastTurnEnds = now
    }
    this.#home.members(live, now)
    for (const member of this.#strangers) this.#greet(member, keys)
  }

  #greet(member: string, keys: readonly string[]): void {
    const join = this.#joins
    const { port, now } = this.#options
    port.join(member, keys, (answer) => {
      if (answer === undefined || join !== this.#joins || !this.#strangers.delete(member)) return
      this.#lastTurnEnds = Math.max(this.#lastTurnEnds, now() + answer.waitSeconds)
      if (this.#strangers.size === 0) this.#home.welcomed(this.#lastTurnEnds)
    })
  }

  /** Another worker has joined: it is a member from now on. */
  joined(member: string, keys: readonly string[]): TurnAnswer {
    const { members, now } = this.#options
    const waitSeconds = this.#home.lastTurnEnds(member, keys, now()) - now()
    members.heard(member)
    this.#home.members(members.live, now())
    return { seconds: 0, waitSeconds: Math.max(0, waitSeconds) }
  }

  /** A worker, maybe this one, requests a turn of an address that this worker may be the home of. */
  requested(address: string, worker: string, isBusy: boolean): TurnAnswer {
    const now = this.#options.now()
    // Without a recent list of members, another worker may be the home.
    if (!this.#isActive(now)) return { seconds: 0, waitSeconds: 1 }
    return this.#home.request(address, worker, isBusy, now)
  }

  #send(address: string, isBusy: boolean, sentAt: number): void {
    const { members, port, now } = this.#options
    const { self } = members
    const home = homeOf(address, members.live)!
    if (home === self)
      return this.#held.answered(address, sentAt, isBusy, this.requested(address, self, isBusy), now())
    port.request(home, address, isBusy, (answer) =>
      this.#held.answered(address, sentAt, isBusy, answer, now()),
    )
  }
}
