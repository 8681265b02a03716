import { describe, expect, it } from 'vitest'
import { MessageWriter } from '../protocol/message.ts'
import type { HeldShard } from './held-shard.ts'
import { LinkReader } from './link-reader.ts'
import type { LinksRead, WorkerStreams } from './ports.ts'

/** A shard that applies every message, and notes their positions. */
function shardAt(position: number): { readonly shard: HeldShard; readonly received: number[] } {
  const received: number[] = []
  const state = {
    position,
    isSeeded: true,
    applied: [0],
    receive: (bytes: Uint8Array) => {
      received.push(bytes.length)
      return 'apply'
    },
  }
  return { shard: { shard: state, owner: { isOwning: true } } as unknown as HeldShard, received }
}

/** Reads once. The log has `end` messages, of which a read returns the first `most` after a position. */
async function readOnce(shards: readonly HeldShard[], end: number, most: number): Promise<void> {
  const read = (after: number): Promise<LinksRead> => {
    const from = after > end ? 0 : after
    const count = Math.min(most, end - from)
    const positions = Array.from({ length: count }, (_, i) => from + 1 + i)
    const messages = positions.map((number) => new MessageWriter().bytes(0, number))
    return Promise.resolve({ messages, positions, position: from + count, end })
  }
  const failed = (error: unknown): void => {
    throw error
  }
  const streams = { links: { read }, askAgain: () => {} } as unknown as WorkerStreams
  await new LinkReader(streams, failed, () => {}).read(shards)
}

describe('the links log', () => {
  it('is read on from the position of the shard that is furthest behind, and the others keep theirs', async () => {
    const behind = shardAt(10)
    const ahead = shardAt(95)
    await readOnce([behind.shard, ahead.shard], 100, 20)
    expect(behind.shard.shard.position).toBe(30)
    expect(ahead.shard.shard.position, 'a part of the log is not a log that has lost its end').toBe(95)
    for (let i = 0; i < 4; i++) await readOnce([behind.shard, ahead.shard], 100, 20)
    expect([behind, ahead].map(({ shard }) => shard.shard.position)).toEqual([100, 100])
    expect([behind, ahead].map(({ received }) => received.length)).toEqual([90, 5])
  })

  it('is read from its start again if it has lost messages', async () => {
    const { shard, received } = shardAt(95)
    await readOnce([shard], 40, 20)
    expect(shard.shard.position).toBe(0)
    for (let i = 0; i < 2; i++) await readOnce([shard], 40, 20)
    expect(shard.shard.position).toBe(40)
    expect(received).toHaveLength(40)
  })
})
