/** H27 to H41: headers that are too many, too long, malformed, contradictory or abusive. */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour, Seen } from './hostile-web.ts'
import { answerBytes, byPath, html, htmlType, raw, redirect } from './raw-answers.ts'

const ok = 'HTTP/1.1 200 OK\r\n'
const page = pageWith('page', '/behind')

/** An answer with these header lines among good ones. */
function withHeader(...lines: string[]): Answer {
  return raw(`${ok}${htmlType}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, page)
}

/** Each of these answers is refused: as no HTTP, or as one whose end did not come. */
function allBad(id: string, answers: Readonly<Record<string, Answer>>): Behaviour[] {
  return Object.entries(answers).map(([what, answer]) => ({
    id,
    what,
    answer,
    expected: ({ outcome, asked }: Seen) => {
      expect(outcome()?.error).toMatch(/^(bad-http|reset)$/)
      expect(outcome()).toMatchObject({ status: 0, bytes: 0, attempts: 2 })
      expect(asked).toEqual(['/', '/'])
    },
  }))
}

export const headers: readonly Behaviour[] = [
  {
    id: 'H27',
    what: 'one header of a megabyte',
    seeds: ['/name', '/value'],
    answer: byPath({
      '/name': withHeader(`X-${'x'.repeat(1_000_000)}: 1`),
      '/value': withHeader(`X-Long: ${'x'.repeat(1_000_000)}`),
    }),
    expected: ({ outcome }) => {
      expect(outcome('/name')).toMatchObject({ error: 'headers-too-large' })
      expect(outcome('/value')).toMatchObject({ error: 'headers-too-large' })
    },
  },
  {
    id: 'H28',
    what: '100,000 headers',
    answer: withHeader(...Array.from({ length: 100_000 }, (_, i) => `X-${i}: ${i}`)),
    expected: { error: 'headers-too-large', attempts: 2 },
  },
  ...allBad('H29', { 'a header without a colon': withHeader('just some text') }),
  ...allBad('H30', { 'a space before the colon': withHeader('Content-Length : 5') }),
  {
    id: 'H31',
    what: 'a folded header',
    answer: raw(`${ok}Content-Type: text/html;\r\n charset=utf-8\r\nX-Folded: a\r\n\tb\r\n\r\n`, page),
    expected: { error: 'bad-http', attempts: 2 },
  },
  {
    id: 'H32',
    what: 'names in odd case and misspelt',
    answer: raw(
      `${ok}CONTENT-TYPE: text/html\r\ncontent-length: ${page.length}\r\nClient-Length: 3\r\n\r\n${page}`,
    ),
    expected: { status: 200, title: 'page', bytes: page.length },
  },
  ...allBad('H33', {
    'NUL in a value': withHeader('X: a\0b'),
    'a bare CR in a value': withHeader('X: a\rb'),
    'an escape in a value': withHeader('X: \u001b[2J'),
    'DEL in a value': withHeader('X: \u007f'),
  }),
  {
    id: 'H34',
    what: 'a Location in UTF-8 and in Latin-1',
    seeds: ['/utf8', '/latin1'],
    answer: (socket, { path }) => {
      if (path === '/utf8') redirect(Buffer.from('/é').toString('latin1'))(socket, undefined as never)
      else if (path === '/latin1') redirect('/ü')(socket, undefined as never)
      else html(socket, pageWith(path))
    },
    expected: ({ asked }) => {
      expect(asked).toEqual(expect.arrayContaining(['/%C3%A9', '/%C3%BC']))
    },
  },
  ...allBad('H35', { 'two lengths that differ': withHeader('Content-Length: 5', 'Content-Length: 500') }),
  ...['thousand', '-1', '+5', '5 5', '0x10', '1e3', '5,5'].flatMap((length) =>
    allBad('H36', { [`a length of "${length}"`]: withHeader(`Content-Length: ${length}`) }),
  ),
  ...allBad('H37', { 'a length above 2^63': withHeader('Content-Length: 99999999999999999999') }),
  {
    id: 'H37',
    what: 'a length of eight exabytes',
    answer: (socket) =>
      void socket.write(`${ok}${htmlType}\r\nContent-Length: 9223372036854775807\r\n\r\n${page}`),
    expected: { status: 200, truncated: 'time', bytes: page.length },
  },
  {
    id: 'H38',
    what: 'a length and a transfer coding',
    seeds: ['/', '/2'],
    answer: byPath({
      '/': (socket) => {
        socket.write(`${ok}${htmlType}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`)
        socket.write(
          `5\r\nhello\r\n0\r\n\r\n${answerBytes('200 OK', [htmlType], pageWith('smuggled')).toString()}`,
        )
      },
      '/2': (socket) => html(socket, pageWith('two')),
    }),
    expected: ({ outcome }) => {
      expect(outcome('/')?.error).toMatch(/^(bad-http|reset)$/)
      expect(outcome('/2')).toMatchObject({ title: 'two' })
    },
  },
  {
    id: 'H39',
    what: 'several content types, or none',
    seeds: ['/two', '/image', '/none', '/empty', '/plain'],
    answer: byPath({
      '/two': raw(`${ok}Content-Type: text/html\r\nContent-Type: image/png\r\n\r\n`, pageWith('two')),
      '/image': raw(`${ok}Content-Type: image/png\r\nContent-Type: text/html\r\n\r\n`, pageWith('image')),
      '/none': raw(`${ok}\r\n`, pageWith('none')),
      '/empty': raw(`${ok}Content-Type: \r\n\r\n`, pageWith('empty')),
      '/plain': raw(`${ok}\r\n`, `no markup at first ${pageWith('plain')}`),
    }),
    expected: ({ outcome }) => {
      // The first counts; without one, the first bytes do.
      expect(outcome('/two')?.title).toBe('two')
      expect(outcome('/image')?.title).toBeUndefined()
      expect(outcome('/none')?.title).toBe('none')
      expect(outcome('/empty')?.title).toBe('empty')
      expect(outcome('/plain')?.title).toBeUndefined()
    },
  },
  {
    id: 'H40',
    what: 'cookies: many, nameless, for other sites, with odd bytes',
    answer: (socket, { path }) => {
      const cookies = Array.from({ length: 1000 }, (_, i) => `Set-Cookie: a${i}=${i}; Domain=.com; Path=/`)
      const odd = ['Set-Cookie: =x', 'Set-Cookie: ;', 'Set-Cookie: \x80\xff=1; Domain=127.3.250.1']
      html(socket, pageWith(`cookies ${path}`, '/behind'), ...cookies, ...odd)
    },
    expected: ({ outcome, requests }) => {
      expect(outcome('/')).toMatchObject({ status: 200, title: 'cookies /' })
      expect(outcome('/behind')).toMatchObject({ status: 200 })
      expect(requests.filter(({ head }) => /^cookie:/im.test(head))).toEqual([])
    },
  },
  {
    id: 'H40',
    what: 'a cookie of a megabyte',
    answer: withHeader(`Set-Cookie: a=${'x'.repeat(1_000_000)}`),
    expected: { error: 'headers-too-large' },
  },
  {
    id: 'H41',
    what: 'Refresh and a thousand Link headers',
    answer: (socket) => {
      const links = Array.from({ length: 1000 }, (_, i) => `Link: </l${i}>; rel="next"`)
      html(socket, pageWith('links'), 'Refresh: 0;url=/refreshed', ...links)
    },
    expected: ({ outcome, asked }) => {
      expect(outcome()).toMatchObject({ status: 200, title: 'links', links: 0 })
      expect(asked).toEqual(['/'])
    },
  },
]
