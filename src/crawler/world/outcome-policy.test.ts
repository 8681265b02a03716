import { describe, expect, it } from 'vitest'
import type { FetchResult } from './fetch-result.ts'
import type { FetchFailure } from '../../web/http/fetch-failure.ts'
import { consequenceOf, errorName, isContent, isTemporary, parsedRetryAfter } from './outcome-policy.ts'

function came(part: Partial<FetchResult>): FetchResult {
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
    linksLow: 0,
    linksHigh: 0,
    ...part,
  }
}

const rules = { attempts: 3, firstSeconds: 1, maxSeconds: 60 }
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
    expect(consequenceOf(came({ status, ...part }), 1, rules).kind).toBe(kind)
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
    expect(consequenceOf(came({ failure }), 1, rules).kind).toBe(kind)
  })

  it.each<[Partial<FetchResult>, boolean]>([
    [{ status: 200 }, true],
    [{ status: 203 }, true],
    [{ status: 200, rejected: true }, false],
    [{ status: 206 }, false],
    [{ status: 304 }, false],
    [{ status: 302, location }, false],
    [{ status: 404 }, false],
    [{ status: 0, failure: 'timeout' }, false],
    [{ status: 200, broken: 'reset' }, false],
  ])('of %j is content: %j', (part, expected) => {
    expect(isContent(came(part), 1, rules)).toBe(expected)
    if (part.broken !== undefined) expect(isContent(came(part), rules.attempts, rules)).toBe(true)
  })

  it('of a body that breaks off: again, and after the last attempt what came', () => {
    const half = came({ status: 200, broken: 'reset', truncated: 'disconnect' })
    expect(consequenceOf(half, 1, rules)).toMatchObject({ kind: 'again', spent: true })
    expect(consequenceOf(half, 3, rules).kind).toBe('fetched')
    expect(errorName(half)).toBe('reset')
  })

  it('is an error for good after the last attempt, except where we gave up ourselves', () => {
    expect(consequenceOf(came({ status: 500 }), 3, rules).kind).toBe('failed')
    expect(consequenceOf(came({ status: 429 }), 3, rules).kind).toBe('failed')
    expect(consequenceOf(came({ failure: 'timeout' }), 3, rules).kind).toBe('failed')
    expect(consequenceOf(came({ failure: 'aborted' }), 99, rules)).toMatchObject({
      kind: 'again',
      spent: false,
    })
  })

  it('is the rest that the site asks for, up to an hour', () => {
    expect(consequenceOf(came({ status: 503, retryAfter: '120' }), 1, rules)).toMatchObject({
      restSeconds: 120,
    })
    expect(consequenceOf(came({ status: 429, retryAfter: '999999' }), 1, rules)).toMatchObject({
      restSeconds: 3600,
    })
    // A server that is broken has no say in when it is asked again.
    const broken = consequenceOf(came({ status: 500, retryAfter: '120' }), 1, rules)
    expect(broken.kind === 'again' && broken.restSeconds).toBeLessThanOrEqual(1)
  })

  it('rests about twice as long after each attempt, up to the longest wait', () => {
    const rest = (attempt: number): number => {
      const consequence = consequenceOf(came({ status: 500 }), attempt, { ...rules, attempts: 99 })
      return consequence.kind === 'again' ? consequence.restSeconds : NaN
    }
    for (const [attempt, longest] of [
      [1, 1],
      [2, 2],
      [4, 8],
      [40, 60],
    ]) {
      expect(rest(attempt)).toBeGreaterThanOrEqual(longest / 2)
      expect(rest(attempt)).toBeLessThanOrEqual(longest)
    }
  })

  it('is temporary where the server, the network or DNS had trouble, and permanent otherwise', () => {
    const passing =
      `http-500 http-503 http-599 http-408 http-425 http-429 no-answer connect-refused connect-timeout
      connect-failed timeout reset bad-http robots-unreachable robots-timeout robots-connect-refused`.split(
        /\s+/,
      )
    const permanent = `http-404 http-403 http-410 http-206 tls no-address private-address robots site-limit
      crawl-delay trap-copies too-many-redirects headers-too-large`.split(/\s+/)
    expect(passing.filter((error) => !isTemporary(error))).toEqual([])
    expect([...permanent, undefined].filter(isTemporary)).toEqual([])
  })

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT')
    expect(parsedRetryAfter('7', now)).toBe(7)
    expect(parsedRetryAfter('Sun, 06 Nov 1994 08:50:37 GMT', now)).toBe(60)
    expect(parsedRetryAfter('Sun, 06 Nov 1994 08:48:37 GMT', now)).toBe(0)
    expect(parsedRetryAfter('Sunday, 06-Nov-94 08:50:37 GMT', now)).toBe(60)
    expect(parsedRetryAfter('Sun Nov  6 08:50:37 1994', now)).toBe(60)
    // JavaScript reads most of these as dates of 2001, in the zone of this machine.
    for (const text of [
      undefined,
      'soon',
      '',
      '-',
      '-5',
      '3.5',
      '1e9',
      '120 s',
      '60, 60',
      '\u00a060',
      'May 5',
    ])
      expect(parsedRetryAfter(text, now)).toBeUndefined()
  })

  it('is counted under a name', () => {
    expect(errorName(came({ status: 404 }))).toBe('http-404')
    expect(errorName(came({ failure: 'reset' }))).toBe('reset')
  })
})
