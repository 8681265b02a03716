import { describe, expect, it } from 'vitest'
import type { FetchRequest } from './http-request.ts'
import { RequestHeaders } from './request-headers.ts'
import { requestPlace } from './request-place.ts'

const request: FetchRequest = { id: 1, purpose: 'page', url: '' }
const basic = { host: 'example.org', isSecure: true, authorization: 'Basic abc' }

function sent(
  settings: Partial<ConstructorParameters<typeof RequestHeaders>[0]>,
  url: string,
): Map<string, string> {
  const headers = new RequestHeaders({ userAgent: 'me', headers: [], ...settings })
  const flat = headers.flat(request, requestPlace(url))
  return new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]] as const] : [])))
}

describe('the headers of a request', () => {
  it.each([
    ['https://example.org/', 'Basic abc'],
    ['https://example.org:8443/', 'Basic abc'],
    ['http://example.org/', undefined],
    ['https://www.example.org/', undefined],
    ['https://example.org.evil.net/', undefined],
    ['https://user:pw@example.org/', `Basic ${Buffer.from('user:pw').toString('base64')}`],
  ])('have credentials for their host over TLS alone: %s', (url, expected) => {
    const settings = { credentials: [basic], headers: [['Authorization', 'general', '*.net']] as const }
    const authorization = sent(settings, url).get('Authorization')
    expect(authorization).toBe(url.includes('evil') ? 'general' : expected)
  })

  it('are archived without credentials and cookies, unless cookies are archived', () => {
    const place = requestPlace('https://example.org/a')
    const withCookie = { ...request, cookie: 'a=b' }
    const names = (cookies: 'kept' | 'archived'): string[] =>
      new RequestHeaders({ userAgent: 'me', headers: [], credentials: [basic], cookies })
        .pairs(withCookie, place)
        .map(([name]) => name)
    expect(names('kept')).toEqual(['host', 'connection', 'User-Agent', 'Accept', 'Accept-Encoding'])
    expect(names('archived')).toEqual([...names('kept'), 'Cookie'])
  })
})
