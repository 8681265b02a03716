/** Groups of the record are written in order, and none after one that was lost. */
import { expect, it } from 'vitest'
import { GroupWriter } from '../src/crawler/session/group-writer.ts'
import { GroupBytes } from '../src/crawler/record/group.ts'
import type { RecordWriter } from '../src/crawler/record/record-writer.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'

/** A group without sections. */
const noGroup = new GroupBytes(new Uint8Array(8))

function writerThat(write: (facts: Uint8Array) => Promise<void>) {
  const facts = new FactWriter()
  const broken: Error[] = []
  const record: Pick<RecordWriter, 'append'> = { append: (bytes) => write(bytes).then(() => noGroup) }
  const groups = new GroupWriter({
    record: record as RecordWriter,
    facts,
    closeGroup: (group) => Promise.resolve(group.facts),
    broken: (error) => void broken.push(error),
  })
  return { groups, facts, broken }
}

it('a group that cannot be written is the last: a later one would leave a gap', async () => {
  let commits = 0
  const { groups, facts, broken } = writerThat(() =>
    commits++ === 0 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(),
  )
  // Enough for a group to be closed at once.
  for (let i = 0; i < 1 << 20; i++) facts.seed(1 << 28)
  groups.touch()
  await groups.written
  expect(broken.map(({ message }) => message)).toEqual(['the disk is full'])
  facts.seed(1)
  await expect(groups.flushed()).rejects.toThrow('the disk is full')
  expect(commits).toBe(1)
  groups.stop()
})

it('facts that arrive while a group is written are in the next group', async () => {
  const written: number[] = []
  const { groups, facts } = writerThat(async (bytes) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    written.push(bytes.length)
  })
  for (let i = 0; i < 1 << 20; i++) facts.seed(1 << 28)
  const first = facts.length
  groups.touch()
  facts.seed(1)
  expect(groups.isBehind).toBe(false)
  await groups.flushed()
  expect(written).toEqual([first, 2])
  groups.stop()
})

it('progress is written no more often than the given time allows, and with the last group', async () => {
  const facts = new FactWriter()
  const written: boolean[] = []
  const record: Pick<RecordWriter, 'append'> = { append: () => Promise.resolve(noGroup) }
  const groups = new GroupWriter({
    record: record as RecordWriter,
    facts,
    closeGroup(group) {
      written.push(group.progress !== undefined)
      return Promise.resolve(group.facts)
    },
    progress: () => ({}),
    progressMs: 1e9,
    broken: () => {},
  })
  for (const isLast of [false, false, false, true]) {
    facts.seed(1)
    await groups.flushed(isLast)
  }
  expect(written).toEqual([true, false, false, true])
})
