/**
 * The durable groups of a crawl, in order. A log has one writer at a time and any number of readers. Groups
 * are numbered from 1; their contents are opaque here (see group.ts).
 *
 * Two implementations: segment files on local disk (segment-log.ts) and memory (memory-log.cases.ts, for tests). One
 * table of cases tests both.
 */
import { RankwardError } from '../../lib/errors.ts'
import type { SectionName } from './group.ts'

/** The position of a group's bytes, for logs with random access. */
export interface GroupPlace {
  readonly segment: number
  /** Of the first byte of the group. */
  readonly offset: number
}

export interface StoredGroup extends GroupPlace {
  readonly number: number
  /** In a packed segment: the positions of the sections that can be read individually. They are not within the group. */
  readonly starts?: SectionStarts | undefined
  /** The writer that appended it: random, new at each claim. */
  readonly writer: string
  readonly bytes: Uint8Array
}

type SectionStarts = Readonly<Partial<Record<SectionName, number>>>

export interface GroupLog {
  /** The number of the last group; 0 if the log is empty. */
  readonly last: number
  /**
   * Appends the next group; the previous call must have settled. Durable once it resolves. Rejects with
   * `FENCED` if another writer has claimed the log, and with `FILE_UNWRITABLE` if the group cannot be stored;
   * then all further appends reject.
   */
  append(group: Uint8Array): Promise<GroupPlace>
  /** All groups after this number, in order, up to the last one at the time of the call. */
  read(after: number): AsyncIterable<StoredGroup>
  close(): Promise<void>
}

export function fenced(log: string): RankwardError {
  return new RankwardError(
    'FENCED',
    `Another process has taken over the crawl in ${log}: this one has stopped and recorded nothing more.`,
  )
}
