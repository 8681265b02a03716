import { describe, expect, it } from 'vitest'
import type { JournalGroup } from '../jetstream/jetstream-journal.ts'
import { upTo } from './snapshot-store.ts'

async function* journal(...sequences: number[]): AsyncGenerator<JournalGroup> {
  for (const sequence of sequences) {
    yield await Promise.resolve({ sequence, writer: 'w', group: sequence, bytes: new Uint8Array(0) })
  }
}

async function packed(last: number, groups: AsyncIterable<JournalGroup>): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence } of upTo(last, groups)) sequences.push(sequence)
  return sequences
}

describe('the groups of a pack', () => {
  it('end with the last one', async () => {
    expect(await packed(3, journal(1, 2, 3, 4))).toEqual([1, 2, 3])
    expect(await packed(3, journal(1, 2, 4))).toEqual([1, 2])
  })

  it('are not packed if the journal ends before it', async () => {
    await expect(packed(3, journal(1, 2))).rejects.toMatchObject({ code: 'BAD_STREAM' })
  })
})
