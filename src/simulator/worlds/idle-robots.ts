/** The set of idle robots. One bit each: a thousand robots are 32 words, scanned from the left. */
import { assert } from '../../lib/assert.ts'

export class IdleRobots {
  readonly #words: Uint32Array
  /** No robot of an earlier word is idle. */
  #firstWord = 0
  count: number

  /** All are idle. */
  constructor(robots: number) {
    this.#words = new Uint32Array(Math.ceil(robots / 32))
    this.count = 0
    for (let robot = 0; robot < robots; robot++) this.add(robot)
  }

  add(robot: number): void {
    const word = robot >>> 5
    this.#words[word] |= 1 << (robot & 31)
    if (word < this.#firstWord) this.#firstWord = word
    this.count++
  }

  /** Takes the idle robot with the lowest number (S30). There must be one. */
  take(): number {
    assert(this.count > 0, 'more connections are asked for than there are robots')
    while (this.#words[this.#firstWord] === 0) this.#firstWord++
    const bits = this.#words[this.#firstWord]
    const lowest = bits & -bits
    this.#words[this.#firstWord] = bits ^ lowest
    this.count--
    return this.#firstWord * 32 + (31 - Math.clz32(lowest))
  }
}
