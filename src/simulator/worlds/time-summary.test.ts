import { describe, expect, it } from 'vitest'
import { TimeLog } from './time-log.ts'
import { timeSummary } from './time-summary.ts'

describe('the summary of a timed crawl', () => {
  it('has the totals, the means and the shares', () => {
    const log = new TimeLog(2)
    log.opened(0, 0)
    log.opened(1, 10)
    log.bandwidthUsed.set(10, 50)
    log.completed(4, 500, 20)
    log.closed(0, 20)
    log.robotsTxtCompleted(500)
    log.completed(9, 500, 40)
    log.bandwidthUsed.set(40, 0)
    log.closed(1, 40)
    const summary = timeSummary(log, { bandwidth: 100 })
    expect(summary).toMatchObject({
      total: 40,
      bytes: 1500,
      pages: 2,
      failed: 0,
      robotsTxtFiles: 1,
      robotsTxtBytes: 500,
      connections: 2,
      activeConnectionsMean: 50 / 40,
      idleShare: [0.5, 0.25],
      bandwidthUsedMean: 1500 / 40,
      bandwidthUtilisation: 0.375,
    })
    expect(summary.activeConnections).toEqual([
      [0, 1],
      [10, 2],
      [20, 1],
      [40, 0],
    ])
    expect(timeSummary(log, { bandwidth: Infinity }).bandwidthUtilisation).toBeNull()
    expect(summary.hours).toEqual({ seconds: 3600, pages: [2], bytes: [1000] })
  })

  it('counts pages, bytes and importance by the hour and the day in which they came', () => {
    const log = new TimeLog(1)
    log.opened(0, 0)
    const times = [10, 3600, 3600.5, 4 * 3600 + 1, 25 * 3600]
    times.forEach((seconds, page) => log.completed(page, 100, seconds))
    log.closed(0, 25 * 3600 + 1)
    const { hours, days } = timeSummary(log, { bandwidth: Infinity, importance: (page) => 2 ** page })
    expect(hours.pages.length).toBe(26)
    expect(hours.pages.slice(0, 5)).toEqual([2, 1, 0, 0, 1])
    expect(hours.cumulativeImportance?.slice(0, 6)).toEqual([3, 7, 7, 7, 15, 15])
    expect(hours.cumulativeImportance?.slice(23)).toEqual([15, 31, 31])
    expect(days).toEqual({
      seconds: 86_400,
      pages: [4, 1],
      bytes: [400, 100],
      cumulativeImportance: [15, 31],
    })
  })

  it('keeps hundreds of thousands of completions as they were', () => {
    const log = new TimeLog(1)
    log.opened(0, 0)
    for (let i = 0; i < 200_000; i++) log.completed(i * 3, i, i / 7)
    for (const i of [0, 65_535, 65_536, 199_999]) {
      expect([log.pageAt(i), log.bytesAt(i), log.secondsAt(i)]).toEqual([i * 3, i, i / 7])
    }
  })

  it('is all nothing for a crawl of nothing', () => {
    const summary = timeSummary(new TimeLog(1), { bandwidth: 10 })
    expect(summary).toMatchObject({
      total: 0,
      bytes: 0,
      activeConnectionsMean: 0,
      bandwidthUtilisation: 0,
      idleShare: [0],
    })
    expect(summary.activeConnections).toEqual([[0, 0]])
  })
})
