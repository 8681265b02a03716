/**
 * Seeded random numbers: sfc32 (Doty-Humphrey's small fast chaotic generator), 128 bits of state, period over
 * 2^32, 1 to 2 ns per number. Rankward has no other source of randomness, so every run can be repeated from
 * its seed.
 */
import type { StateCodec } from './state.ts'

export interface Random {
  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number
  /** A number from 0 up to but not including 1, with 32 random bits. */
  fraction(): number
  /** A whole number from 0 to bound - 1. */
  below(bound: number): number
  /** Saves or restores the state of the generator. */
  transfer(state: StateCodec): void
}

export function seededRandom(seed: number, stream = 0): Random {
  let a = seed | 0
  let b = Math.floor(seed / 0x1_0000_0000) | 0
  let c = stream | 0
  let counter = 1
  const uint32 = (): number => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return t >>> 0
  }
  // Seeds that differ in one bit give similar numbers for the first dozen draws.
  for (let i = 0; i < 15; i++) uint32()
  const fraction = (): number => uint32() / 0x1_0000_0000
  const transfer = (state: StateCodec): void => {
    state.section('random', 1)
    a = state.number(a)
    b = state.number(b)
    c = state.number(c)
    counter = state.number(counter)
  }
  return { uint32, fraction, below: (bound) => Math.floor(fraction() * bound), transfer }
}
