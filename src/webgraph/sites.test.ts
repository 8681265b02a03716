import { describe, expect, it } from 'vitest'
import { fmix32, hashId, unit } from '../lib/hash.ts'
import { hostOf, sitesFromIds, sitesFromNumbers } from './sites.ts'

describe('the hash behind generated values', () => {
  it('is the finaliser of MurmurHash3', () => {
    // Reference values of fmix32 from exact integer arithmetic.
    const reference = (value: number): number => {
      let h = BigInt(value)
      h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & 0xffffffffn
      h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & 0xffffffffn
      return Number(h ^ (h >> 16n))
    }
    for (const value of [0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 123456789])
      expect(fmix32(value)).toBe(reference(value))
    const low = (5 + 3 * 0x9e3779b9) % 2 ** 32
    expect(hashId(5, 3)).toBe(reference(reference(low)))
    expect(hashId(2 ** 32 + 5, 3)).toBe(reference((reference(low) ^ 1) >>> 0))
    expect(unit(0)).toBe(0.5 / 2 ** 32)
  })
})

describe('sites generated from ids', () => {
  const starts = (id: number): boolean =>
    id % 16384 === 0 || hashId(id, 2) % (8 * 2 ** (hashId(id >>> 14, 1) % 11)) === 0

  it('begin at every starting id', () => {
    const { ofPage, keys, count } = sitesFromIds(50_000, undefined)
    let site = -1
    for (let id = 0; id < 50_000; id++) {
      if (starts(id)) site++
      if (ofPage[id] !== site) expect(ofPage[id]).toBe(site)
    }
    expect(count).toBe(site + 1)
    expect(starts(keys[count - 1])).toBe(true)
  })

  it('begin at a starting id even where no page has it', () => {
    const ids = Uint32Array.from([16_380, 16_383, 16_385, 40_000])
    const { ofPage, keys } = sitesFromIds(4, ids)
    expect(ofPage[2]).not.toBe(ofPage[1])
    expect(keys[ofPage[2]]).toBe([16_385, 16_384].find(starts))
  })
})

describe('sites given by number', () => {
  it('are numbered in the order of their first page', () => {
    const { ofPage, count } = sitesFromNumbers([30, 20, 10, 30, 20, 10, 10])
    expect([...ofPage]).toEqual([0, 1, 2, 0, 1, 2, 2])
    expect(count).toBe(3)
  })
})

describe('the host of a URL', () => {
  it.each([
    ['http://Example.ORG/a', 'example.org'],
    ['http://example.org:80/', 'example.org'],
    ['https://example.org:443', 'example.org'],
    ['http://example.org:443/', 'example.org:443'],
    ['http://example.org:8080?q', 'example.org:8080'],
    ['http://user:pw@host/#x', 'host'],
    ['http://[::1]:80/x', '[::1]'],
    ['http:/host/x', 'host'],
    ['http://host\\x', 'host'],
    ['mailto:someone', undefined],
    ['http:///x', undefined],
    ['', undefined],
  ])('%s is %s', (url, host) => expect(hostOf(url)).toBe(host))
})
