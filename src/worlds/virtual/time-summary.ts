/** A timed crawl in figures: how long, how much, how busy; and what had come by each hour and each day. */
import type { StepSeries, SeriesPoint } from './step-series.ts'
import type { TimeLog } from './time-log.ts'

export interface TimeSummary {
  /** Seconds until the last connection ended. */
  readonly total: number
  /** All that was transferred, robots.txt files included. */
  readonly bytes: number
  readonly pages: number
  readonly failed: number
  readonly robotsTxtFiles: number
  readonly robotsTxtBytes: number
  readonly connections: number
  /** Seconds and how many robots were active from then on; a mean where there were too many changes to list. */
  readonly activeRobots: SeriesPoint[]
  readonly activeRobotsMean: number
  /** Of the whole time, the share that each robot had no connection. */
  readonly idleShare: number[]
  /** Seconds and bytes a second. */
  readonly bandwidthUsed: SeriesPoint[]
  readonly bandwidthUsedMean: number
  /** Of what the link could have carried; null where it has no limit. */
  readonly bandwidthUtilisation: number | null
  readonly hours: Periods
  readonly days: Periods
}

/** The i-th number belongs to the i-th hour or day; a page that came at its very end belongs to it. */
export interface Periods {
  readonly seconds: number
  readonly pages: number[]
  readonly bytes: number[]
  /** The importance of all that had come by the end of the period. Absent where no importance is known. */
  readonly cumulativeImportance?: number[]
}

export interface TimeSummaryOptions {
  /** Bytes a second of the link; Infinity where it has no limit. */
  readonly bandwidth: number
  /** The importance of a page, by its number in the crawl. */
  readonly importance?: ((page: number) => number) | undefined
  /** Of a series; 1,000 unless given. */
  readonly pointsMax?: number | undefined
}

export function timeSummary(log: TimeLog, options: TimeSummaryOptions): TimeSummary {
  const { bandwidth, importance, pointsMax = 1000 } = options
  const total = log.end
  const mean = (series: StepSeries): number => (total === 0 ? 0 : series.area(total) / total)
  const bandwidthUsedMean = mean(log.bandwidthUsed)
  return {
    total,
    bytes: log.bytes,
    pages: log.pages,
    failed: log.failed,
    robotsTxtFiles: log.robotsTxtFiles,
    robotsTxtBytes: log.robotsTxtBytes,
    connections: log.connections,
    activeRobots: log.activeRobots.points(total, pointsMax),
    activeRobotsMean: mean(log.activeRobots),
    idleShare: Array.from(log.busySeconds, (busy) => (total === 0 ? 0 : Math.max(0, 1 - busy / total))),
    bandwidthUsed: log.bandwidthUsed.points(total, pointsMax),
    bandwidthUsedMean,
    bandwidthUtilisation: bandwidth === Infinity ? null : bandwidthUsedMean / bandwidth,
    hours: periods(log, 3600, importance),
    days: periods(log, 86_400, importance),
  }
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
