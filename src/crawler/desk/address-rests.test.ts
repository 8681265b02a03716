import { describe, expect, it } from 'vitest'
import { AddressRests } from './address-rests.ts'

describe('an address that sites share', () => {
  it('is free a gap after its last access, and not while it is busy', () => {
    let now = 100
    const rests = new AddressRests(2, () => now)
    expect(rests.turn('a', '0')).toBe(0)
    rests.occupy('a', now)
    now = 101
    expect(rests.turn('a', '1')).toBe(103)
    rests.release('a', 101.5)
    expect(rests.turn('a', '1')).toBe(103.5)
    expect(rests.turn('b', '1')).toBe(0)
    now = 103.5
    expect(rests.turn('a', '1')).toBe(0)
  })

  it('is always free where no gap is wanted', () => {
    const rests = new AddressRests(0, () => 100)
    rests.occupy('a', 100)
    expect(rests.turn('a', '1')).toBe(0)
  })

  it('is asked by the sites in the order in which they came, a gap apart', () => {
    let now = 0
    const rests = new AddressRests(1, () => now)
    rests.occupy('a', now)
    rests.release('a', now)
    expect([1, 2, 3].map((site) => rests.turn('a', String(site)))).toEqual([1, 2, 3])
    now = 1
    // The second and a newcomer are free as well, and not their turn.
    expect(rests.turn('a', '2')).toBe(2)
    expect(rests.turn('a', '0')).toBe(4)
    expect(rests.turn('a', '1')).toBe(0)
    rests.occupy('a', now)
    rests.release('a', now)
    expect([3, 0, 1, 2].map((site) => rests.turn('a', String(site)))).toEqual([3, 4, 5, 2])
  })

  it('does not wait for a site that has missed its turn', () => {
    let now = 0
    const rests = new AddressRests(1, () => now)
    rests.occupy('a', now)
    rests.release('a', now)
    expect([1, 2].map((site) => rests.turn('a', String(site)))).toEqual([1, 2])
    // However late it is, the first may still come right after.
    now = 20
    expect(rests.turn('a', '2')).toBe(21)
    now = 21
    expect(rests.turn('a', '2')).toBe(0)
    rests.occupy('a', now)
    rests.release('a', now)
    expect(rests.turn('a', '1')).toBe(22)
  })

  it('is left to the site whose turn it is, however late all of them come', () => {
    let now = 0
    const rests = new AddressRests(1, () => now)
    rests.occupy('a', now)
    rests.release('a', now)
    expect([1, 2].map((site) => rests.turn('a', String(site)))).toEqual([1, 2])
    now = 50
    expect(rests.turn('a', '2')).toBe(51)
    expect(rests.turn('a', '1')).toBe(0)
  })

  it('is forgotten once it has rested, however many there are', () => {
    let now = 0
    const rests = new AddressRests(1, () => now)
    for (let i = 0; i < 10_000; i++) {
      now = i
      rests.occupy(`a${i}`, now)
      rests.release(`a${i}`, now)
    }
    expect(rests.turn('a9999', '1')).toBe(10_000)
    expect(rests.turn('a0', '1')).toBe(0)
  })
})
