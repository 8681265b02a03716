import { describe, expect, it } from 'vitest'
import type { CrawlFreshness } from '../../crawler/options/crawl-freshness.ts'
import { openingProgress } from '../../crawler/session/opening-progress.ts'
import { Course } from './course.ts'

const progressAt = (second: number) => ({
  ...openingProgress,
  pages: 10 * second,
  bytes: 1000 * second,
  seconds: second,
  guaranteed: 1 - 1 / (second + 2),
})

describe('the course of a crawl', () => {
  it('has a bounded number of points, evenly spaced, however long the crawl runs', () => {
    const course = new Course({ max: 100 })
    for (let second = 0; second < 100_000; second++) course.add(1000 * second, progressAt(second))
    const { timeMs, pages, coverage } = course.series(1000)
    expect(timeMs.length).toBeLessThanOrEqual(100)
    expect(timeMs.length).toBeGreaterThan(40)
    const gaps = new Set(timeMs.slice(1).map((time, i) => time - timeMs[i]))
    expect(gaps.size).toBe(1)
    expect(pages).toEqual(timeMs.map((time) => time / 100))
    expect(coverage.at(-1)).toBeGreaterThan(0.99)
  })

  it('has rates of the last seconds, and sends no more points than requested, the last one included', () => {
    const course = new Course()
    for (let second = 0; second < 60; second++) course.add(1000 * second, progressAt(second))
    expect(course.rates()).toEqual({ pagesPerSecond: 10, bytesPerSecond: 1000 })
    const { timeMs, pagesPerSecond } = course.series(7)
    expect(timeMs.length).toBeLessThanOrEqual(7)
    expect(timeMs.at(-1)).toBe(59_000)
    expect(pagesPerSecond.at(-1)).toBe(10)
    expect(course.add(59_100, progressAt(59))).toBeUndefined()
  })

  it('has looks a second, of new and held pages, only if pages are fetched again', () => {
    const course = new Course()
    for (let second = 0; second < 60; second++) {
      const freshness = { refreshes: 4 * second } as CrawlFreshness
      course.add(1000 * second, { ...progressAt(Math.min(30, second)), freshness })
    }
    expect(course.rates()).toEqual({ pagesPerSecond: 0, looksPerSecond: 4, bytesPerSecond: 0 })
    const { timeMs, looksPerSecond } = course.series(1000)
    expect(looksPerSecond[timeMs.indexOf(20_000)]).toBe(14)
    const once = new Course()
    for (let second = 0; second < 3; second++) once.add(1000 * second, progressAt(second))
    expect(once.series(1000).looksPerSecond).toEqual([null, null, null])
  })
})
