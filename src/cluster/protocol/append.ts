/**
 * The recipe for an append to a shared log: whatever happens to requests and responses, the writer learns whether its record
 * was stored, and a record is stored once or not at all.
 *
 * | answer | next |
 * | --- | --- |
 * | stored, also as a duplicate | done |
 * | no answer, no leader, disconnected | send the same record again, with the same id |
 * | refused: the log has another last sequence | read the last record from the leader: done if it is this one, otherwise fenced |
 *
 * The id of a record names its writer. With an id of the group alone, a stale writer would take the record of the new owner for
 * its own.
 */
export interface AppendRecord {
  readonly writer: string
  readonly group: number
  /** The sequence that the record must follow. */
  readonly after: number
  readonly bytes: Uint8Array
}

/** The id by which a log recognises a record that it has stored before. */
export function recordId({ writer, group }: Pick<AppendRecord, 'writer' | 'group'>): string {
  return `${writer}.${group}`
}

export type AppendAnswer =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' }

/** The last record of a log; undefined if the log is empty. `unknown` if it could not be read. */
export type LastRecord =
  | { readonly sequence: number; readonly writer: string; readonly group: number }
  | undefined
  | 'unknown'

export type AppendStep =
  | { readonly kind: 'send' }
  | { readonly kind: 'read-last' }
  | { readonly kind: 'done'; readonly sequence: number }
  | { readonly kind: 'fenced' }

export function afterAnswer(answer: AppendAnswer): AppendStep {
  if (answer.kind === 'stored') return { kind: 'done', sequence: answer.sequence }
  return { kind: answer.kind === 'refused' ? 'read-last' : 'send' }
}

export function afterLastRecord(record: AppendRecord, last: LastRecord): AppendStep {
  if (last === 'unknown') return { kind: 'read-last' }
  return last !== undefined && last.writer === record.writer && last.group === record.group
    ? { kind: 'done', sequence: last.sequence }
    : { kind: 'fenced' }
}
