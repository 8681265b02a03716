import { describe, expect, it } from 'vitest'
import { AddressRests } from './address-rests.ts'

describe('an address that sites share', () => {
  it('is free a gap after its last access, and not while it is busy', () => {
    let now = 100
    const rests = new AddressRests(2, () => now)
    expect(rests.freeAt('a')).toBe(0)
    rests.occupy('a', now)
    now = 101
    expect(rests.freeAt('a')).toBe(103)
    rests.release('a', 101.5)
    expect(rests.freeAt('a')).toBe(103.5)
    expect(rests.freeAt('b')).toBe(0)
  })

  it('is always free where no gap is wanted', () => {
    const rests = new AddressRests(0, () => 100)
    rests.occupy('a', 100)
    expect(rests.freeAt('a')).toBe(0)
  })

  it('is forgotten once it has rested, however many there are', () => {
    let now = 0
    const rests = new AddressRests(1, () => now)
    for (let i = 0; i < 10_000; i++) {
      now = i
      rests.occupy(`a${i}`, now)
      rests.release(`a${i}`, now)
    }
    expect(rests.freeAt('a9999')).toBe(10_000)
    expect(rests.freeAt('a0')).toBe(0)
  })
})
