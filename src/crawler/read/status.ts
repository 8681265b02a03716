/**
 * The status of a crawl as of its last durable group. It is read from the end of the record, so the cost does
 * not depend on the size, and the crawl may be running.
 */
import { recentProgress } from '../record/recent-progress.ts'
import { SegmentFiles } from '../record/segment-files.ts'
import { crawlState } from '../record/crawl-folder.ts'
import type { CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'
import { looksOf } from '../options/crawl-freshness.ts'

export interface CrawlStatus {
  readonly folder: string
  /** The process that runs the crawl; undefined if none does. */
  readonly pid: number | undefined
  readonly startedAt: string
  /** When the last group was recorded, in ISO format; undefined if there is none. */
  readonly asOf: string | undefined
  /** As of that time; of a crawl that has ended, with the coverage at its end. */
  readonly progress: CrawlProgress | undefined
  /** Over the last minute before that time. */
  readonly pagesPerSecond: number | undefined
  readonly bytesPerSecond: number | undefined
  /** Of new and held pages; undefined if every page is fetched once. */
  readonly looksPerSecond: number | undefined
  /** Why the crawl ended; undefined if it is running or was interrupted. */
  readonly stoppedBecause: CrawlTotals['stoppedBecause'] | undefined
}

/** The progress of the crawl in this folder. */
export function status(path: string): CrawlStatus {
  const { folder, pid, stoppedBecause } = crawlState(path)
  const files = new SegmentFiles(folder.log, folder.groupsMin)
  try {
    const { last, before } = recentProgress(files)
    const seconds = (last?.progress?.seconds ?? 0) - (before?.progress?.seconds ?? 0)
    const rate = (of: (progress: CrawlProgress) => number): number | undefined => {
      const at = (moment: typeof last): number => (moment?.progress === undefined ? 0 : of(moment.progress))
      return seconds > 0 ? (at(last) - at(before)) / seconds : undefined
    }
    const isContinuous = last?.progress?.freshness !== undefined
    return {
      folder: path,
      pid,
      startedAt: folder.file.startedAt,
      asOf: last && new Date(last.at).toISOString(),
      progress: progressAtEnd(last?.progress, pid === undefined ? folder.file.totals : undefined),
      pagesPerSecond: rate(({ pages }) => pages),
      bytesPerSecond: rate(({ bytes }) => bytes),
      looksPerSecond: isContinuous ? rate(looksOf) : undefined,
      stoppedBecause,
    }
  } finally {
    files.close()
  }
}

/**
 * The coverage at the end is computed anew, for every strategy: mass that was still moving when the last group was recorded is
 * held by then. `ended`: the totals, if the crawl has ended.
 */
export function progressAtEnd(
  progress: CrawlProgress | undefined,
  ended: CrawlTotals | undefined,
): CrawlProgress | undefined {
  return progress === undefined || ended === undefined
    ? progress
    : { ...progress, guaranteed: ended.coverage.share }
}
