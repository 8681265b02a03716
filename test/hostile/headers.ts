/** H27 to H41, and H111: headers that are too many, too long, malformed, contradictory or abusive. */
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour, Seen } from './hostile-web.ts'
import { answerBytes, byPath, html, htmlType, raw, redirect } from './raw-answers.ts'

const ok = 'HTTP/1.1 200 OK\r\n'
const page = pageWith('page', '/behind')
const bare = pageWith('bare')
const bareLf = `HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: ${bare.length}\n\n${bare}`
const chunkedByLf = `${pageWith('chunks').length.toString(16)}\n${pageWith('chunks')}\n0\n\n`

/** An answer with these header lines among good ones. */
function withHeader(...lines: string[]): Answer {
  return raw(`${ok}${htmlType}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, page)
}

/** Each of these responses is refused as invalid HTTP. */
function allBad(id: string, answers: Readonly<Record<string, Answer>>): Behaviour[] {
  return Object.entries(answers).map(([what, answer]) => ({
    id,
    what,
    answer,
    expected: ({ outcome, asked }: Seen) => {
      expect(outcome()).toMatchObject({ error: 'bad-http', status: 0, bytes: 0, attempts: 2 })
      expect(asked).toEqual(['/', '/'])
    },
  }))
}

/** Each of these header lines is tolerated: the page is read, the fault recorded, the line archived as it arrived. */
function tolerated(
  id: string,
  lines: Readonly<Record<string, readonly [line: string, fault: string]>>,
): Behaviour[] {
  return Object.entries(lines).map(([what, [line, fault]]) => ({
    id,
    what,
    answer: (socket, { path }) => {
      const title = `${what} ${path}`
      const body = pageWith(title, '/behind', '/beyond')
      socket.write(
        Buffer.from(
          `${ok}${htmlType}\r\n${line}\r\nX-Last: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          'latin1',
        ),
      )
    },
    expected: ({ outcome, archived, requests, connectionsMax }: Seen) => {
      for (const path of ['/', '/behind', '/beyond']) {
        expect(outcome(path)).toMatchObject({ status: 200, title: `${what} ${path}`, faults: [fault] })
        expect(outcome(path)).not.toHaveProperty('attempts')
        expect(archived(path)?.block.toString('latin1')).toContain(`\r\n${line}\r\nX-Last: 1\r\n`)
        expect(archived(path)?.payload().toString()).toContain(what)
      }
      // The connection is never used again.
      const pages = requests.filter(({ path }) => path !== '/robots.txt')
      expect(pages.filter(({ onConnection }) => onConnection > 1)).toEqual([])
      // A busy server may notice the end of a connection after the start of the next.
      expect(connectionsMax).toBeLessThanOrEqual(2)
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
  ...tolerated('H30', {
    'a space before the colon': ['X-Spaced : a', 'space-before-colon'],
  }),
  ...tolerated('H31', { 'a folded header': ['X-Folded: a\r\n\tb', 'folded-header'] }),
  ...allBad('H31', { 'a folded line without a header': raw(`${ok} folded: a\r\n\r\n`, page) }),
  {
    id: 'H31',
    what: 'a content type that is folded',
    answer: raw(`${ok}Content-Type: text/html;\r\n charset=utf-8\r\n\r\n`, page),
    expected: {
      status: 200,
      title: 'page',
      contentType: 'text/html; charset=utf-8',
      faults: ['folded-header'],
    },
  },
  {
    id: 'H31',
    what: 'lines that end with LF alone',
    seeds: ['/head', '/chunks', '/mixed'],
    answer: byPath({
      '/head': raw(bareLf),
      '/chunks': raw(`${ok}${htmlType}\r\nTransfer-Encoding: chunked\r\n\r\n`, chunkedByLf),
      '/mixed': raw(`HTTP/1.1 200 OK\n${htmlType}\r\n\n`, pageWith('mixed')),
    }),
    expected: ({ outcome, archived }) => {
      expect(outcome('/head')).toMatchObject({ status: 200, title: 'bare', faults: ['bare-lf'] })
      expect(outcome('/chunks')).toMatchObject({ status: 200, title: 'chunks', faults: ['bare-lf'] })
      expect(outcome('/mixed')).toMatchObject({ status: 200, title: 'mixed', faults: ['bare-lf'] })
      for (const path of ['/head', '/chunks', '/mixed']) expect(outcome(path)).not.toHaveProperty('attempts')
      expect(archived('/head')?.block.toString()).toBe(bareLf)
      expect(archived('/mixed')?.block.toString()).toContain(`HTTP/1.1 200 OK\n${htmlType}\r\n`)
      expect(archived('/mixed')?.payload().toString()).toBe(pageWith('mixed'))
      expect(archived('/chunks')?.payload().toString()).toBe(pageWith('chunks'))
    },
  },
  {
    id: 'H32',
    what: 'names in odd case and misspelt',
    answer: raw(
      `${ok}CONTENT-TYPE: text/html\r\ncontent-length: ${page.length}\r\nClient-Length: 3\r\n\r\n${page}`,
    ),
    expected: { status: 200, title: 'page', bytes: page.length },
  },
  ...allBad('H33', { 'NUL in a value': withHeader('X: a\0b') }),
  ...tolerated('H33', {
    'a bare CR in a value': ['X: a\rb', 'control-character'],
    'an escape in a value': ['X: \u001b[2J', 'control-character'],
    'DEL in a value': ['X: \u007f', 'control-character'],
  }),
  ...allBad('H33', { 'a control character in a length': withHeader('Content-Length: 5\r5') }),
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
  ...allBad('H35', {
    'two lengths that differ': withHeader('Content-Length: 5', 'Content-Length: 500'),
    'two lengths in one header that differ': withHeader('Content-Length: 5, 500'),
  }),
  {
    id: 'H35',
    what: 'the same length twice',
    seeds: ['/list', '/lines'],
    answer: byPath({
      '/list': raw(`${ok}${htmlType}\r\nContent-Length: 26, 26\r\n\r\n`, '<title>twenty-six</title>!'),
      '/lines': raw(
        `${ok}${htmlType}\r\nContent-Length: 26\r\nContent-Length: 26\r\n\r\n`,
        '<title>TWENTY-SIX</title>!',
      ),
    }),
    expected: ({ outcome, archived }) => {
      const read = { status: 200, bytes: 26, faults: ['repeated-length'] }
      expect(outcome('/list')).toMatchObject({ ...read, title: 'twenty-six' })
      expect(outcome('/lines')).toMatchObject({ ...read, title: 'TWENTY-SIX' })
      expect(archived('/list')?.block.toString()).toContain('Content-Length: 26, 26\r\n')
      expect(archived('/list')?.http()?.headers).toContainEqual(['Content-Length', '26'])
    },
  },
  ...['thousand', '-1', '+5', '5 5', '0x10', '1e3', '5,', '5,x', ''].flatMap((length) =>
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
          `6\r\nchunks\r\n0\r\n\r\n${answerBytes('200 OK', [htmlType], pageWith('smuggled')).toString()}`,
        )
      },
      '/2': (socket) => html(socket, pageWith('two')),
    }),
    expected: ({ outcome, archived, requests }) => {
      expect(outcome('/')).toMatchObject({ status: 200, bytes: 6, faults: ['length-and-chunked'] })
      expect(outcome('/2')).toMatchObject({ title: 'two' })
      expect(archived('/')?.payload().toString()).toBe('chunks')
      const at = requests.findIndex(({ path }) => path === '/')
      expect(requests[at + 1]?.onConnection ?? 0).toBe(0)
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
  {
    id: 'H111',
    what: 'validators and a type of a hundred kilobytes',
    answer: (socket, { path }) => {
      const long = path === '/' ? 'x'.repeat(40_000) : 'x'.repeat(1000)
      const body = pageWith('long', '/short')
      const lines = [`ETag: "${long}"`, `Last-Modified: ${long}`, `Content-Type: text/html; a=${long}`]
      socket.write(`${ok}${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    },
    expected: ({ outcome, archived }) => {
      expect(outcome()).toMatchObject({ status: 200, title: 'long', links: 1 })
      expect(outcome()).not.toHaveProperty('etag')
      expect(outcome()).not.toHaveProperty('lastModified')
      expect(outcome()?.contentType).toHaveLength(1024)
      expect(archived()?.block.length).toBeGreaterThan(120_000)
      expect(outcome('/short')?.etag).toHaveLength(1002)
    },
  },
]
