/** H96 to H102: robots.txt of every bad kind. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour } from './hostile-web.ts'
import { answerBytes, endlessly, html, raw, redirect, status } from './raw-answers.ts'

const rules = 'User-agent: *\nDisallow: /no\n'
const file =
  (body: string | Uint8Array, ...headers: string[]): Answer =>
  (socket) =>
    socket.write(answerBytes('200 OK', headers, body))

/** A page that leads to one that is allowed and to one that may not be; no two sites have the same. */
const answer: Answer = (socket, { path, url }) =>
  html(socket, path === '/' ? pageWith(`home of ${url('')}`, '/no/1', '/yes') : pageWith(url(path)))
const obeyed: Behaviour['expected'] = ({ asked }) => expect(asked.toSorted()).toEqual(['/', '/yes'])
const ignored: Behaviour['expected'] = ({ asked }) => expect(asked.toSorted()).toEqual(['/', '/no/1', '/yes'])
const putAside: Behaviour['expected'] = ({ asked, outcome }) =>
  expect([asked, outcome('/yes')?.error]).toEqual([['/'], 'crawl-delay'])
const shut: Behaviour['expected'] = ({ asked }) => expect(asked).toEqual([])

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(rules, 'utf16le')])
const bomb = Buffer.concat([Buffer.from(rules), Buffer.alloc(20_000_000, '#')])

