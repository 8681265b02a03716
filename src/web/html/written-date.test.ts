import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { writtenSeconds } from './written-date.ts'

const utc = (...parts: [number, number, number?, number?, number?, number?]): number =>
  Date.UTC(...parts) / 1000

describe('a date of a sitemap or feed', () => {
  it.each([
    ['2026', utc(2026, 0)],
    ['2026-11', utc(2026, 10)],
    [' 2026-11-16\n', utc(2026, 10, 16)],
    ['2026-11-16T09:30Z', utc(2026, 10, 16, 9, 30)],
    ['2026-11-16T09:30:15+01:00', utc(2026, 10, 16, 8, 30, 15)],
    ['2026-11-16T09:30:15.123-0500', utc(2026, 10, 16, 14, 30, 15)],
    ['2026-11-16 09:30:15', utc(2026, 10, 16, 9, 30, 15)],
    ['2038-01-19T03:14:07Z', 2 ** 31 - 1],
    ['Mon, 16 Nov 2026 09:30:15 GMT', utc(2026, 10, 16, 9, 30, 15)],
    ['Monday, 16 November 2026 09:30 EST', utc(2026, 10, 16, 14, 30)],
    ['16 Nov 26 09:30:15 +0200 (CEST)', utc(2026, 10, 16, 7, 30, 15)],
    ['Mon, 16-Nov-1994 09:30:15', utc(1994, 10, 16, 9, 30, 15)],
    ['Sun Nov  6 08:49:37 1994', utc(1994, 10, 6, 8, 49, 37)],
    ['Sun Nov 16 08:49:37 1994', utc(1994, 10, 16, 8, 49, 37)],
    ['Sat, 29 Feb 2020', utc(2020, 1, 29)],
  ])('may be written as %s', (written, seconds) => {
    expect(writtenSeconds(written)).toBe(seconds)
  })

  it.each(['', 'now', 'Mon', '0', '20261116', '2026-13-01', '2026-02-29', '2026-11-16T25:00Z', '1.5.2026'])(
    'is not %j',
    (written) => {
      expect(writtenSeconds(written)).toBeUndefined()
    },
  )

  it.each([
    'Mon, 16 Xyz 2026 09:30:15 GMT',
    'Mon, 16 Nov 2026 09:30:15 XYZ',
    `2026${' '.repeat(100)}-11`,
    '\0',
  ])('is not %j either', (written) => {
    expect(writtenSeconds(written)).toBeUndefined()
  })

  it('is read back from what Date writes, and from no text with an error', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), fc.string(), (seconds, junk) => {
        const date = new Date(1000 * seconds)
        expect(writtenSeconds(date.toISOString())).toBe(seconds)
        expect(writtenSeconds(date.toUTCString())).toBe(seconds)
        expect(['number', 'undefined']).toContain(typeof writtenSeconds(junk))
      }),
      seeded(200),
    )
  })
})
