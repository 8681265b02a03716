/** H42 to H56: bodies without end, bombs, wrong codings, broken chunks. The limit of a body is 200,000 bytes. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { pageWith } from '../support/small-web.ts'
import type { Answer, Behaviour, Seen } from './hostile-web.ts'
import { byPath, endlessly, html, htmlType, raw } from './raw-answers.ts'

export const bodyLimit = 200_000

const head = `HTTP/1.1 200 OK\r\n${htmlType}\r\n`
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const page = pageWith('coded', '/behind')
const bombText = Buffer.concat([Buffer.from(pageWith('bomb', '/behind')), Buffer.alloc(20_000_000, ' ')])

function coded(coding: string, body: Uint8Array): Answer {
  return (socket) => html(socket, body, `Content-Encoding: ${coding}`)
}

type Coded = readonly [answer: Answer, title: string | undefined, miscoded?: string | undefined]

/** Which of these have their title read, and how they are marked. */
function titles(answers: Readonly<Record<string, Coded>>): Pick<Behaviour, 'seeds' | 'answer' | 'expected'> {
  const paths = Object.keys(answers)
  return {
    seeds: paths,
    answer: byPath({
      ...Object.fromEntries(paths.map((path) => [path, answers[path][0]])),
      '/behind': (socket) => html(socket, pageWith('behind')),
    }),
    expected: ({ outcome }: Seen) => {
      expect(Object.fromEntries(paths.map((path) => [path, outcome(path)?.title]))).toEqual(
        Object.fromEntries(paths.map((path) => [path, answers[path][1]])),
      )
      expect(Object.fromEntries(paths.map((path) => [path, outcome(path)?.miscoded]))).toEqual(
        Object.fromEntries(paths.map((path) => [path, answers[path][2]])),
      )
      for (const path of paths) expect(outcome(path)).toMatchObject({ status: 200 })
    },
  }
}

/** The same, and that the archive has the bytes as they came. */
function archivedRaw(
  answers: Readonly<
    Record<string, readonly [coding: string, body: Buffer, title: string | undefined, miscoded: string]>
  >,
): Pick<Behaviour, 'seeds' | 'answer' | 'expected'> {
  const told = titles(
    Object.fromEntries(
      Object.entries(answers).map(([path, [coding, body, title, miscoded]]) => [
        path,
        [coded(coding, body), title, miscoded],
      ]),
    ),
  )
  return {
    ...told,
    expected: (seen) => {
      ;(told.expected as (seen: Seen) => void)(seen)
      const changed = Object.entries(answers).filter(
        ([path, [, body]]) => !body.equals(seen.archived(path)!.payload()),
      )
      expect(changed.map(([path]) => path)).toEqual([])
    },
  }
}

function layers(times: number): Buffer {
  let body: Buffer = Buffer.from(page)
  for (let i = 0; i < times; i++) body = gzipSync(body)
  return body
}

const corrupt = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  copy.fill(0, copy.length - 8, copy.length - 4)
  return copy
}

/** No two are the same: the second would be archived as a copy of the first. */
const longPage = (text: string): string =>
  `${page}${text}${Array.from({ length: 500 }, (_, i) => `<p>${i} ${i * 7919}</p>`).join('')}`