export const robots: readonly Behaviour[] = [
  {
    id: 'H96',
    what: 'without end',
    answer,
    robots: (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${rules}`)
      endlessly(socket, 'Disallow: /elsewhere/and/far/away\n'.repeat(100))
    },
    expected: obeyed,
  },
  {
    id: 'H96',
    what: 'that ends in half a rule after 500 KiB, more than a page may have',
    answer,
    robots: file(
      `${rules}${`#${'x'.repeat(98)}\n`.repeat(5119)}Disallow: /yes-but-not-this-one${'x'.repeat(1000)}`,
    ),
    expected: obeyed,
  },
  {
    id: 'H96',
    what: 'that drips',
    answer,
    robots: (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${rules}Disallow: /`)
    },
    expected: obeyed,
  },
  {
    id: 'H97',
    what: 'that is a server error',
    answer,
    robots: (socket) => status(socket, '500 No'),
    expected: shut,
  },
  { id: 'H97', what: 'that never comes', hangs: true, answer, robots: () => {}, expected: shut },
  { id: 'H97', what: 'that breaks off', answer, robots: (socket) => socket.destroy(), expected: shut },
  ...[401, 403, 404, 410, 418].map((code): Behaviour => ({
    id: 'H98',
    what: `that is answered with ${code}`,
    answer,
    robots: (socket) => status(socket, `${code} No`),
    expected: ignored,
  })),
  {
    id: 'H99',
    what: 'behind five redirects',
    answer: (socket, request) => {
      const hop = Number(/^\/hop(\d)$/.exec(request.path)?.[1])
      if (Number.isNaN(hop)) answer(socket, request)
      else if (hop < 5) redirect(`/hop${hop + 1}`)(socket, request)
      else file(rules)(socket, request)
    },
    robots: redirect('/hop1'),
    expected: ({ asked }) => {
      expect(asked.filter((path) => !path.startsWith('/hop')).toSorted()).toEqual(['/', '/yes'])
    },
  },
  {
    id: 'H99',
    what: 'behind redirects without end',
    answer: (socket, request) => {
      if (request.path.startsWith('/hop')) redirect(`${request.path}x`)(socket, request)
      else answer(socket, request)
    },
    robots: redirect('/hop'),
    expected: ({ asked }) => {
      expect(asked.filter((path) => path.startsWith('/hop')).length).toBeLessThanOrEqual(6)
      expect(asked.filter((path) => !path.startsWith('/hop')).toSorted()).toEqual(['/', '/no/1', '/yes'])
    },
  },
  {
    id: 'H99',
    what: 'on another host',
    answer,
    robots: (socket, request) => redirect(request.url('/their-robots', 'robots-host'))(socket, request),
    expected: obeyed,
  },
  {
    id: 'H99',
    what: 'of another host',
    name: 'robots-host',
    answer: (socket, request) => (request.path === '/their-robots' ? file(rules) : answer)(socket, request),
    expected: ({ asked }) => expect(asked).toEqual(expect.arrayContaining(['/', '/no/1', '/yes'])),
  },
  { id: 'H99', what: 'in a circle', answer, robots: redirect('/robots.txt'), expected: ignored },
  { id: 'H100', what: 'that is HTML', answer, robots: file(pageWith('Not found', '/no')), expected: ignored },
  {
    id: 'H100',
    what: 'with HTML around its rules',
    answer,
    robots: file(`<html><pre>\n${rules}</pre></html>`),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'that is no text',
    answer,
    robots: file(Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255))),
    expected: ignored,
  },
  {
    id: 'H100',
    what: 'in gzip',
    answer,
    robots: file(gzipSync(rules), 'Content-Encoding: gzip'),
    expected: obeyed,
  },
  { id: 'H100', what: 'in UTF-16', answer, robots: file(utf16), expected: obeyed },
  {
    id: 'H100',
    what: 'in gzip, a bomb',
    answer,
    robots: file(gzipSync(bomb), 'Content-Encoding: gzip'),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'in br, a bomb of a few bytes',
    answer,
    robots: file(brotliCompressSync(bomb), 'Content-Encoding: br'),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'in deflate, a bomb',
    answer,
    robots: file(deflateSync(bomb), 'Content-Encoding: deflate'),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'in UTF-16 with its bytes the other way round',
    answer,
    robots: file(Buffer.from(utf16).swap16()),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'in gzip that breaks off: its half is not believed',
    answer,
    robots: file(
      gzipSync(`${rules}${rules}`, { level: 0 }).subarray(0, rules.length),
      'Content-Encoding: gzip',
    ),
    expected: shut,
  },
  {
    id: 'H100',
    what: 'in gzip with garbage behind it',
    answer,
    robots: file(Buffer.concat([gzipSync(rules), Buffer.alloc(50, 'x')]), 'Content-Encoding: gzip'),
    expected: obeyed,
  },
  {
    id: 'H119',
    what: 'that is not modified, although nobody has it',
    answer,
    robots: (socket) => status(socket, '304 Not Modified'),
    expected: shut,
  },
  {
    id: 'H100',
    what: 'that is gzip and does not say so',
    answer,
    robots: file(gzipSync(rules)),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'with lines that nobody can read between its rules',
    answer,
    robots: file(
      Buffer.concat([
        Buffer.from('\0\xff\xfe: \x80\n%%%\nUser-agent\n', 'latin1'),
        Buffer.from('User-agent: *\n'),
        Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 7919) & 255)),
        Buffer.from('\nDisallow: /no\n'),
      ]),
    ),
    expected: obeyed,
  },
  {
    id: 'H100',
    what: 'that breaks off: its half is not believed',
    answer,
    robots: raw(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${rules}`),
    expected: shut,
  },
  {
    id: 'H101',
    what: 'with patterns of two thousand stars',
    answer: (socket, { path }) => {
      const long = `/${'a'.repeat(250)}`
      html(socket, path === '/' ? pageWith('stars', long, '/no/1', '/yes') : pageWith(path.slice(0, 5)))
    },
    robots: file(`${rules}${`Disallow: /${'*a'.repeat(2000)}*x\n`.repeat(60)}`),
    expected: ({ asked }) => {
      expect(asked.map((path) => path.slice(0, 5)).toSorted()).toEqual(['/', '/aaaa', '/yes'])
    },
  },
  ...['-1', '0', '1e9', '10a', 'NaN', 'Infinity', '0x10', ''].map((delay): Behaviour => ({
    id: 'H102',
    what: `with a crawl-delay of "${delay}"`,
    answer,
    robots: file(`User-agent: *\nCrawl-delay: ${delay}\nDisallow: /no\n`),
    expected: obeyed,
  })),
  ...['Crawl-delay: 86400', 'Crawl-delay: 601', 'Request-rate: 1/1d'].map((delay): Behaviour => ({
    id: 'H102',
    what: `that asks for more patience than there is: ${delay}`,
    answer,
    robots: file(`User-agent: *\n${delay}\n`),
    expected: putAside,
  })),
]
