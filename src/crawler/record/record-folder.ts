/**
 * The folder of a record: its contents and its removal. Only files whose content proves that they belong to a
 * record are removed.
 *
 *   lock         the process that runs the crawl (writer-lock.ts)
 *   log/         segments of groups (segment-log.ts)
 *   snapshots/   states to resume from (snapshot-files.ts)
 */
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SegmentFiles } from './segment-files.ts'
import { SnapshotFiles } from './snapshot-files.ts'
import { WriterLock } from './writer-lock.ts'

export const logIn = (folder: string): string => join(folder, 'log')
export const snapshotsIn = (folder: string): string => join(folder, 'snapshots')

/** Whether nothing was ever recorded. Throws `CRAWL_RUNNING` while a process runs the crawl. */
export async function recordIsEmpty(folder: string): Promise<boolean> {
  WriterLock.checkFree(folder)
  for await (const _ of new SegmentFiles(logIn(folder)).groups(0)) return false
  return true
}

/** Removes the record's own files, and the folders that are then empty. */
export function removeRecord(folder: string): void {
  const segments = new SegmentFiles(logIn(folder))
  for (const segment of segments.numbers()) if (segments.isOwn(segment)) rmSync(segments.path(segment))
  segments.removeUnfinished()
  const snapshots = new SnapshotFiles(snapshotsIn(folder))
  for (const group of snapshots.groups()) if (snapshots.isOwn(group)) rmSync(snapshots.path(group))
  snapshots.removeUnfinished()
  for (const each of [logIn(folder), snapshotsIn(folder), folder]) removeIfEmpty(each)
}

function removeIfEmpty(folder: string): void {
  try {
    if (readdirSync(folder).length === 0) rmdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
