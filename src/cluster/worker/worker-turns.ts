/** Connects the turns of shared addresses (shared-addresses.ts) of a worker to the other workers and to its requests. */
import { turnTimingOf } from '../protocol/address-turns.ts'
import type { Members } from '../protocol/members.ts'
import { SharedAddresses } from '../protocol/shared-addresses.ts'
import type { TurnMessages, WorkerClock, WorkerTiming } from './ports.ts'

interface WorkerTurnsOptions {
  readonly members: Members
  readonly turns: TurnMessages
  readonly clock: WorkerClock
  /** The gap of an address; without one there are no turns. */
  readonly gapSeconds: number
  readonly timing: WorkerTiming
  readonly failed: (error: unknown) => void
}

export class WorkerTurns {
  readonly #options: WorkerTurnsOptions
  readonly #shared: SharedAddresses | undefined

  constructor(options: WorkerTurnsOptions) {
    const { members, turns, clock, gapSeconds, timing } = options
    this.#options = options
    if (gapSeconds === 0) return
    const from = members.self
    this.#shared = new SharedAddresses({
      members,
      timing: turnTimingOf(gapSeconds, timing.beatSecondsMax),
      now: () => clock.now(),
      port: {
        request: (home, address, isBusy, onAnswer) =>
          turns.request(home, { from, address, isBusy }, onAnswer),
        join: (member, keys, onAnswer) => turns.request(member, { from, keys }, onAnswer),
      },
    })
  }

  /** Undefined without a gap. */
  get shared(): SharedAddresses | undefined {
    return this.#shared
  }

  listen(): void {
    const { members, turns, failed } = this.#options
    const shared = this.#shared
    if (shared === undefined) return
    turns.listen(
      members.self,
      ({ from, address, isBusy = false, keys = [] }) =>
        address === undefined ? shared.joined(from, keys) : shared.requested(address, from, isBusy),
      failed,
    )
  }

  /** A beat that was sent at this time is acknowledged. */
  beat(sentAt: number, revisions: ReadonlyMap<string, number>): void {
    this.#shared?.beat(sentAt, [...revisions.keys()])
  }

  close(): void {
    this.#options.turns.close()
  }
}
