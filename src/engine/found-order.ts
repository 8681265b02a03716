/**
 * The order of pages that several shards have found. On one engine the page that was discovered first wins a tie (S8). The numbers of pages
 * cannot tell on shards, because each shard counts its own; so a shard keeps the time at which each page was found, and the time is
 * part of the key. It travels with the name of a page: what counts is when the first shard found it, not when the message arrived.
 *
 * All keys are computed from bits and with exact operations, so that every machine finds the same. 4 bytes per known page.
 */
import { GrowingFloat32 } from '../lib/growing-array.ts'
import { roundScore } from '../lib/score-rounding.ts'
import type { StateCodec } from '../lib/state.ts'
import { namedBefore } from './fact.ts'
import type { Sharding } from './sharding.ts'

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** Index of the word with the exponent: 1, or 0 on a big-endian machine. */
const high = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

const octaves = 32
/** Steps per second in the first octave of time. */
const perSecond = 64
const one = 1023 << 20

/**
 * From 1, for a page that was found when the crawl began, down to 0, after two years: the logarithm of the time, with straight
 * lines between powers of two.
 */
export function earliness(seconds: number): number {
  double[0] = 1 + perSecond * seconds
  return Math.max(0, 1 - (words[high] - one) / (octaves * 2 ** 20))
}

/** A power of two, with straight lines between whole exponents. */
export function steppedPower(exponent: number): number {
  const whole = Math.floor(exponent)
  return 2 ** whole * (1 + exponent - whole)
}

/** A score whose ties are broken by time: less than the next higher score that S8 tells apart. */
export function tieBroken(score: number, seconds: number): number {
  return roundScore(score) * (1 + earliness(seconds) * 2 ** -32)
}

export class FoundOrder {
  readonly #sharding: Sharding
  readonly #beganAt: number
  /** Seconds from the beginning of the crawl until each page was found. */
  readonly #foundAt = new GrowingFloat32()
  #now = 0
  #next: number | undefined

  /** Times are counted from `beganAt`. */
  constructor(sharding: Sharding, beganAt: number) {
    this.#sharding = sharding
    this.#beganAt = beganAt
  }

  /** Pages are found at this time from now on. */
  at(now: number): void {
    this.#now = Math.max(0, now - this.#beganAt)
  }

  /** The next page was found by another shard. */
  nextFoundAt(ms: number): void {
    this.#next = ms / 1000
  }

  found(page: number): void {
    this.#foundAt.ensure(page)
    this.#foundAt.array[page] = this.#next ?? this.#now
    this.#next = undefined
  }

  /** When the page was found, in milliseconds from the beginning of the crawl. */
  msOf(page: number): number {
    return Math.min(namedBefore - 1, Math.round(1000 * this.#foundAt.array[page]))
  }

  key(page: number, score: number): number {
    const seconds = this.#foundAt.array[page]
    return this.#sharding.key?.(page, score, seconds) ?? tieBroken(score, seconds)
  }

  transfer(state: StateCodec): void {
    state.section('found order', 1)
    this.#now = state.number(this.#now)
    state.appended(this.#foundAt)
  }

  get byteLength(): number {
    return this.#foundAt.array.byteLength
  }
}
