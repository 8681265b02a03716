import { SegmentFiles } from './segment-files.ts'
import type { SnapshotFiles, SnapshotPoint } from './snapshot-files.ts'

/** The complete snapshots that belong to this log, newest first. */
export async function usableSnapshots(snapshots: SnapshotFiles, logFolder: string): Promise<SnapshotPoint[]> {
  const files = new SegmentFiles(logFolder)
  const usable: SnapshotPoint[] = []
  for (const group of snapshots.groups()) {
    const point = snapshots.check(group)
    if (point !== undefined && (await files.has(group, point.writer))) usable.push(point)
  }
  files.close()
  return usable
}
