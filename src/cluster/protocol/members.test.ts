import { describe, expect, it } from 'vitest'
import { goneAfterBeats, Members } from './members.ts'

const shards = Array.from({ length: 64 }, (_, shard) => shard)

/** A worker that has seen these members beat just now. */
function membersSeenBy(self: string, ...others: string[]): Members {
  const members = new Members(self)
  members.beat(new Map([self, ...others].map((member) => [member, 1])))
  return members
}

const placement = (members: Members): string[] => shards.map((shard) => members.ownerOf(shard))

describe('members', () => {
  it('all workers that see the same members agree on the owner of every shard', () => {
    const owners = placement(membersSeenBy('a', 'b', 'c'))
    expect(placement(membersSeenBy('c', 'a', 'b'))).toEqual(owners)
    expect(new Set(owners)).toEqual(new Set(['a', 'b', 'c']))
  })

  it('a member that joins takes shards, and no other shard moves', () => {
    const before = placement(membersSeenBy('a', 'b'))
    const after = placement(membersSeenBy('a', 'b', 'c'))
    const moved = shards.filter((shard) => before[shard] !== after[shard])
    expect(moved.length).toBeGreaterThan(10)
    expect(moved.every((shard) => after[shard] === 'c')).toBe(true)
  })

  it('a member whose key stands still is gone after ten acknowledged beats, not before', () => {
    const members = membersSeenBy('a', 'b')
    for (let beat = 2; beat <= goneAfterBeats; beat++) {
      members.beat(
        new Map([
          ['a', beat],
          ['b', 1],
        ]),
      )
      expect(members.isLive('b')).toBe(true)
    }
    members.beat(
      new Map([
        ['a', goneAfterBeats + 1],
        ['b', 1],
      ]),
    )
    expect(members.isLive('b')).toBe(false)
    expect(new Set(placement(members))).toEqual(new Set(['a']))
  })

  it('while no beat is acknowledged, no member is gone and no shard moves', () => {
    const members = membersSeenBy('a', 'b')
    const before = placement(members)
    // An election of any length: beats are sent and none is acknowledged.
    expect(placement(members)).toEqual(before)
    members.beat(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    )
    expect(placement(members)).toEqual(before)
  })

  it('a member that beats again is back', () => {
    const members = membersSeenBy('a', 'b')
    for (let beat = 2; beat < 20; beat++)
      members.beat(
        new Map([
          ['a', beat],
          ['b', 1],
        ]),
      )
    expect(members.isLive('b')).toBe(false)
    members.beat(
      new Map([
        ['a', 20],
        ['b', 2],
      ]),
    )
    expect(members.isLive('b')).toBe(true)
  })
})
