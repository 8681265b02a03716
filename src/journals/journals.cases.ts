/** What every journal keeps to, whatever stands behind it. Each case is given a new, empty one. */
import { expect } from 'vitest'
import type { Journal } from '../engine/journal.ts'

export interface JournalCase {
  readonly guarantee: string
  readonly run: (journal: Journal) => Promise<void>
}

/** A batch of this many bytes, all told apart from those of other numbers. */
export function batchOf(number: number, length = 1 + (number % 300)): Uint8Array {
  const batch = new Uint8Array(length)
  for (let i = 0; i < length; i++) batch[i] = number * 31 + i * 7 + (number >> 8)
  return batch
}

export async function batchesOf(journal: Journal): Promise<Uint8Array[]> {
  const batches: Uint8Array[] = []
  for await (const batch of journal.read()) batches.push(Uint8Array.from(batch))
  return batches
}

const numbered = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => batchOf(i))

export const journalCases: readonly JournalCase[] = [
  {
    guarantee: 'an empty journal has no batches and nothing to flush',
    async run(journal) {
      await journal.flushed()
      expect(await batchesOf(journal)).toEqual([])
    },
  },
  {
    guarantee: 'batches come back as they were and in their order, beyond one byte of number',
    async run(journal) {
      for (const batch of numbered(1000)) journal.append(batch)
      await journal.flushed()
      expect(await batchesOf(journal)).toEqual(numbered(1000))
    },
  },
  {
    guarantee: 'batches appended while others are written keep their order, and each flush waits for its own',
    async run(journal) {
      const flushes: Promise<void>[] = []
      for (let i = 0; i < 300; i++) {
        journal.append(batchOf(i))
        flushes.push(journal.flushed())
        if (i % 7 === 0) await new Promise(setImmediate)
        if (i % 50 === 0) await journal.flushed()
      }
      await Promise.all(flushes)
      expect(await batchesOf(journal)).toEqual(numbered(300))
    },
  },
  {
    guarantee: 'a reading gives all that was appended before it, flushed or not',
    async run(journal) {
      for (const batch of numbered(20)) journal.append(batch)
      expect(await batchesOf(journal)).toEqual(numbered(20))
      journal.append(batchOf(20))
      expect(await batchesOf(journal)).toEqual(numbered(21))
    },
  },
  {
    guarantee: 'an empty batch and one of eight million bytes are kept',
    async run(journal) {
      const large = batchOf(3, 8_000_000)
      journal.append(new Uint8Array(0))
      journal.append(large)
      journal.append(batchOf(5))
      await journal.flushed()
      const batches = await batchesOf(journal)
      expect(batches.map(({ length }) => length)).toEqual([0, 8_000_000, batchOf(5).length])
      expect(Buffer.compare(batches[1], large)).toBe(0)
    },
  },
  {
    guarantee: 'two readings at a time do not disturb each other, and one may be left early',
    async run(journal) {
      for (const batch of numbered(100)) journal.append(batch)
      const first = journal.read()[Symbol.asyncIterator]()
      const next = async (): Promise<number[]> => [...((await first.next()).value as Uint8Array)]
      expect(await next()).toEqual([...batchOf(0)])
      expect(await batchesOf(journal)).toEqual(numbered(100))
      expect(await next()).toEqual([...batchOf(1)])
      await first.return?.()
      journal.append(batchOf(100))
      expect(await batchesOf(journal)).toEqual(numbered(101))
    },
  },
  {
    guarantee: 'a closed journal refuses further facts',
    async run(journal) {
      journal.append(batchOf(0))
      await journal.close()
      expect(() => journal.append(batchOf(1))).toThrow(
        expect.objectContaining({
          code: 'FILE_UNWRITABLE',
          message: expect.stringContaining('is closed') as string,
        }),
      )
    },
  },
]
