/**
 * The turns of a worker at addresses (address-turns.ts), and its requests for them: at most one per address at a time. Turns that
 * it uses are extended before they end; those with a request in flight do not end before it.
 */
import type { TurnAnswer, TurnTiming } from './address-turns.ts'

/** A turn is not used in its last part: a request takes a moment to leave. As a part of a shared turn. */
const marginPart = 1 / 8
/** First pause before a look for a response. Later ones are as long as the time since the request. */
const firstLookSeconds = 0.02
/** Pause after a request without a response; it doubles each time, up to the longest. */
const silentSeconds = 0.5
const silentSecondsMax = 8
const sweepSize = 4096

interface HeldTurn {
  /** Requests may be sent before this time. */
  until: number
  /** When the home lets others in at the earliest, as far as is known. */
  endsAt: number
  /** When the request for a turn was sent that has no response yet. */
  sentAt: number | undefined
  retryAt: number
  /** Requests for a turn in a row without a response. */
  silences: number
  /** Requests to the address in flight. */
  inFlight: number
}

/** Sends a request for a turn to the home of the address; `answered` follows, maybe before the call returns. */
type SendTurnRequest = (address: string, isBusy: boolean, sentAt: number) => void

export class HeldTurns {
  readonly #timing: TurnTiming
  readonly #send: SendTurnRequest
  readonly #turns = new Map<string, HeldTurn>()
  readonly #busy = new Set<string>()
  #sweepAt = sweepSize

  constructor(timing: TurnTiming, send: SendTurnRequest) {
    this.#timing = timing
    this.#send = send
  }

  /** Seconds until the address may be requested, or until the next look; 0 if it may be requested now. */
  waitFor(address: string, now: number): number {
    const turn = this.#turns.get(address) ?? this.#newTurn(address, now)
    if (this.#isValid(turn, now)) {
      // Extended in time, so that a site in use does not wait.
      if (turn.until - now < this.#timing.aloneSeconds / 2) this.#request(address, turn, now)
      return 0
    }
    this.#request(address, turn, now)
    if (this.#isValid(turn, now)) return 0
    if (turn.sentAt !== undefined) return Math.max(firstLookSeconds, now - turn.sentAt)
    return Math.max(firstLookSeconds, turn.retryAt - now)
  }

  /** A request to the address has begun. */
  began(address: string, now: number): void {
    const turn = this.#turns.get(address) ?? this.#newTurn(address, now)
    turn.inFlight++
    this.#busy.add(address)
    this.#putOff(address, turn, now)
  }

  /** A request to the address has ended. */
  ended(address: string): void {
    const turn = this.#turns.get(address)
    if (turn === undefined || --turn.inFlight > 0) return
    turn.inFlight = 0
    this.#busy.delete(address)
  }

  /** Called regularly: puts off the ends of turns with a request in flight. */
  tick(now: number): void {
    for (const address of this.#busy) this.#putOff(address, this.#turns.get(address)!, now)
  }

  /** The process was paused: the turns may have ended. */
  dropAll(): void {
    for (const turn of this.#turns.values()) turn.until = turn.endsAt = -Infinity
  }

  #isValid({ until }: HeldTurn, now: number): boolean {
    return until - marginPart * this.#timing.sharedSeconds > now
  }

  #putOff(address: string, turn: HeldTurn, now: number): void {
    if (turn.endsAt - now >= this.#timing.sharedSeconds / 2 || turn.sentAt !== undefined) return
    turn.sentAt = now
    this.#send(address, true, now)
  }

  #request(address: string, turn: HeldTurn, now: number): void {
    if (turn.sentAt !== undefined || turn.retryAt > now) return
    turn.sentAt = now
    this.#send(address, turn.inFlight > 0, now)
  }

  /** The response to the request that was sent at `sentAt`; undefined if there was none in time. Later ones have no effect. */
  answered(
    address: string,
    sentAt: number,
    isBusy: boolean,
    answer: TurnAnswer | undefined,
    now: number,
  ): void {
    const turn = this.#turns.get(address)
    if (turn === undefined || turn.sentAt !== sentAt) return
    turn.sentAt = undefined
    if (answer === undefined) {
      const pause = Math.min(silentSecondsMax, silentSeconds * 2 ** turn.silences++)
      turn.retryAt = now + pause
      return
    }
    turn.silences = 0
    if (answer.seconds > 0) turn.until = turn.endsAt = Math.max(turn.until, sentAt + answer.seconds)
    else {
      turn.retryAt = now + answer.waitSeconds
      if (isBusy) turn.endsAt = Math.max(turn.endsAt, sentAt + this.#timing.sharedSeconds)
    }
  }

  #newTurn(address: string, now: number): HeldTurn {
    if (this.#turns.size >= this.#sweepAt) this.#sweep(now)
    const turn: HeldTurn = {
      until: -Infinity,
      endsAt: -Infinity,
      sentAt: undefined,
      retryAt: -Infinity,
      silences: 0,
      inFlight: 0,
    }
    this.#turns.set(address, turn)
    return turn
  }

  #sweep(now: number): void {
    for (const [address, { until, retryAt, sentAt, inFlight }] of this.#turns) {
      if (until < now && retryAt < now && sentAt === undefined && inFlight === 0) this.#turns.delete(address)
    }
    this.#sweepAt = Math.max(sweepSize, 2 * this.#turns.size)
  }
}
