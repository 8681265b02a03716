/** Compacts the record of a crawl that is not running. */
import { existsSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import { callback, checkOptions, type OptionChecks } from '../../lib/option-checks.ts'
import type { Progress } from '../../lib/progress.ts'
import { compactRecord, type CompactResult } from './compaction.ts'
import { CrawlFolder } from './crawl-folder.ts'
import { WriterLock } from './writer-lock.ts'

export interface CompactOptions {
  /** Called with the number of groups that have been read, and of all groups once it is known. */
  readonly progress?: Progress | undefined
}

const checks: OptionChecks<CompactOptions> = { progress: callback }

/**
 * Rewrites the record of the crawl in this folder in less space. Pages, versions, looks, facts and settings are kept;
 * the crawl resumes as it would have without. The WARC files are not changed.
 */
export async function compact(path: string, options: CompactOptions = {}): Promise<CompactResult> {
  checkOptions('compact', options, checks)
  const { record, groupsMin } = CrawlFolder.open(path)
  if (!existsSync(record)) return { bytesBefore: 0, bytesAfter: 0, groups: 0 }
  const lock = lockOf(record, path)
  try {
    return await compactRecord(record, { ...options, groupsMin })
  } finally {
    lock.release()
  }
}

function lockOf(record: string, path: string): WriterLock {
  try {
    return WriterLock.take(record)
  } catch (error) {
    const pid = WriterLock.runningIn(record)
    if (!(error instanceof RankwardError) || error.code !== 'CRAWL_RUNNING' || pid === undefined) throw error
    throw new RankwardError(
      'CRAWL_RUNNING',
      `The crawl in ${path} is running (process ${pid}). Stop it (Ctrl-C or SIGTERM), compact it, then continue it: rankward resume ${path}`,
      { cause: error },
    )
  }
}
