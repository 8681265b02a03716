import { describe, expect, it } from 'vitest'
import { ControlState, type ControlCommand } from '../protocol/control.ts'
import type { ShardHead } from '../protocol/shard-group.ts'
import { LostEnds } from './lost-ends.ts'

const headOf = (change: Partial<ShardHead> = {}): ShardHead =>
  ({ cut: 0, applied: [0, 0], control: 0, returned: 0, ...change }) as ShardHead

function stateAfter(...messages: readonly ControlCommand[]): ControlState {
  const state = new ControlState('news', 1, {
    kind: 'settings',
    format: 1,
    shards: 2,
    replicas: 1,
    seeds: ['https://a.example/'],
    trust: [1],
    settings: {},
    createdAt: '2026-11-16T00:00:00.000Z',
  })
  messages.forEach((message, i) => state.apply(i + 2, message))
  return state
}

describe('streams that have lost their ends', () => {
  it('are a journal without a cut that another shard has applied', () => {
    const ends = new LostEnds()
    const state = stateAfter()
    ends.check([headOf({ cut: 4 }), headOf({ applied: [4, 0] })], state)
    ends.check([headOf({ cut: 4 }), headOf({ applied: [4, 0] })], state)
    expect(() => ends.check([headOf({ cut: 3 }), headOf({ applied: [4, 0] })], state)).toThrow(
      /journal of shard 0 has lost its end: shard 1 has applied its message 4, the journal has 3.*power failure/,
    )
  })

  it('are a journal without pages given back that a grant counts', () => {
    const ends = new LostEnds()
    const grant: ControlCommand = { kind: 'grant', pages: [[0, 5]], returned: [0, 7] }
    // A head that was read before the grant may be older than the one that the grant was made by.
    ends.check([headOf(), headOf({ returned: 2 })], stateAfter(grant))
    expect(() => ends.check([headOf(), headOf({ returned: 6 })], stateAfter(grant))).toThrow(
      /journal of shard 1 has lost its end: a grant counts 7 pages as given back, the journal has 6/,
    )
    // What this worker has stored itself may not be the last group of the shard.
    expect(ends.check([headOf(), headOf({ returned: 6 })], stateAfter(grant), false)).toBe(false)
    expect(ends.check([headOf(), headOf({ returned: 7 })], stateAfter(grant), false)).toBe(true)
  })

  it('are a control stream without a command that a shard has obeyed', () => {
    const ends = new LostEnds()
    ends.check([headOf({ control: 2 }), undefined], stateAfter({ kind: 'pause' }))
    expect(() => ends.check([headOf({ control: 3 }), undefined], stateAfter({ kind: 'pause' }))).toThrow(
      /control stream of the crawl news has lost its end: shard 0 has obeyed message 3, the stream has 2/,
    )
  })
})