export const bodies: readonly Behaviour[] = [
  {
    id: 'H42',
    what: 'a body without end',
    answer: (socket) => {
      socket.write(`${head}\r\n${pageWith('endless')}`)
      endlessly(socket, Buffer.alloc(65_536, 'x'))
    },
    expected: { status: 200, truncated: 'length', bytes: bodyLimit, title: 'endless' },
  },
  {
    id: 'H43',
    what: 'a body larger than it said',
    answer: (socket) => {
      socket.write(`${head}Content-Length: 5\r\n\r\n`)
      endlessly(socket, Buffer.alloc(65_536, 'x'))
    },
    expected: { status: 200, bytes: 5 },
  },
  {
    id: 'H44',
    what: 'bombs in every coding, and one in another',
    ...titles({
      '/gzip': [coded('gzip', gzipSync(bombText)), 'bomb', 'too-large'],
      '/deflate': [coded('deflate', deflateSync(bombText)), 'bomb', 'too-large'],
      '/raw-deflate': [coded('deflate', deflateRawSync(bombText)), 'bomb', 'too-large'],
      '/br': [coded('br', brotliCompressSync(bombText)), 'bomb', 'too-large'],
      '/gzip-gzip': [coded('gzip, gzip', gzipSync(gzipSync(bombText))), 'bomb', 'too-large'],
      '/br-gzip': [coded('gzip, br', brotliCompressSync(gzipSync(bombText))), 'bomb', 'too-large'],
      '/members': [
        coded('gzip', Buffer.concat(Array<Buffer>(500).fill(gzipSync(bombText.subarray(0, 1_000_000))))),
        'bomb',
        'too-large',
      ],
    }),
  },
  {
    id: 'H45',
    what: 'fifty codings on one another',
    ...titles({
      '/4': [coded('gzip, gzip, gzip, gzip', layers(4)), 'coded'],
      '/50': [coded(Array<string>(50).fill('gzip').join(', '), layers(50)), undefined, 'still-coded'],
    }),
  },
  {
    id: 'H46',
    what: 'a coding that was not applied, and one that was not named',
    ...archivedRaw({
      '/plain': ['gzip', Buffer.from(page), 'coded', 'not-coded'],
      '/gzip': ['identity', gzipSync(page), undefined, 'still-coded'],
      '/br': ['br', Buffer.from('this is no brotli at all, whatever they say'), undefined, 'damaged'],
      '/deflate': ['deflate', Buffer.from('<title>nor is this deflate</title>'), undefined, 'damaged'],
    }),
  },
  {
    id: 'H47',
    what: 'codings in odd spelling, and unknown ones',
    ...titles({
      '/snappy': [coded('snappy', Buffer.from(`\xff\x06\0\0sNaPpY${page}`, 'latin1')), undefined, 'unknown'],
      '/q': [coded('gzip;q=1', gzipSync(page)), undefined, 'unknown'],
      '/case': [coded(' GZIP ', gzipSync(page)), 'coded'],
      '/empty': [coded('gzip,,identity, ,br', brotliCompressSync(gzipSync(page))), 'coded'],
      '/no-break': [coded('gzip\u00a0', gzipSync(page)), undefined, 'unknown'],
      '/x-gzip': [coded('x-gzip', gzipSync(page)), 'coded'],
      '/utf-8': [coded('utf-8', Buffer.from(page)), 'coded', 'unknown'],
    }),
  },
  {
    id: 'H48',
    what: 'gzip that breaks off or has a wrong sum',
    ...archivedRaw({
      '/short': ['gzip', gzipSync(longPage('short')).subarray(0, -200), 'coded', 'damaged'],
      '/end': ['gzip', gzipSync(longPage('end')).subarray(0, -8), 'coded', 'damaged'],
      '/sum': ['gzip', corrupt(gzipSync(longPage('sum'))), 'coded', 'damaged'],
      '/start': ['gzip', gzipSync(longPage('start')).subarray(0, 5), undefined, 'damaged'],
      '/deflate': ['deflate', deflateSync(longPage('deflate')).subarray(0, -4), 'coded', 'damaged'],
      '/br': ['br', brotliCompressSync(longPage('br')).subarray(0, -1), 'coded', 'damaged'],
    }),
  },
  { id: 'H49', what: 'raw deflate', ...titles({ '/': [coded('deflate', deflateRawSync(page)), 'coded'] }) },
  {
    id: 'H50',
    what: 'bytes after the end of gzip',
    ...titles({
      '/members': [coded('gzip', Buffer.concat([gzipSync('<!doctype html>'), gzipSync(page)])), 'coded'],
      '/garbage': [
        coded('gzip', Buffer.concat([gzipSync(page), Buffer.alloc(100, 'x')])),
        'coded',
        'damaged',
      ],
    }),
  },
  ...['ZZ', '-1', 'FFFFFFFFFFFFFFFFF', '0x10', '  5'].map((size): Behaviour => ({
    id: 'H51',
    what: `a chunk of size "${size}"`,
    answer: raw(`${chunked}${size}\r\nhello\r\n0\r\n\r\n`),
    expected: { error: 'bad-http', attempts: 2 },
  })),
  {
    id: 'H118',
    what: 'NUL in a chunk extension',
    answer: raw(`${chunked}5;a\0b\r\nhello\r\n0\r\n\r\n`),
    expected: { error: 'bad-http', attempts: 2 },
  },
  {
    id: 'H118',
    what: 'CR in a chunk extension',
    answer: raw(`${chunked}${page.length.toString(16)};a\rb\r\n${page}\r\n0\r\n\r\n`),
    expected: { status: 200, title: 'coded', faults: ['control-character'] },
  },
  {
    id: 'H52',
    what: 'a chunk longer than it said',
    answer: raw(`${chunked}5\r\nseven!!\r\n0\r\n\r\n`),
    expected: ({ outcome, archived }) => {
      expect(outcome()).toMatchObject({ status: 200, bytes: 5, truncated: 'unspecified', attempts: 2 })
      expect(outcome()?.failureText).toBe('a chunk that is longer than its size')
      expect(archived()?.field('WARC-Truncated')).toBe('unspecified')
      expect(archived()?.payload().toString()).toBe('seven')
    },
  },
  {
    id: 'H52',
    what: 'a chunk shorter than it said',
    answer: raw(`${chunked}50\r\nhello\r\n0\r\n\r\n`),
    expected: ({ outcome, archived }) => {
      expect(outcome()).toMatchObject({ status: 200, truncated: 'disconnect', attempts: 2 })
      expect(archived()?.field('WARC-Truncated')).toBe('disconnect')
      expect(archived()?.payload().toString()).toBe('hello\r\n0\r\n\r\n')
    },
  },
  {
    id: 'H53',
    what: 'no last chunk',
    answer: raw(`${chunked}5\r\nhello\r\n`),
    expected: { truncated: 'disconnect', bytes: 5, attempts: 2 },
  },
  {
    id: 'H54',
    what: 'a million chunks of a byte, each with a kilobyte beside it, which counts',
    answer: (socket) => {
      socket.write(`${chunked}7\r\n<title>\r\n`)
      endlessly(socket, `1;${'x'.repeat(1024)}\r\ny\r\n`.repeat(60))
    },
    expected: ({ outcome, archived }) => {
      expect(outcome()).toMatchObject({ status: 200, truncated: 'length' })
      // The limit and 128 KiB are reached in the extension after these whole chunks: one of 12 bytes, the others of 1,031.
      expect(outcome()!.bytes).toBe(7 + Math.floor((bodyLimit + 128 * 1024 - 12) / 1031))
      expect(archived()?.field('WARC-Truncated')).toBe('length')
    },
  },
  {
    id: 'H54',
    what: 'a chunk that is nothing but a remark without end',
    answer: (socket) => {
      socket.write(`${chunked}7\r\n<title>\r\n1;`)
      endlessly(socket, 'x'.repeat(65_536))
    },
    expected: { status: 200, truncated: 'length', bytes: 7 },
  },
  {
    id: 'H55',
    what: 'trailers that would be headers',
    seeds: ['/few', '/length'],
    answer: byPath({
      '/few': raw(`${chunked}5\r\nhello\r\n0\r\nLocation: /behind\r\nContent-Type: a/b\r\n\r\n`),
      '/length': raw(`${chunked}5\r\nhello\r\n0\r\nContent-Length: 3\r\n\r\n`),
    }),
    expected: ({ outcome, asked }) => {
      expect(outcome('/few')).toMatchObject({
        status: 200,
        bytes: 5,
        contentType: 'text/html; charset=utf-8',
      })
      expect(outcome('/length')).toMatchObject({ status: 200, bytes: 5 })
      expect(outcome('/length')).not.toHaveProperty('truncated')
      expect(asked).not.toContain('/behind')
    },
  },
  {
    id: 'H55',
    what: '100,000 trailers',
    answer: raw(
      `${chunked}5\r\nhello\r\n0\r\n${Array.from({ length: 100_000 }, (_, i) => `X-${i}: ${i}\r\n`).join('')}\r\n`,
    ),
    expected: { error: 'headers-too-large' },
  },
  {
    id: 'H56',
    what: 'chunks under HTTP/1.0',
    answer: raw(
      `HTTP/1.0 200 OK\r\n${htmlType}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ),
    expected: ({ outcome, connections }) => {
      expect([200, 0]).toContain(outcome()?.status)
      expect(connections).toBeLessThan(4)
    },
  },
]
