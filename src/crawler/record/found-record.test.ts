import { describe, expect, it } from 'vitest'
import { awaySite, noSite } from '../../engine/world.ts'
import { ByteReader } from '../../lib/byte-reader.ts'
import { decodeFound, PendingFound, type FoundRecord } from './found-record.ts'
import { readRecord } from './group.ts'

const names = ['a.example', 'b.example:8080']
const nameOf = (site: number): string => names[site]

const found: FoundRecord[] = [
  { url: 'http://a.example/', site: 0, parent: undefined, depth: 0 },
  { url: 'https://b.example:8080/ü?q=%20', site: 1, parent: 7, depth: 1, anchor: 'B, a site' },
  { url: 'outside:', site: noSite, parent: 7, depth: 255 },
  { url: 'http://c.example/', site: awaySite, parent: 8, depth: 2 },
  ...Array.from({ length: 3000 }, (_, i) => ({
    url: `http://a.example/${'x'.repeat(i % 90)}${i}`,
    site: 0,
    parent: i,
    depth: i % 9,
  })),
]

describe('pending discoveries', () => {
  it('are read as they were added, by page number', () => {
    const pending = new PendingFound()
    found.forEach((record, i) => pending.add(7 + i, record, nameOf(record.site)))
    found.forEach((record, i) => expect(pending.of(7 + i, nameOf)).toEqual(record))
    expect(pending.of(6, nameOf)).toBeUndefined()
    expect(pending.of(7 + found.length, nameOf)).toBeUndefined()
  })

  it('have the bytes of their section: the records in order', () => {
    const pending = new PendingFound()
    found.forEach((record, i) => pending.add(i, record, nameOf(record.site)))
    const section = new ByteReader(pending.bytes)
    for (const record of found) expect(decodeFound(readRecord(section), nameOf)).toEqual(record)
    expect(section.isAtEnd).toBe(true)
  })

  it('must come in order', () => {
    const pending = new PendingFound()
    pending.add(3, found[0], nameOf(0))
    expect(() => pending.add(5, found[0], nameOf(0))).toThrow('in order')
  })
})
