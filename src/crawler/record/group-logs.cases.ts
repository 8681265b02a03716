/** The guarantees of every log. Each case opens its own logs: `open` claims the same log again. */
import { expect } from 'vitest'
import type { GroupLog } from './group-log.ts'

export interface GroupLogCase {
  readonly guarantee: string
  readonly run: (open: () => Promise<GroupLog>) => Promise<void>
}

/** A group of this many bytes, different for each number. */
export function groupOf(number: number, length = 1 + (number % 300)): Uint8Array {
  const group = new Uint8Array(length)
  for (let i = 0; i < length; i++) group[i] = number * 31 + i * 7 + (number >> 8)
  return group
}

export async function groupsOf(log: Pick<GroupLog, 'read'>, after = 0): Promise<Uint8Array[]> {
  const groups: Uint8Array[] = []
  for await (const { bytes } of log.read(after)) groups.push(Uint8Array.from(bytes))
  return groups
}

export const numbered = (count: number, from = 1): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => groupOf(from + i))

async function appendAll(log: GroupLog, groups: readonly Uint8Array[]): Promise<void> {
  for (const group of groups) await log.append(group)
}

export const groupLogCases: readonly GroupLogCase[] = [
  {
    guarantee: 'an empty log has no groups',
    async run(open) {
      const log = await open()
      expect(log.last).toBe(0)
      expect(await groupsOf(log)).toEqual([])
      await log.close()
    },
  },
  {
    guarantee: 'groups come back as they were, in their order, numbered from 1',
    async run(open) {
      const log = await open()
      await appendAll(log, numbered(400))
      expect(log.last).toBe(400)
      expect(await groupsOf(log)).toEqual(numbered(400))
      const numbers: number[] = []
      for await (const { number } of log.read(0)) numbers.push(number)
      expect(numbers).toEqual(Array.from({ length: 400 }, (_, i) => i + 1))
      await log.close()
    },
  },
  {
    guarantee: 'reading after a number gives the groups beyond it and no others',
    async run(open) {
      const log = await open()
      await appendAll(log, numbered(50))
      expect(await groupsOf(log, 20)).toEqual(numbered(30, 21))
      expect(await groupsOf(log, 50)).toEqual([])
      await log.close()
    },
  },
  {
    guarantee: 'a reading gives the groups that were there when it began',
    async run(open) {
      const log = await open()
      await appendAll(log, numbered(10))
      const reading = log.read(0)[Symbol.asyncIterator]()
      expect(Uint8Array.from((await reading.next()).value.bytes as Uint8Array)).toEqual(groupOf(1))
      await log.append(groupOf(11))
      let count = 1
      while ((await reading.next()).done !== true) count++
      expect(count).toBe(10)
      expect(await groupsOf(log)).toEqual(numbered(11))
      await log.close()
    },
  },
  {
    guarantee: 'an empty group and one of eight million bytes are kept',
    async run(open) {
      const log = await open()
      const large = groupOf(3, 8_000_000)
      await appendAll(log, [new Uint8Array(0), large, groupOf(5)])
      const groups = await groupsOf(log)
      expect(groups.map(({ length }) => length)).toEqual([0, 8_000_000, groupOf(5).length])
      expect(Buffer.compare(groups[1], large)).toBe(0)
      await log.close()
    },
  },
  {
    guarantee: 'a log that is opened again goes on after its last group, with another writer',
    async run(open) {
      for (let round = 0; round < 4; round++) {
        const log = await open()
        expect(log.last).toBe(round * 20)
        await appendAll(log, numbered(20, round * 20 + 1))
        await log.close()
      }
      const log = await open()
      expect(await groupsOf(log)).toEqual(numbered(80))
      const writers = new Set<string>()
      for await (const { writer } of log.read(0)) writers.add(writer)
      expect(writers.size).toBe(4)
      await log.close()
    },
  },
  {
    guarantee: 'a writer is fenced once another has claimed the log: none of its later groups counts',
    async run(open) {
      const first = await open()
      await appendAll(first, numbered(5))
      const second = await open()
      await expect(first.append(groupOf(99))).rejects.toMatchObject({ code: 'FENCED' })
      await expect(first.append(groupOf(99))).rejects.toMatchObject({ code: 'FENCED' })
      await second.append(groupOf(6))
      await first.close()
      await second.append(groupOf(7))
      expect(await groupsOf(second)).toEqual(numbered(7))
      await second.close()
    },
  },
  {
    guarantee: 'a closed log refuses further groups',
    async run(open) {
      const log = await open()
      await log.append(groupOf(1))
      await log.close()
      await expect(log.append(groupOf(2))).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    },
  },
]
