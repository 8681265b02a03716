import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { httpHead } from './http-block.ts'
import { WarcRecord } from './warc-record.ts'

const record = (block: Buffer): WarcRecord =>
  new WarcRecord(
    'WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http;msgtype=response',
    block,
    0,
    0,
  )

function stored(head: string, body: string, whole = true): string {
  const bytes = Buffer.from(head, 'latin1')
  const message = { startLine: '', headers: [], head: bytes, body: Buffer.from(body) }
  return httpHead(message, whole).toString('latin1')
}

describe('a head that arrived as bytes', () => {
  it.each([
    'HTTP/1.1 200 OK\r\nX : a\u0001b\r\n folded\r\nContent-Length: 5\r\n\r\n',
    'HTTP/1.1 200\nContent-Length: 5\n\n',
    'HTTP/1.1 200 O\rK\r\ncontent-length:   5  \r\n\n',
  ])('is stored as it arrived: %j', (head) => expect(stored(head, 'hello')).toBe(head))

  it('promises neither chunks nor a length that is not the body’s', () => {
    const head =
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nContent-Length: 5, 5\r\nX: y\r\n\r\n'
    expect(stored(head, 'hello')).toBe(
      'HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Length: 3\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n' +
        'X-Archive-Orig-Content-Length: 5, 5\r\nX: y\r\nContent-Length: 5\r\n\r\n',
    )
  })

  it('keeps the length of a body that was cut', () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'
    expect(stored(head, 'hello', false)).toBe(head)
  })

  it('has no empty lines before its status line', () => {
    expect(stored('\r\n\nHTTP/1.1 200 OK\r\n\r\n', '')).toBe('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })

  it('is the same whether its bytes or its lines are looked at', () => {
    const line = fc.constantFrom(
      'Content-Length: 5\r\n',
      'content-length:5\r\n',
      'Content-Length: 5\n',
      'Content-Length: 55\r\n',
      'Content\rLength: 5\r\n',
      'Content-Length-Of: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'transfer-encodinG : x\n',
      'X: y\r\n',
      ' folded\r\n',
      'no colon\r\n',
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), fc.boolean(), (lines, whole) => {
        const [start, rest] = ['HTTP/1.1 200 OK\r\n', `${lines.join('')}\r\n`]
        // A folded line after the status line needs a look at all lines.
        const folded = 'A: b\r\n c\r\n'
        expect(stored(start + 'D: e\r\n' + rest, 'hello', whole).replace('D: e\r\n', '')).toBe(
          stored(start + folded + 'D: e\r\n' + rest, 'hello', whole).replace(`${folded}D: e\r\n`, ''),
        )
      }),
      seeded(2000),
    )
  })

  it.each(['a\r\n\r\nb', 'a\n\nb', '\r\n', ''])(
    'is read again with its body, whatever empty lines that has: %j',
    (body) => {
      for (const end of ['\n', '\r\n']) {
        const head = stored(`HTTP/1.1 200 OK${end}X: y${end} z${end}${end}`, body)
        const http = record(Buffer.from(head + body, 'latin1')).http()
        expect(http?.body.toString()).toBe(body)
        expect(http?.headers).toEqual([
          ['X', 'y z'],
          ['Content-Length', String(body.length)],
        ])
      }
    },
  )
})
