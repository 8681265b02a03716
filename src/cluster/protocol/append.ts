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

/** A log that several writers append to. */
interface SharedLog {
  send(record: AppendRecord): Promise<AppendAnswer>
  /** The last record, from the leader of the log. */
  last(): Promise<LastRecord>
}

/**
 * Appends a record, however long it takes. Returns its sequence; undefined if another writer has appended. `pause` precedes each repeated
 * request.
 */
export async function appendTo(
  log: SharedLog,
  record: AppendRecord,
  pause: () => Promise<void>,
): Promise<number | undefined> {
  for (;;) {
    const answer = await log.send(record)
    if (answer.kind === 'stored') return answer.sequence
    if (answer.kind === 'refused') break
    await pause()
  }
  for (;;) {
    const last = await log.last()
    if (last !== 'unknown')
      return last?.writer === record.writer && last.group === record.group ? last.sequence : undefined
    await pause()
  }
}
