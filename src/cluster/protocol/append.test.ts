import { describe, expect, it } from 'vitest'
import { afterAnswer, afterLastRecord, recordId } from './append.ts'

const record = { writer: 'a.1', group: 3, after: 10, bytes: new Uint8Array(0) }

describe('an append', () => {
  it('is sent again where no answer came', () => {
    expect(afterAnswer({ kind: 'unknown' })).toEqual({ kind: 'send' })
  })

  it('is done where the log has stored it, now or before', () => {
    expect(afterAnswer({ kind: 'stored', sequence: 11 })).toEqual({ kind: 'done', sequence: 11 })
    // The log has forgotten its id, and refuses it because it is there already.
    expect(afterAnswer({ kind: 'refused' })).toEqual({ kind: 'read-last' })
    expect(afterLastRecord(record, { sequence: 11, writer: 'a.1', group: 3 })).toEqual({
      kind: 'done',
      sequence: 11,
    })
  })

  it('is fenced where another writer has appended, even a group of the same number', () => {
    expect(afterLastRecord(record, { sequence: 11, writer: 'b.1', group: 3 })).toEqual({ kind: 'fenced' })
    expect(afterLastRecord(record, { sequence: 11, writer: 'a.1', group: 2 })).toEqual({ kind: 'fenced' })
    expect(afterLastRecord(record, undefined)).toEqual({ kind: 'fenced' })
  })

  it('reads the last record again where it could not be read', () => {
    expect(afterLastRecord(record, 'unknown')).toEqual({ kind: 'read-last' })
  })

  it('has an id that names its writer', () => {
    expect(recordId(record)).not.toBe(recordId({ ...record, writer: 'b.1' }))
  })
})
