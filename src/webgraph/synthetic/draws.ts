/**
 * Random numbers by key. Everything in a synthetic web is drawn from a key (of the web, a site, a section, a
 * page), and keys are derived from one another by hashing; so any page can be generated at any time, in any
 * order, without stored state. A stream is SplitMix (Steele, Lea and Flood, "Fast Splittable Pseudorandom
 * Number Generators", 2014) in 32 bits over MurmurHash3's finaliser (docs/theory/semantics.md S7), 2 to 3 ns per
 * draw.
 *
 * Draws use only additions, multiplications, divisions and square roots, which IEEE 754 rounds alike on all
 * machines.
 */
import { fmix32 } from '../../lib/hash.ts'

const goldenRatio = 0x9e3779b9

/** The parts of a key, so that different things are drawn from different numbers. */
export const part = {
  siteTable: 1,
  site: 2,
  sample: 3,
  firstHalf: 4,
  secondHalf: 5,
  cut: 6,
  stop: 7,
  closed: 8,
  taste: 9,
  menu: 10,
  wayUp: 11,
  pages: 12,
  children: 13,
  headLost: 14,
  island: 15,
  directoryLost: 16,
  query: 17,
  farms: 18,
  topic: 19,
  relevance: 20,
  text: 21,
  title: 22,
  anchor: 23,
  urlWord: 24,
} as const

/** The key of a part of `key`, by the table above or by number. */
export function subkey(key: number, ofPart: number): number {
  return fmix32(fmix32(ofPart + goldenRatio) ^ key)
}

/** The key of a web. Every bit of a seed below 2^53 affects it. */
export function webKey(seed: number): number {
  return subkey(fmix32(seed >>> 0), Math.floor(seed / 0x1_0000_0000))
}

/** The key of a site. */
export function siteKey(key: number, site: number): number {
  return subkey(subkey(key, part.site), site)
}

/** A key as a number strictly between 0 and 1. */
export function unitOf(key: number): number {
  return (key + 0.5) / 0x1_0000_0000
}

export class Draws {
  #state = 0

  restart(key: number): void {
    this.#state = key | 0
  }

  /** A number strictly between 0 and 1. */
  unit(): number {
    this.#state = (this.#state + goldenRatio) | 0
    return (fmix32(this.#state) + 0.5) / 0x1_0000_0000
  }

  /** A whole number from 0 to bound - 1. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound)
  }

  /** A whole number from 1 up to `most` with P(at least x) = x^-2 below that: a density falling as x^-3. */
  inverseSquare(most: number): number {
    const drawn = Math.floor(1 / Math.sqrt(this.unit()))
    return drawn < most ? drawn : most
  }

  /** A random whole number with this mean: one of the two nearest to it. */
  near(mean: number): number {
    return Math.floor(mean + this.unit())
  }
}
