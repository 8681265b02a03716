/** The figures of a timed crawl: duration, volume, utilisation, and totals by hour and by day. */
import { waitedShare, type ConnectionTime } from '../../engine/connection-time.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { StepSeries, SeriesPoint } from './step-series.ts'
import type { TimeLog } from './time-log.ts'

export interface TimeSummary {
  /** Seconds until the last connection ended. */
  readonly total: number
  /** All bytes transferred, including robots.txt files. */
  readonly bytes: number
  readonly pages: number
  readonly failed: number
  readonly robotsTxtFiles: number
  readonly robotsTxtBytes: number
  readonly connections: number
  /**
   * Seconds, and the number of active robots from then on; an average if there were too many changes to list.
   */
  readonly activeConnections: SeriesPoint[]
  readonly activeConnectionsMean: number
  /** Share of the whole time that each robot had no connection. */
  readonly idleShare: number[]
  /** Seconds and bytes a second. */
  readonly bandwidthUsed: SeriesPoint[]
  readonly bandwidthUsedMean: number
  /** Share of the capacity of the link; null if it is unlimited. */
  readonly bandwidthUtilisation: number | null
  /** Number of pages fetched and seconds, after each hundredth of the pages. */
  readonly course: (readonly [pages: number, seconds: number])[]
  /** With patience: share of the connection time in which connections stayed free although a page could have been requested (S73). */
  readonly waitedForBetter?: number | undefined
  readonly hours: Periods
  readonly days: Periods
}

/** The i-th number belongs to the i-th hour or day; a page fetched at its very end belongs to it. */
export interface Periods {
  readonly seconds: number
  readonly pages: number[]
  readonly bytes: number[]
  /** The importance of all pages fetched by the end of the period. Absent if importance is unknown. */
  readonly cumulativeImportance?: number[]
}

interface TimeSummaryOptions {
  /** Bytes a second of the link; Infinity where it has no limit. */
  readonly bandwidth: number
  /** The importance of a page, by its number in the crawl. */
  readonly importance?: ((page: number) => number) | undefined
  /** Maximum number of points of a series. Default: 1,000. */
  readonly pointsMax?: number | undefined
  /** With patience. */
  readonly connectionTime?: ConnectionTime | undefined
}

export function timeSummary(log: TimeLog, options: TimeSummaryOptions): TimeSummary {
  const { bandwidth, importance, pointsMax = 1000 } = options
  const total = log.end
  checkDuration(total)
  const mean = (series: StepSeries): number => (total === 0 ? 0 : series.area(total) / total)
  const waitedForBetter = waitedShare(options.connectionTime?.until(total))
  const bandwidthUsedMean = mean(log.bandwidthUsed)
  return {
    total,
    bytes: log.bytes,
    pages: log.pages,
    failed: log.failed,
    robotsTxtFiles: log.robotsTxtFiles,
    robotsTxtBytes: log.robotsTxtBytes,
    connections: log.connections,
    activeConnections: log.activeConnections.points(total, pointsMax),
    activeConnectionsMean: mean(log.activeConnections),
    idleShare: Array.from(log.busySeconds, (busy) => (total === 0 ? 0 : Math.max(0, 1 - busy / total))),
    bandwidthUsed: log.bandwidthUsed.points(total, pointsMax),
    bandwidthUsedMean,
    bandwidthUtilisation: bandwidth === Infinity ? null : bandwidthUsedMean / bandwidth,
    course: courseOf(log),
    ...(waitedForBetter === undefined ? {} : { waitedForBetter }),
    hours: periods(log, 3600, importance),
    days: periods(log, 86_400, importance),
  }
}

/** A crawl that takes longer has wrong sizes, waits or speeds, and too many hours to list. */
const yearsMax = 1000
const yearSeconds = 365 * 86_400

function checkDuration(seconds: number): void {
  if (seconds <= yearsMax * yearSeconds) return
  throw new RankwardError(
    'USAGE',
    `The simulated crawl takes more than ${yearsMax} years (${(seconds / yearSeconds).toPrecision(3)}). Check the waits, crawl-delays, page sizes, latencies and bandwidths.`,
  )
}

function courseOf(log: TimeLog): TimeSummary['course'] {
  const points = Math.min(100, log.pages)
  return Array.from({ length: points }, (_, i) => {
    const pages = Math.round(((i + 1) * log.pages) / points)
    return [pages, log.secondsAt(pages - 1)]
  })
}

function periods(log: TimeLog, seconds: number, importance: ((page: number) => number) | undefined): Periods {
  const count = Math.max(1, Math.ceil(log.end / seconds))
  const pages = new Array<number>(count).fill(0)
  const bytes = new Array<number>(count).fill(0)
  const cumulativeImportance = new Array<number>(count).fill(0)
  let sum = 0
  let period = 0
  for (let i = 0; i < log.pages; i++) {
    while (log.secondsAt(i) > (period + 1) * seconds) cumulativeImportance[period++] = sum
    pages[period]++
    bytes[period] += log.bytesAt(i)
    if (importance !== undefined) sum += importance(log.pageAt(i))
  }
  cumulativeImportance.fill(sum, period)
  return { seconds, pages, bytes, ...(importance === undefined ? {} : { cumulativeImportance }) }
}
