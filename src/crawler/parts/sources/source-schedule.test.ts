import { describe, expect, it } from 'vitest'
import { restoreState, savedState } from '../../../lib/state.ts'
import {
  SourceSchedule,
  type ScheduleOptions,
  type SourceKind,
  type SourceResult,
} from './source-schedule.ts'

const hour = 3600
const day = 24 * hour
const week = 7 * day
const start = 1_000_000

const newSchedule = (options: Partial<ScheduleOptions> = {}): SourceSchedule =>
  new SourceSchedule({ restSeconds: hour, ...options })
const add = (
  schedule: SourceSchedule,
  url: string,
  site = 0,
  kind: SourceKind = 'sitemap',
): number | undefined => schedule.add({ url, kind, site, parent: 7 }, start)
const body = (low: number): SourceResult => ({ kind: 'read', low, high: 1, validator: {} })

/** Requests a single source as soon as it is due, so many times; the waits between the requests. */
function waits(schedule: SourceSchedule, times: number, result: (time: number) => SourceResult): number[] {
  let last = start
  return Array.from({ length: times }, (_, time) => {
    const at = schedule.nextDue
    const source = schedule.take(at)!
    schedule.settle(source, at, result(time))
    const wait = at - last
    last = at
    return wait
  })
}

describe('a source', () => {
  it('is due at once when it is found, and is known from then on', () => {
    const schedule = newSchedule()
    expect(add(schedule, 'http://h/feed', 3, 'feed')).toBe(0)
    expect(add(schedule, 'http://h/feed', 3, 'feed')).toBeUndefined()
    expect(schedule.numberOf('http://h/feed')).toBe(0)
    expect([schedule.siteOf(0), schedule.parentOf(0), schedule.kindOf(0)]).toEqual([3, 7, 'feed'])
    expect(schedule.take(start - 1)).toBeUndefined()
    expect(schedule.take(start)).toBe(0)
    expect(schedule.take(start + week)).toBeUndefined()
    expect(schedule.nextDue).toBe(Infinity)
  })

  it('is fetched ever more often while it changes, but not within its rest', () => {
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    const all = waits(schedule, 20, body)
    expect(all.slice(0, 4)).toEqual([0, 12 * hour, 6 * hour, 3 * hour])
    expect(Math.min(...all.slice(1))).toBe(hour)
  })

  it('is fetched ever less often while it stays the same, but once a week', () => {
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    const all = waits(schedule, 20, () => body(1))
    // The first reading is news.
    expect(all.slice(0, 4)).toEqual([0, 12 * hour, 18 * hour, 27 * hour])
    expect(Math.max(...all)).toBe(week)
    expect(waits(schedule, 3, () => ({ kind: 'not-modified' }))).toEqual([expect.any(Number), week, week])
  })

  it('rests for longer than a week if pages do', () => {
    const schedule = newSchedule({ restSeconds: 30 * day })
    add(schedule, 'http://h/a')
    expect(waits(schedule, 4, body)).toEqual([0, 30 * day, 30 * day, 30 * day])
  })

  it('is fetched once a minute at most if pages do not rest', () => {
    const schedule = newSchedule({ restSeconds: 0 })
    add(schedule, 'http://h/a')
    const all = waits(schedule, 20, body)
    expect(all[1]).toBe(12 * 60)
    expect(Math.min(...all.slice(1))).toBe(60)
  })

  it('waits twice as long after each failure, and is not given up', () => {
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    expect(waits(schedule, 6, () => ({ kind: 'failed' }))).toEqual([0, 2 * day, 4 * day, week, week, week])
  })

  it('is dropped after it was missing three times in a row', () => {
    const missing: SourceResult = { kind: 'missing' }
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    waits(schedule, 5, (time) => (time === 2 ? body(1) : missing))
    expect(schedule.nextDue).toBeLessThan(Infinity)
    waits(schedule, 1, () => missing)
    expect(schedule.nextDue).toBe(Infinity)
    expect(add(schedule, 'http://h/a')).toBeUndefined()
  })

  it('is conditional on what the last full response said', () => {
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    const settle = (result: SourceResult): object => {
      schedule.settle(0, schedule.take(Infinity)! + start, result)
      return schedule.conditions(0)
    }
    expect(schedule.conditions(0)).toEqual({})
    const validator = { etag: '"a"', lastModified: 'Mon, 16 Nov 2026 09:30:00 GMT' }
    expect(settle({ kind: 'read', low: 1, high: 1, validator })).toEqual({ etag: '"a"' })
    expect(settle({ kind: 'not-modified' })).toEqual({ etag: '"a"' })
    const { lastModified } = validator
    expect(settle({ kind: 'read', low: 2, high: 1, validator: { lastModified } })).toEqual({ lastModified })
    expect(settle({ kind: 'read', low: 2, high: 1, validator: { etag: 'x'.repeat(300) } })).toEqual({})
  })

  it('reports whether it has changed', () => {
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    const results = [
      body(1),
      body(1),
      body(2),
      { kind: 'not-modified' },
      { kind: 'failed' },
      body(2),
    ] as const
    const changed = results.map((result) => schedule.settle(schedule.take(Infinity)!, start, result))
    expect(changed).toEqual([true, false, true, false, false, false])
  })
})

