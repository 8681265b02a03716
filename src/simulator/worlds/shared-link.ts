/**
 * The crawler's link to the Internet: its bandwidth is shared max-min fairly by the transfers under way, each
 * capped by the speed of its site (SEMANTICS S31). Exact: rates are constant between events, so there are no
 * time steps.
 *
 * In a max-min fair share there is a *level*: a transfer whose cap is at most the level runs at its cap, all
 * others run at the level.
 *
 *   capped    by the time they end, which nothing but a change of level moves
 *   levelled  all have received the same number of bytes since any of them joined: `served` counts it, each
 *   one's
 *             *target* is what `served` will be when it ends, and they end in the order of their targets
 *
 * So a start or an end touches one transfer and the few whose caps the level passes on its way: O(log robots)
 * in total, regardless of the number of transfers. Transfers are identified by the number of their robot.
 *
 * Invariant: caps of the capped ≤ level < caps of the levelled; without levelled ones the level is Infinity.
 */
import { assert } from '../../lib/assert.ts'
import { RobotQueue } from './robot-queue.ts'

/** `served` restarts at 0 beyond this, so that adding a few bytes to it loses no precision. */
const servedMax = 2 ** 32

export class SharedLink {
  readonly bandwidth: number
  readonly #caps: Float64Array
  /** The capped by the time they end, and by their caps, the largest first: the first to fall below a sinking level. */
  readonly #cappedEnds: RobotQueue
  readonly #cappedCaps: RobotQueue
  /** The levelled by their targets, and by their caps, the smallest first: the first to be passed by a rising level. */
  readonly #levelledTargets: RobotQueue
  readonly #levelledCaps: RobotQueue
  /** Sum of the caps of the capped; exact where speeds are whole numbers. */
  #cappedRate = 0
  #level = Infinity
  /** Bytes that each levelled transfer has received, up to `#time`. */
  #served = 0
  #time = 0

  constructor(bandwidth: number, robots: number) {
    assert(bandwidth > 0, 'a link without bandwidth never delivers')
    this.bandwidth = bandwidth
    this.#caps = new Float64Array(robots)
    this.#cappedEnds = new RobotQueue(robots)
    this.#cappedCaps = new RobotQueue(robots)
    this.#levelledTargets = new RobotQueue(robots)
    this.#levelledCaps = new RobotQueue(robots)
  }

  /** Bytes per second in use now. */
  get rate(): number {
    return this.#levelledTargets.length > 0 ? this.bandwidth : Math.min(this.bandwidth, this.#cappedRate)
  }

  /** Current speed of this transfer in bytes per second. */
  rateOf(robot: number): number {
    return Math.min(this.#caps[robot], this.#level)
  }

  /** When the next transfer ends; Infinity if there is none. */
  nextEnd(): number {
    return Math.min(this.#cappedEnds.firstKey(), this.#levelledEnd())
  }

  /** Starts a transfer of this many bytes, at most `cap` per second. Time never goes back. */
  start(robot: number, bytes: number, cap: number, now: number): void {
    assert(cap > 0 && bytes >= 0, 'a transfer has no speed or no size')
    this.#advance(now)
    this.#caps[robot] = cap
    if (this.bandwidth === Infinity) {
      this.#joinCapped(robot, now + bytes / cap)
      return
    }
    // With this one at its cap the level would still be at or above it.
    const fits = cap * (this.#levelledTargets.length + 1) <= this.bandwidth - this.#cappedRate
    if (fits) this.#joinCapped(robot, now + bytes / cap)
    else this.#joinLevelled(robot, bytes)
    this.#sinkLevel()
    if (!fits) this.#raiseLevel()
  }

  /** Ends the transfer that ends next, at the time of `nextEnd()`; of several, the lowest robot's. */
  end(): number {
    const levelledEnd = this.#levelledEnd()
    const cappedEnd = this.#cappedEnds.firstKey()
    const levelled = this.#levelledTargets.first()
    const capped = this.#cappedEnds.first()
    if (levelledEnd < cappedEnd || (levelledEnd === cappedEnd && levelled < capped)) {
      this.#advance(levelledEnd)
      this.#served = this.#levelledTargets.key(levelled)
      this.#leaveLevelled(levelled)
      this.#raiseLevel()
      return levelled
    }
    assert(capped >= 0, 'a transfer is ended where none is under way')
    this.#advance(cappedEnd)
    this.#leaveCapped(capped)
    this.#raiseLevel()
    return capped
  }

  #levelledEnd(): number {
    if (this.#levelledTargets.length === 0) return Infinity
    // Rounding may have served a few billionths of a byte too much.
    return this.#time + Math.max(0, this.#levelledTargets.firstKey() - this.#served) / this.#level
  }

  #advance(now: number): void {
    assert(now >= this.#time, 'time goes back on the link')
    if (this.#levelledTargets.length > 0) this.#served += this.#level * (now - this.#time)
    this.#time = now
  }

  #joinCapped(robot: number, end: number): void {
    if (this.#caps[robot] < Infinity) this.#cappedRate += this.#caps[robot]
    this.#cappedEnds.add(robot, end)
    if (this.bandwidth < Infinity) this.#cappedCaps.add(robot, -this.#caps[robot])
  }

  #leaveCapped(robot: number): void {
    if (this.#caps[robot] < Infinity) this.#cappedRate -= this.#caps[robot]
    this.#cappedEnds.delete(robot)
    if (this.bandwidth < Infinity) this.#cappedCaps.delete(robot)
    // Fractional speeds leave rounding errors.
    if (this.#cappedEnds.length === 0) this.#cappedRate = 0
  }

  #joinLevelled(robot: number, bytes: number): void {
    if (this.#levelledTargets.length === 0) this.#served = 0
    else if (this.#served > servedMax) {
      this.#levelledTargets.lower(this.#served)
      this.#served = 0
    }
    this.#levelledTargets.add(robot, this.#served + bytes)
    this.#levelledCaps.add(robot, this.#caps[robot])
  }

  #leaveLevelled(robot: number): void {
    this.#levelledTargets.delete(robot)
    this.#levelledCaps.delete(robot)
  }

  /** After a start: capped transfers that now are above the level join the levelled. */
  #sinkLevel(): void {
    this.#setLevel()
    while (-this.#cappedCaps.firstKey() > this.#level) {
      const robot = this.#cappedCaps.first()
      const bytes = Math.max(0, this.#cappedEnds.key(robot) - this.#time) * this.#caps[robot]
      this.#leaveCapped(robot)
      this.#joinLevelled(robot, bytes)
      this.#setLevel()
    }
  }

  /** After an end, or where a start has sunk the level too far: levelled transfers that the level has passed run at their caps again. */
  #raiseLevel(): void {
    if (this.bandwidth === Infinity) return
    this.#setLevel()
    while (this.#levelledCaps.firstKey() <= this.#level && this.#levelledCaps.length > 0) {
      const robot = this.#levelledCaps.first()
      const bytes = Math.max(0, this.#levelledTargets.key(robot) - this.#served)
      this.#leaveLevelled(robot)
      this.#joinCapped(robot, this.#time + bytes / this.#caps[robot])
      this.#setLevel()
    }
  }

  #setLevel(): void {
    const { length } = this.#levelledTargets
    this.#level = length === 0 ? Infinity : (this.bandwidth - this.#cappedRate) / length
  }
}
