/**
 * The status of a crawl as of its last durable group. It is read from the end of the record, so the cost does
 * not depend on the size, and the crawl may be running.
 */
import { GroupBytes } from '../record/group.ts'
import { SegmentFiles } from '../record/segment-files.ts'
import { WriterLock } from '../record/writer-lock.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'

/** Rates are averages over this time, or over the session if that is shorter. */
const rateMs = 60_000

export interface CrawlStatus {
  readonly folder: string
  /** The process that runs the crawl; undefined if none does. */
  readonly pid: number | undefined
  readonly startedAt: string
  /** When the last group was recorded, in ISO format; undefined if there is none. */
  readonly asOf: string | undefined
  /** As of that time. */
  readonly progress: CrawlProgress | undefined
  /** Over the last minute before that time. */
  readonly pagesPerSecond: number | undefined
  readonly bytesPerSecond: number | undefined
  /** Why the crawl ended; undefined if it is running or was interrupted. */
  readonly stoppedBecause: CrawlTotals['stoppedBecause'] | undefined
}

/** The progress of the crawl in this folder. */
export function status(path: string): CrawlStatus {
  const folder = CrawlFolder.open(path)
  const pid = WriterLock.runningIn(folder.record)
  const files = new SegmentFiles(folder.log)
  try {
    const last = lastMoment(files)
    const before = last && earlierMoment(files, last)
    const seconds = (last?.progress?.seconds ?? 0) - (before?.progress?.seconds ?? 0)
    const rate = (of: 'pages' | 'bytes'): number | undefined =>
      seconds > 0 ? ((last?.progress?.[of] ?? 0) - (before?.progress?.[of] ?? 0)) / seconds : undefined
    return {
      folder: path,
      pid,
      startedAt: folder.file.startedAt,
      asOf: last && new Date(last.at).toISOString(),
      progress: last?.progress,
      pagesPerSecond: rate('pages'),
      bytesPerSecond: rate('bytes'),
      stoppedBecause: pid === undefined ? folder.file.totals?.stoppedBecause : undefined,
    }
  } finally {
    files.close()
  }
}

interface Moment {
  readonly at: number
  readonly progress: CrawlProgress | undefined
}

/** The newest group that has progress; without one, the last group. */
function lastMoment(files: SegmentFiles): Moment | undefined {
  let last: Moment | undefined
  for (const group of files.newest((each) => momentOf(each).progress === undefined)) {
    const moment = momentOf(group)
    if (moment.progress !== undefined) return moment
    last ??= moment
  }
  return last
}

/** One minute earlier, or the start of the session. */
function earlierMoment(files: SegmentFiles, last: Moment): Moment {
  let earlier = last
  for (const group of files.newest((each) => momentOf(each).at > last.at - rateMs)) {
    const moment = momentOf(group)
    if (moment.progress !== undefined) earlier = moment
  }
  return earlier
}

function momentOf(group: Uint8Array): Moment {
  const bytes = new GroupBytes(group)
  return { at: bytes.at, progress: bytes.json('progress') as CrawlProgress | undefined }
}
