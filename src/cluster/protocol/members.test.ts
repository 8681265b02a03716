import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { evenOwners, goneAfterBeats, hashOfMember, Members, weightedName, weightOf } from './members.ts'

const shards = Array.from({ length: 64 }, (_, shard) => shard)

/** A worker that has seen these members beat just now. */
function membersSeenBy(self: string, ...others: string[]): Members {
  const members = new Members(self, shards.length)
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

  it('a member that joins takes its part, and few other shards move', () => {
    let moved = 0
    for (let web = 0; web < 50; web++) {
      const before = placement(membersSeenBy(`a${web}`, `b${web}`, `c${web}`))
      const after = placement(membersSeenBy(`a${web}`, `b${web}`, `c${web}`, `d${web}`))
      expect(after.filter((owner) => owner === `d${web}`)).toHaveLength(16)
      moved += shards.filter((shard) => before[shard] !== after[shard]).length
    }
    expect(moved).toBeLessThan(1.3 * 50 * 16)
  })

  it('each has its part of the shards by its weight, and of two that want one, that with the higher hash has it', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 1, max: 80 }),
        (names, weights, count) => {
          const members = names.map((name, i) => weightedName(name, weights[i]))
          const owners = evenOwners(members, count)
          const whole = members.reduce((sum, member) => sum + weightOf(member), 0)
          const mostOf = (member: string): number => Math.ceil((count * weightOf(member)) / whole)
          const loadOf = (member: string): number => owners.filter((owner) => owner === member).length
          for (const member of members) expect(loadOf(member)).toBeLessThanOrEqual(mostOf(member))
          expect(evenOwners(members.toReversed(), count)).toEqual(owners)
          // Stable: no member with room, and none with a shard that suits it less, has a higher hash than the owner.
          for (const [shard, owner] of owners.entries())
            for (const other of members) {
              const hash = hashOfMember(other, shard)
              if (hash <= hashOfMember(owner, shard)) continue
              expect(loadOf(other)).toBe(mostOf(other))
              const least = Math.min(
                ...owners.flatMap((each, i) => (each === other ? [hashOfMember(other, i)] : [])),
              )
              expect(hash).toBeLessThanOrEqual(least)
            }
        },
      ),
      seeded(100),
    )
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
