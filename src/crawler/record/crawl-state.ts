/**
 * Whether a crawl runs, has ended or was interrupted: decided here for all that read its folder. A session takes the lock,
 * removes the totals of the one before from crawl.json, writes its own at its end, and then releases the lock.
 */
import type { StopReason } from '../../engine/engine-options.ts'
import { CrawlFolder } from './crawl-folder.ts'
import { WriterLock } from './writer-lock.ts'

export interface CrawlState {
  readonly folder: CrawlFolder
  /** The process that runs the crawl; undefined if none does. */
  readonly pid: number | undefined
  /** Why the last session ended; undefined if the crawl runs or was interrupted. */
  readonly stoppedBecause: StopReason | undefined
}

export function crawlState(path: string): CrawlState {
  // The lock comes first: a session that ends in between has its totals in crawl.json.
  const pid = WriterLock.runningIn(CrawlFolder.open(path).record)
  const folder = CrawlFolder.open(path)
  return { folder, pid, stoppedBecause: pid === undefined ? folder.file.totals?.stoppedBecause : undefined }
}
