/**
 * Turns of an address that sites of several workers share. One worker, the *home* of the address, hands out turns. While a worker
 * has the turn, it may send requests to the address, with the usual gap between them; all others wait. The home is the live
 * member with the highest hash of member and address.
 *
 * | event | rule |
 * | --- | --- |
 * | a turn is requested | granted if the turn before ended a gap ago, and no other worker has waited longer |
 * | no other worker requests the address | the turn is long and is extended on request |
 * | a request is in flight at the end of a turn | the worker reports it, and the end of the turn is postponed |
 * | no response | no request is sent to the address; a turn whose response was lost ends by itself |
 * | the members change | a home grants no turn of an address that is new to it until the turns of the home before have ended |
 * | a worker joins, or had no acknowledged beat for ten seconds | it also waits until all others must have seen its beat, or have confirmed it |
 *
 * No clocks are compared: a turn of n seconds ends for its holder n seconds after the holder has sent the request, and for the
 * home n seconds after the home has received it. So two workers never send requests less than a gap apart, however long messages
 * take. A worker that is frozen between its check and its request is the exception.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import { hashOfMember } from './members.ts'

export interface TurnTiming {
  /** The gap of an address. */
  readonly gapSeconds: number
  /** Length of a turn if no other worker requests the address. */
  readonly aloneSeconds: number
  /** Length of a turn if another worker does. */
  readonly sharedSeconds: number
  /** A worker acts on a list of members for at most this time. */
  readonly silenceSeconds: number
}

/** Turns are as long as a worker may be silent, a fifth of that if the address is shared. */
export function turnTimingOf(gapSeconds: number, silenceSeconds: number): TurnTiming {
  return { gapSeconds, silenceSeconds, aloneSeconds: silenceSeconds, sharedSeconds: silenceSeconds / 5 }
}

export interface TurnAnswer {
  /** The length of the turn, from the time the request was sent; 0 if it was not granted. */
  readonly seconds: number
  /** If not granted: when to try again. */
  readonly waitSeconds: number
}

/** An address counts as shared for this long after a second worker has requested it. */
const sharedForSeconds = 60
/** A waiting worker loses its place if it is so late. */
const lateSeconds = 3
const waitSecondsMin = 0.05
/** Number of addresses in a table before those that have rested are dropped. */
const sweepSize = 4096

const words = new Uint32Array(2)

/** The live member that hands out the turns of an address. */
export function homeOf(address: string, live: Iterable<string>): string | undefined {
  fingerprint(address, words, 0)
  let home: string | undefined
  let best = -1
  for (const member of live) {
    const hash = hashOfMember(member, words[0])
    if (hash > best || (hash === best && member > home!)) {
      home = member
      best = hash
    }
  }
  return home
}

interface Turn {
  /** Empty if this home has granted no turn yet. */
  holder: string
  /** When the turn ends, by the clock of the home. */
  until: number
  /** Other workers that wait for the address, the first in the queue first, and when each loses its place. */
  readonly waiting: Map<string, number>
  /** Until when the address counts as shared. */
  sharedUntil: number
}

/** A list of members that was in use until a time. */
interface FormerMembers {
  readonly live: readonly string[]
  readonly until: number
}

/** The addresses of which a worker is the home. */
export class TurnHome {
  readonly #self: string
  readonly #timing: TurnTiming
  readonly #turns = new Map<string, Turn>()
  #live: readonly string[]
  #former: FormerMembers[] = []
  /** No turn is granted before this time. */
  #from = Infinity
  #sweepAt = sweepSize

  constructor(self: string, timing: TurnTiming) {
    this.#self = self
    this.#timing = timing
    this.#live = [self]
  }

