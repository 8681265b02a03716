/**
 * Checks the snapshots: each is complete, and belongs to a group of the record. A resume does without a damaged one, so
 * it is removed to repair it.
 */
import { plural } from '../../../lib/amounts.ts'
import { rmSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { SegmentFiles } from '../../record/segment-files.ts'
import { SnapshotFiles } from '../../record/snapshot-files.ts'
import type { PartFindings } from './findings.ts'

/** `isWhole`: whether the record could be read up to its end. */
export async function checkSnapshots(
  findings: PartFindings,
  folder: CrawlFolder,
  isWhole: boolean,
): Promise<void> {
  const snapshots = new SnapshotFiles(folder.snapshots)
  const files = new SegmentFiles(folder.log)
  try {
    for (const group of snapshots.groups()) {
      const path = snapshots.path(group)
      const found = statSync(path, { throwIfNoEntry: false })
      // A running crawl has replaced it.
      if (found === undefined) continue
      findings.files++
      findings.bytes += found.size
      const point = snapshots.check(group)
      const isKnown = point === undefined || !isWhole || (await files.has(group, point.writer))
      if (point !== undefined && isKnown) continue
      const name = relative(folder.path, path)
      const what =
        point === undefined
          ? 'It is damaged. A resume uses another one, or the whole record.'
          : 'It belongs to no group of the record. A resume does not use it.'
      findings.damaged(
        name,
        what,
        snapshots.mayRemove(group) ? () => Promise.resolve(rmSync(path)) : undefined,
      )
    }
  } finally {
    files.close()
  }
  if (findings.files > 0) findings.checked = plural(findings.files, 'snapshot')
}
