/**
 * Robots in order of a number, their time or their speed: the smallest first, the lowest robot on equal
 * numbers. A heap with four children to a node; the position of each robot is stored, so that any one can be
 * removed. Fixed size: a thousand robots fit in the L1 cache, and every event of a timed crawl passes through
 * two or three of these queues.
 */
import { assert } from '../../lib/assert.ts'

const absent = -1

export class RobotQueue {
  readonly #heap: Int32Array
  readonly #places: Int32Array
  readonly #keys: Float64Array
  length = 0

  constructor(robots: number) {
    this.#heap = new Int32Array(robots)
    this.#places = new Int32Array(robots).fill(absent)
    this.#keys = new Float64Array(robots)
  }

  has(robot: number): boolean {
    return this.#places[robot] !== absent
  }

  /** The first robot, or -1 if the queue is empty. */
  first(): number {
    return this.length === 0 ? absent : this.#heap[0]
  }

  /** The first robot's number, or Infinity if the queue is empty. */
  firstKey(): number {
    return this.length === 0 ? Infinity : this.#keys[this.#heap[0]]
  }

  /** The number of a robot that is in the queue. */
  key(robot: number): number {
    return this.#keys[robot]
  }

  add(robot: number, key: number): void {
    assert(this.#places[robot] === absent, 'a robot is in a queue twice')
    this.#keys[robot] = key
    this.#rise(this.length++, robot)
  }

  /** Takes the first robot out. There must be one. */
  take(): number {
    const robot = this.#heap[0]
    this.delete(robot)
    return robot
  }

  /** Removes any robot in the queue. */
  delete(robot: number): void {
    const place = this.#places[robot]
    this.#places[robot] = absent
    const last = this.#heap[--this.length]
    if (last === robot) return
    if (this.#precedes(last, robot)) this.#rise(place, last)
    else this.#sink(place, last)
  }

  /** Subtracts the same amount from every number. */
  lower(amount: number): void {
    for (let i = 0; i < this.length; i++) this.#keys[this.#heap[i]] -= amount
    // Rounding may have made numbers equal that were not, and equal numbers are ordered by robot.
    for (let place = (this.length - 2) >> 2; place >= 0; place--) this.#sink(place, this.#heap[place])
  }

  #precedes(a: number, b: number): boolean {
    const keys = this.#keys
    return keys[a] < keys[b] || (keys[a] === keys[b] && a < b)
  }

  /** Puts the robot at this place or above it. */
  #rise(from: number, robot: number): void {
    const heap = this.#heap
    const places = this.#places
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 2
      const above = heap[parent]
      if (!this.#precedes(robot, above)) break
      heap[place] = above
      places[above] = place
      place = parent
    }
    heap[place] = robot
    places[robot] = place
  }

  /** Puts the robot at this place or below it. */
  #sink(from: number, robot: number): void {
    const heap = this.#heap
    const places = this.#places
    const { length } = this
    let place = from
    for (;;) {
      const eldest = place * 4 + 1
      if (eldest >= length) break
      let best = eldest
      const end = Math.min(eldest + 4, length)
      for (let child = eldest + 1; child < end; child++)
        if (this.#precedes(heap[child], heap[best])) best = child
      const below = heap[best]
      if (!this.#precedes(below, robot)) break
      heap[place] = below
      places[below] = place
      place = best
    }
    heap[place] = robot
    places[robot] = place
  }
}
