import { describe, expect, it } from 'vitest'
import type { Came, FetchFailure } from './messages.ts'
import { backOffSeconds, consequenceOf, errorName, retryAfterSeconds } from './outcome-policy.ts'

function came(part: Partial<Came>): Came {
  return {
    id: 0,
    site: 0,
    purpose: 'page',
    startMs: 0,
    durationMs: 0,
    failure: undefined,
    status: 0,
    bytes: 0,
    last: true,
    bodyLow: 0,
    bodyHigh: 0,
    textLow: 0,
    textHigh: 0,
    links: '',
    fingerprints: new Uint32Array(0),
    outside: 0,
    tooDeep: 0,
    ...part,
  }
}

const location = 'http://example.org/'

describe('what follows from an outcome', () => {
  it.each([
    [200, {}, 'fetched'],
    [206, {}, 'failed'],
    [304, {}, 'fetched'],
    [301, { location }, 'fetched'],
    [308, { location }, 'fetched'],
    [302, {}, 'failed'],
    [300, { location }, 'failed'],
    [404, {}, 'failed'],
    [403, {}, 'failed'],
    [410, {}, 'failed'],
    [408, {}, 'again'],
    [429, {}, 'again'],
    [500, {}, 'again'],
    [503, {}, 'again'],
  ] as const)('of status %i %o: %s', (status, part, kind) => {
    expect(consequenceOf(came({ status, ...part }), 1, 3).kind).toBe(kind)
  })

  it.each([
    ['connect-refused', 'missed'],
    ['connect-timeout', 'missed'],
    ['connect-failed', 'missed'],
    ['tls', 'unreachable'],
    ['timeout', 'again'],
    ['reset', 'again'],
    ['bad-http', 'again'],
    ['aborted', 'again'],
  ] as const)('of %s: %s', (failure: FetchFailure, kind) => {
    expect(consequenceOf(came({ failure }), 1, 3).kind).toBe(kind)
  })

  it('of a body that breaks off: again, and after the last attempt what came', () => {
    const half = came({ status: 200, broken: 'reset', truncated: 'disconnect' })
    expect(consequenceOf(half, 1, 3)).toMatchObject({ kind: 'again', spent: true })
    expect(consequenceOf(half, 3, 3).kind).toBe('fetched')
    expect(errorName(half)).toBe('reset')
  })

  it('is an error for good after the last attempt, except where we gave up ourselves', () => {
    expect(consequenceOf(came({ status: 500 }), 3, 3).kind).toBe('failed')
    expect(consequenceOf(came({ status: 429 }), 3, 3).kind).toBe('failed')
    expect(consequenceOf(came({ failure: 'timeout' }), 3, 3).kind).toBe('failed')
    expect(consequenceOf(came({ failure: 'aborted' }), 99, 3)).toMatchObject({ kind: 'again', spent: false })
  })

  it('is the rest that the site asks for, up to an hour', () => {
    expect(consequenceOf(came({ status: 503, retryAfter: '120' }), 1, 3)).toMatchObject({ restSeconds: 120 })
    expect(consequenceOf(came({ status: 429, retryAfter: '999999' }), 1, 3)).toMatchObject({
      restSeconds: 3600,
    })
    // A server that is broken has no say in when it is asked again.
    expect(consequenceOf(came({ status: 500, retryAfter: '120' }), 1, 3)).toMatchObject({ restSeconds: 1 })
  })

  it('rests twice as long after each attempt', () => {
    expect([1, 2, 3, 4].map(backOffSeconds)).toEqual([1, 2, 4, 8])
    expect(backOffSeconds(40)).toBe(3600)
  })

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT')
    expect(retryAfterSeconds('7', now)).toBe(7)
    expect(retryAfterSeconds('Sun, 06 Nov 1994 08:50:37 GMT', now)).toBe(60)
    expect(retryAfterSeconds('Sun, 06 Nov 1994 08:48:37 GMT', now)).toBe(0)
    for (const text of [undefined, 'soon', '', '-']) expect(retryAfterSeconds(text, now)).toBeUndefined()
  })

  it('is counted under a name', () => {
    expect(errorName(came({ status: 404 }))).toBe('http-404')
    expect(errorName(came({ failure: 'reset' }))).toBe('reset')
  })
})
