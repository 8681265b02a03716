import { describe, expect, it } from 'vitest'
import { messageName, MessageWriter, sectionFor } from './message.ts'
import { encodeShardGroup, memberOf, readShardGroup, type ShardGroup } from './shard-group.ts'

const group: ShardGroup = {
  head: {
    writer: 'worker.7.3',
    group: 12,
    kind: 'work',
    account: {
      certain: 0.25,
      crumbs: 2 ** -60,
      waiting: 0.125,
      away: 1e-9,
      excluded: 0,
      unobtainable: 0.5,
      owed: 2 ** -70,
    },
    fetched: 1000,
    waiting: 2 ** 33,
    inFlight: 3,
    isIdle: false,
    cut: 17,
    published: 16,
    settled: 9,
    position: 123_456,
    control: 4,
    granted: 1000,
    returned: 17,
    keys: [3, 1, 255, 70_000],
    known: 12,
    looks: 40,
    due: [3, 1, 90, 2],
    sharesGranted: 9,
    sharesReturned: 4,
    awaited: 200,
    applied: [0, 5, 2 ** 40],
  },
  names: Uint8Array.of(1, 2, 3),
  facts: Uint8Array.of(9, 8),
}

describe('a group of a shard', () => {
  it('is read as it was written', () => {
    const read = readShardGroup(encodeShardGroup(group))
    expect(read.head).toEqual(group.head)
    expect([...read.names]).toEqual([...group.names])
    expect([...read.facts]).toEqual([...group.facts])
    expect(memberOf(read.head.writer)).toBe('worker.7')
  })

  it('is refused where it is cut off before its facts, or is of another program', () => {
    const bytes = encodeShardGroup(group)
    for (let length = 0; length < bytes.length - group.facts.length; length++)
      expect(() => readShardGroup(bytes.subarray(0, length))).toThrow(RangeError)
    expect(() => readShardGroup(Buffer.from('{"hello":1}'))).toThrow('not a group')
  })
})

describe('a message', () => {
  const writer = new MessageWriter()
  writer.home(5, 0.25)
  writer.home(5, 0.25)
  writer.entries(2).text('http://example.org/')
  writer.entries(2).double(0.125)
  const bytes = writer.bytes(3, 42)

  it('has a section for each shard that receives something', () => {
    expect(messageName(bytes)).toEqual({ source: 3, number: 42 })
    expect(sectionFor(bytes, 5)?.home).toBe(0.5)
    expect(sectionFor(bytes, 5)?.entries.isAtEnd).toBe(true)
    const { home, entries } = sectionFor(bytes, 2)!
    expect([home, entries.text(), entries.double(), entries.isAtEnd]).toEqual([
      0,
      'http://example.org/',
      0.125,
      true,
    ])
    expect(sectionFor(bytes, 4)).toBeUndefined()
  })

  it('is refused where it is truncated or of another program', () => {
    expect(() => messageName(Buffer.from('hello'))).toThrow('not a message')
    expect(() => sectionFor(bytes.subarray(0, bytes.length - 1), 5)).toThrow(RangeError)
  })
})
