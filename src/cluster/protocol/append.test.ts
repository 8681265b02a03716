import { describe, expect, it } from 'vitest'
import { appendTo, recordId, type AppendAnswer, type LastRecord } from './append.ts'

const record = { writer: 'a.1', group: 3, after: 10, bytes: new Uint8Array(0) }
const unknown: AppendAnswer = { kind: 'unknown' }
const refused: AppendAnswer = { kind: 'refused' }

/** Appends the record to a log that gives these answers, in order. */
async function appended(
  answers: AppendAnswer[],
  lasts: LastRecord[] = [],
): Promise<{ sequence: number | undefined; pauses: number }> {
  let pauses = 0
  const log = {
    send: () => Promise.resolve(answers.shift()!),
    last: () => Promise.resolve(lasts.shift()),
  }
  const sequence = await appendTo(log, record, () => {
    pauses++
    return Promise.resolve()
  })
  expect([...answers, ...lasts]).toEqual([])
  return { sequence, pauses }
}

describe('an append', () => {
  it('is sent again after a pause where no answer came', async () => {
    const stored: AppendAnswer = { kind: 'stored', sequence: 11 }
    expect(await appended([unknown, unknown, stored])).toEqual({ sequence: 11, pauses: 2 })
  })

  it('is done where the log has stored it before, has forgotten its id and refuses it', async () => {
    const own = { sequence: 11, writer: 'a.1', group: 3 }
    expect(await appended([unknown, refused], [own])).toEqual({ sequence: 11, pauses: 1 })
  })

  it.each<[string, LastRecord]>([
    ['another writer has appended a group of the same number', { sequence: 11, writer: 'b.1', group: 3 }],
    ['the last group is an earlier one of the writer', { sequence: 11, writer: 'a.1', group: 2 }],
    ['the log is empty', undefined],
  ])('is fenced where %s', async (_, last) => {
    expect(await appended([refused], [last])).toEqual({ sequence: undefined, pauses: 0 })
  })

  it('reads the last record again where it could not be read', async () => {
    const own = { sequence: 11, writer: 'a.1', group: 3 }
    expect(await appended([refused], ['unknown', own])).toEqual({ sequence: 11, pauses: 1 })
  })

  it('has an id that names its writer', () => {
    expect(recordId(record)).not.toBe(recordId({ ...record, writer: 'b.1' }))
  })
})