describe('the date that an index gives a sitemap', () => {
  /**
   * When the sitemap is due that was requested at `start`, after its index has given this date an hour later.
   */
  function dueAfter(modified: number, restSeconds = hour): number {
    const schedule = newSchedule({ restSeconds })
    add(schedule, 'http://h/a')
    schedule.settle(schedule.take(start)!, start, body(1))
    schedule.announce(0, modified, start + hour)
    return schedule.nextDue - start
  }

  it('makes it due at once if it is after the last request, but not within its rest', () => {
    expect(dueAfter(start + 10)).toBe(hour)
    expect(dueAfter(start + 10, 5 * hour)).toBe(5 * hour)
  })

  it('lets it wait for a week if it is more than a day before', () => {
    expect(dueAfter(start - day)).toBe(week)
  })

  it('changes nothing if it may be the day of the last request', () => {
    expect(dueAfter(start - hour)).toBe(12 * hour)
  })

  it('does not bring back a sitemap that was given up', () => {
    const schedule = newSchedule()
    add(schedule, 'http://h/a')
    waits(schedule, 3, () => ({ kind: 'missing' }))
    schedule.announce(0, Infinity, Infinity)
    expect(schedule.nextDue).toBe(Infinity)
  })
})

describe('a schedule', () => {
  it('gives the source that is due first', () => {
    const schedule = newSchedule()
    for (const name of ['a', 'b', 'c']) add(schedule, name)
    schedule.postpone(schedule.take(start)!, start + 10)
    schedule.settle(schedule.take(start)!, start, body(1))
    expect([schedule.take(start), schedule.take(start), schedule.take(start + 10)]).toEqual([2, undefined, 0])
    expect(schedule.nextDue).toBe(start + 12 * hour)
  })

  it('has a bounded number of sources, in all and of each site', () => {
    const schedule = newSchedule({ perSiteMax: { sitemap: 2, feed: 1 }, sourcesMax: 4 })
    const added = [
      add(schedule, 'a'),
      add(schedule, 'b'),
      add(schedule, 'c'),
      add(schedule, 'd', 0, 'feed'),
      add(schedule, 'e', 0, 'feed'),
      add(schedule, 'f', 1),
      add(schedule, 'g', 1),
    ]
    expect(added).toEqual([0, 1, undefined, 2, undefined, 3, undefined])
  })

  it('continues from a saved state; requests under way are repeated', () => {
    const schedule = newSchedule({ perSiteMax: { sitemap: 2, feed: 1 } })
    add(schedule, 'a', 5)
    add(schedule, 'b', 5)
    const validator = { etag: '"a"' }
    schedule.settle(schedule.take(start)!, start, { kind: 'read', low: 1, high: 2, validator })
    expect(schedule.take(start)).toBe(1)
    const restored = newSchedule({ perSiteMax: { sitemap: 2, feed: 1 } })
    restoreState([restored], savedState([schedule]))
    expect(restored.numberOf('b')).toBe(1)
    expect(restored.conditions(0)).toEqual(validator)
    expect(restored.siteOf(1)).toBe(5)
    expect(add(restored, 'c', 5)).toBeUndefined()
    expect(restored.take(start)).toBe(1)
    expect(restored.nextDue).toBe(start + 12 * hour)
    expect(restored.settle(0, start + day, { kind: 'read', low: 1, high: 2, validator })).toBe(false)
  })
})