  /** The longest time that a turn lasts, with the gap after it. */
  get #turnSeconds(): number {
    return this.#timing.aloneSeconds + this.#timing.gapSeconds
  }

  /**
   * The beat of this worker was acknowledged for the first time, or for the first time after a silence. Others may have granted
   * turns of its addresses, and may continue until they have seen the beat. `isFirst`: there is no other member.
   */
  joined(now: number, isFirst: boolean): void {
    this.#from = now + (isFirst ? this.#timing.gapSeconds : this.#timing.silenceSeconds + this.#turnSeconds)
  }

  /** All other members have said that they have seen the beat of this one, and when their last turns end. */
  welcomed(endsAt: number): void {
    this.#from = Math.min(this.#from, endsAt + this.#timing.gapSeconds)
  }

  /**
   * When the last turns end that this home has granted for addresses whose home is the new member from now on. `keys`: the members
   * that the new member has read.
   */
  lastTurnEnds(member: string, keys: readonly string[], now: number): number {
    // A home that has not joined yet has granted nothing.
    let end = this.#from === Infinity ? now : Math.max(now, this.#from)
    // A member that has just left cannot report when its turns end.
    if (this.#live.some((each) => each !== this.#self && !keys.includes(each))) end = now + this.#turnSeconds
    for (const { live: before, until } of this.#former) {
      // Live members receive the same request.
      if (before.some((each) => !this.#live.includes(each))) end = Math.max(end, until + this.#turnSeconds)
    }
    const live = [...this.#live.filter((each) => each !== member), member]
    for (const [address, { until }] of this.#turns) {
      if (homeOf(address, live) === member) end = Math.max(end, until)
    }
    return end
  }

  /** The members as of the last acknowledged beat. */
  members(live: readonly string[], now: number): void {
    if (live.length === this.#live.length && live.every((member) => this.#live.includes(member))) return
    this.#former = this.#former.filter(({ until }) => until + this.#turnSeconds > now)
    this.#former.push({ live: this.#live, until: now })
    this.#live = live
  }

  isHome(address: string): boolean {
    return homeOf(address, this.#live) === this.#self
  }

  /** When this home may grant a turn of an address, as far as turns of other homes are concerned. */
  #newFrom(address: string): number {
    let from = this.#from
    for (const { live, until } of this.#former) {
      if (homeOf(address, live) !== this.#self) from = Math.max(from, until + this.#turnSeconds)
    }
    return from
  }

  /**
   * A worker, maybe this one, requests a turn or an extension. `isBusy`: it has a request in flight, and the end must be postponed
   * in any case. The caller has checked that the last beat of this worker was acknowledged recently.
   */
  request(address: string, worker: string, isBusy: boolean, now: number): TurnAnswer {
    if (!this.isHome(address)) return refused(1)
    if (this.#turns.size >= this.#sweepAt) this.#sweep(now)
    const turn = this.#turns.get(address) ?? this.#newTurn(address)
    const newFrom = this.#newFrom(address)
    for (const [other, late] of turn.waiting) if (late < now) turn.waiting.delete(other)
    if (worker !== turn.holder && turn.holder !== '') turn.sharedUntil = now + sharedForSeconds
    const { gapSeconds, sharedSeconds } = this.#timing
    if (isBusy) return this.#busy(turn, worker, newFrom <= now, now)
    const freeAt = Math.max(newFrom, turn.holder === worker ? 0 : turn.until + gapSeconds)
    const [first = worker] = turn.waiting.keys()
    if (freeAt <= now && first === worker) return this.#grant(turn, worker, now)
    if (!turn.waiting.has(worker)) turn.waiting.set(worker, 0)
    const ahead = [...turn.waiting.keys()].indexOf(worker)
    const begin = Math.max(now, newFrom, turn.until + gapSeconds)
    const waitSeconds = begin - now + ahead * (sharedSeconds + gapSeconds)
    turn.waiting.set(worker, now + waitSeconds + lateSeconds)
    return refused(Math.max(waitSeconds, waitSecondsMin))
  }

  #newTurn(address: string): Turn {
    const waiting = new Map<string, number>()
    const turn = { holder: '', until: -Infinity, waiting, sharedUntil: -Infinity }
    this.#turns.set(address, turn)
    return turn
  }

  #grant(turn: Turn, worker: string, now: number): TurnAnswer {
    const { aloneSeconds, sharedSeconds } = this.#timing
    turn.waiting.delete(worker)
    turn.holder = worker
    const seconds = turn.sharedUntil > now ? sharedSeconds : aloneSeconds
    turn.until = Math.max(turn.until, now + seconds)
    return { seconds, waitSeconds: 0 }
  }

  /** The worker has a request in flight, even if this home has granted no turn. If others wait, only the end of the turn is postponed. */
  #busy(turn: Turn, worker: string, isOpen: boolean, now: number): TurnAnswer {
    if (turn.holder === worker && turn.waiting.size === 0 && isOpen) return this.#grant(turn, worker, now)
    turn.until = Math.max(turn.until, now + this.#timing.sharedSeconds)
    return refused(this.#timing.gapSeconds)
  }

  #sweep(now: number): void {
    for (const [address, { until, waiting, sharedUntil }] of this.#turns) {
      const isRested = until + this.#timing.gapSeconds <= now && sharedUntil <= now
      if (isRested && waiting.size === 0) this.#turns.delete(address)
    }
    this.#sweepAt = Math.max(sweepSize, 2 * this.#turns.size)
  }
}

function refused(waitSeconds: number): TurnAnswer {
  return { seconds: 0, waitSeconds }
}
