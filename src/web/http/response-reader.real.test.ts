/**
 * The reader of HTTP/1.1 responses: what it tolerates and refuses, that pieces make no difference, that it
 * agrees with Node's parser on valid responses, and that nothing makes it throw or keep more than its bounds.
 */
import { seeded } from '../../../test/arbitrary-graph.ts'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listening } from '../../crawler/fetch/fetch-thread.cases.ts'
import { headerBytesMax, ResponseReader } from './response-reader.ts'

interface Read {
  status: number
  reason: string
  headers: string
  raw: string
  body: string
  overheadBytes: number
  faults: string[]
  /** `end`, a failure with its text, or undefined: the response goes on. */
  result: string | undefined
  isReusable: boolean
}

/** Reads these pieces; the connection ends after them where `ends` says so. */
function read(pieces: readonly Buffer[], ends = true): Read {
  const result: Read = {
    status: 0,
    reason: '',
    headers: '',
    raw: '',
    body: '',
    overheadBytes: 0,
    faults: [],
    result: undefined,
    isReusable: false,
  }
  const over = (text: string): void => {
    expect(result.result).toBeUndefined()
    result.result = text
  }
  const reader = new ResponseReader({
    onHead: ({ status, reason, headers, raw }) => {
      expect(result.status).toBe(0)
      const texts = headers.map((header) => header.toString('latin1'))
      Object.assign(result, { status, reason, headers: texts.join('|'), raw: raw.toString('latin1') })
    },
    onData: (piece) => (result.body += piece.toString('latin1')),
    onOverhead: (bytes) => (result.overheadBytes += bytes),
    onFault: (fault) => {
      if (!result.faults.includes(fault)) result.faults.push(fault)
    },
    onEnd: () => over('end'),
    onFailure: (failure, text) => over(`${failure}: ${text}`),
  })
  for (const piece of pieces) reader.take(piece)
  if (ends && result.result === undefined) reader.finish()
  result.isReusable = reader.isReusable
  return result
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const readText = (text: string, ends = true): Read => read([bytes(text)], ends)

/** Cuts bytes at these places. */
function cut(whole: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, i) => whole.subarray(from, at[i] ?? whole.length))
}

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`

describe('a response', () => {
  it.each([
    ['with a length', `${ok}Content-Length: 5\r\n\r\nhello`, 'hello', true],
    ['in chunks', `${chunked}3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nX-T: 1\r\n\r\n`, 'hello', true],
    [
      'in chunks, after empty elements',
      `${ok}Transfer-Encoding: , chunked ,\t,\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
      'hello',
      true,
    ],
    [
      'in chunks with tabs and Latin-1 beside them',
      `${chunked}5;a=\t"\u00e9"\r\nhello\r\n0\r\n\r\n`,
      'hello',
      true,
    ],
    [
      'in chunks of HTTP/1.0, which has none',
      'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'hello',
      false,
    ],
    [
      'whose connection closes, without a no-break space',
      `${ok}Connection: \u00a0close\r\nContent-Length: 5\r\n\r\nhello`,
      'hello',
      true,
    ],
    ['in chunks with padded sizes', `${chunked}5  \r\nhello\r\n0  \r\n\r\n`, 'hello', true],
    ['until the end of the connection', `${ok}\r\nhello`, 'hello', false],
    ['of no bytes', `${ok}Content-Length: 0\r\n\r\n`, '', true],
    ['of no content', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', '', true],
    ['that is the last', `${ok}Connection: close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', false],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
    [
      'after early hints',
      `HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`,
      'ok',
      true,
    ],
    ['with bytes after it', `${ok}Content-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\n\r\n`, 'hello', false],
  ])('%s is read', (_what, text, body, isReusable) => {
    expect(readText(text)).toMatchObject({ body, isReusable, faults: [], result: 'end' })
  })

  it.each([
    ['bare-lf', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'],
    ['bare-lf', `${chunked}5\nhello\n0\n\n`],
    ['bare-lf', `${chunked}5;x\nhello\r\n0\r\n\r\n`],
    ['control-character', `${ok}X: a\u0001b\r\nContent-Length: 5\r\n\r\nhello`],
    ['control-character', 'HTTP/1.1 200 O\u001bK\r\nContent-Length: 5\r\n\r\nhello'],
    ['space-before-colon', `${ok}Content-Length : 5\r\n\r\nhello`],
    ['folded-header', `${ok}X: a\r\n b\r\nContent-Length: 5\r\n\r\nhello`],
    ['folded-header', `${ok}Content-Length:\r\n 5\r\n\r\nhello`],
    ['repeated-length', `${ok}Content-Length: 5, 5\r\n\r\nhello`],
    ['repeated-length', `${ok}Content-Length: 5\r\nContent-Length: 05\r\n\r\nhello`],
    [
      'length-and-chunked',
      `${ok}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['identity-coding', `${ok}Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello`],
    ['control-character', `${chunked}5;a\rb\r\nhello\r\n0\r\n\r\n`],
    ['control-character', `${chunked}5;a="\u0001"\r\nhello\r\n0\r\n\r\n`],
    ['control-character', `${chunked}5;\u007f\r\nhello\r\n0\r\n\r\n`],
    ['control-character', `${chunked}5;\r\r\nhello\r\n0\r\n\r\n`],
    ['bare-lf', `${chunked}5\r\nhello\r\n0\r\nX-T: 1\n\r\n`],
    ['empty-line-first', `\r\n${ok}Content-Length: 5\r\n\r\nhello`],
  ])('with the fault %s is read, and its connection is not used again: %j', (fault, text) => {
    expect(readText(text)).toMatchObject({ body: 'hello', faults: [fault], isReusable: false, result: 'end' })
  })

  it('has its head as it arrived, and values without control characters', () => {
    const { raw, headers } = readText(`${ok}X : \u0007a\u001b[2Jb\u007f\r\nContent-Length: 0\r\n\r\n`)
    expect(raw).toBe(`${ok}X : \u0007a\u001b[2Jb\u007f\r\nContent-Length: 0\r\n\r\n`)
    expect(headers).toBe('X| a [2Jb |Content-Length|0')
  })

  it.each([
    ['SSH-2.0-OpenSSH', 'not an HTTP status line'],
    ['HTTP/1.1 200: OK\r\n\r\n', 'not an HTTP status line'],
    ['HTTP/1.1  200 OK\r\n\r\n', 'not an HTTP status line'],
    ['HTTP/3.0 200 OK\r\n\r\n', 'not an HTTP status line'],
    ['HTTP/1.1 099 Odd\r\n\r\n', 'not an HTTP status line'],
    ['\r\n'.repeat(5), 'not an HTTP status line'],
    [`${ok}X: a\0b\r\n\r\n`, 'NUL in the headers'],
    [`${ok}text\r\n\r\n`, 'a header without a colon'],
    [`${ok}X Y: 1\r\n\r\n`, 'an invalid header name'],
    [`${ok}: 1\r\n\r\n`, 'an invalid header name'],
    [`${ok} X: 1\r\n\r\n`, 'a folded line without a header before it'],
    [`${ok}Content-Length: 5, 6\r\n\r\n`, 'Content-Lengths that differ'],
    [`${ok}Content-Length: 5\r\nContent-Length: x\r\n\r\n`, 'an invalid Content-Length'],
    [`${ok}Content-Length: -1\r\n\r\n`, 'an invalid Content-Length'],
    [`${ok}Content-Length: 5\u0001\r\n\r\n`, 'a control character in a header that frames the body'],
    [
      `${ok}Transfer-Encoding:\r\n \u000bchunked\r\n\r\n`,
      'a control character in a header that frames the body',
    ],
    [`${ok}Content-Length: 9223372036854775808\r\n\r\n`, 'an invalid Content-Length'],
    [`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`, 'a transfer coding that was not requested'],
    [`${ok}Transfer-Encoding: chunked, chunked\r\n\r\n`, 'a transfer coding that was not requested'],
    [`${chunked}\r\n`, 'a chunk without a size'],
    [`${ok}Transfer-Encoding: \u00a0chunked\r\n\r\n`, 'a transfer coding that was not requested'],
    [`${ok}Transfer-Encoding: chunked\u0085\r\n\r\n`, 'a transfer coding that was not requested'],
    [`${ok}Transfer-Encoding: chunked, \u00a0\r\n\r\n`, 'a transfer coding that was not requested'],
    [`${chunked}5;a\0b\r\nhello`, 'NUL in a chunk extension'],
    [`${chunked}5 5\r\n`, 'an invalid chunk size'],
    [`${chunked}5\rx`, 'an invalid chunk size'],
    [`${chunked}20000000000000\r\n`, 'a chunk size that is too large'],
    [`${chunked}2\r\nhello`, 'a chunk that is longer than its size'],
    ['HTTP/1.1 101 Switching\r\n\r\n', 'a change of protocol that was not requested'],
    ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(33), 'too many interim responses'],
  ])('such as %j is refused by name: %s', (text, why) => {
    expect(readText(text, false).result).toBe(`bad-http: ${why}`)
  })

  it.each([
    ['', 'reset: connection closed before the response'],
    ['HTTP/1.1 200', 'reset: connection closed inside the headers'],
    [`${ok}Content-Length: 5\r\n\r\nhel`, 'reset: connection closed after 3 of 5 body bytes'],
    [`${chunked}5\r\nhel`, 'reset: connection closed before the last chunk'],
    [`${chunked}5\r\nhello\r\n0\r\n`, 'reset: connection closed before the last chunk'],
  ])('that ends early is a reset: %j', (text, result) => expect(readText(text).result).toBe(result))

  it.each([
    ['of a head', ok, 'X: y\r\n'],
    ['of trailers', `${chunked}0\r\n`, 'X: y\r\n'],
    ['of one line', ok, 'x'],
  ])('%s above the limit is refused at the same byte, however it arrives', (_what, start, piece) => {
    const all = bytes(start + piece.repeat(Math.ceil(headerBytesMax / piece.length)) + '\r\n\r\n')
    const whole = read([all], false)
    expect(whole.result).toMatch(/^headers-too-large/)
    const small = Array.from({ length: Math.ceil(all.length / 97) }, (_, i) =>
      all.subarray(i * 97, i * 97 + 97),
    )
    expect(read(small, false)).toEqual(whole)
  })
})

/** Parts of responses, valid and not. */
const parts = fc.constantFrom(
  ok,
  'HTTP/1.0 404 Not Found\r\n',
  'HTTP/1.1 304 Not Modified\r\n',
  'HTTP/1.1 103 Early Hints\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 5, 5\r\n',
  'Content-Length : 3\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'X: a\u0001\rb\r\n',
  ' folded\r\n',
  'Connection: close\r\n',
  'no colon\r\n',
  'hello',
  '5\r\nhello\r\n',
  '5;x="y"\r\nhello\r\n',
  '5\nhello\n',
  '0\r\n',
  '\r\n',
  '\n',
  '\r',
  '\0',
  ':',
  'ffffffffffffffff',
)
const mutated = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof({ weight: 8, arbitrary: parts }, fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 14,
    }),
  )
  .map(([starts, texts]) => bytes((starts ? ok : '') + texts.join('')))
const places = fc.array(fc.nat(), { maxLength: 20 })

describe('the reader', () => {
  it('reads the same from the same bytes in any pieces', () => {
    fc.assert(
      fc.property(mutated, places, fc.boolean(), (all, at, ends) => {
        expect(read(cut(all, at), ends)).toEqual(read([all], ends))
      }),
      seeded(3000),
    )
    fc.assert(
      fc.property(mutated, (all) => {
        expect(read(Array.from(all, (byte) => Buffer.of(byte)))).toEqual(read([all]))
      }),
      seeded(500),
    )
  })

  it('always ends with a response or a named failure, and gives no more bytes than it got', () => {
    fc.assert(
      fc.property(mutated, (all) => {
        const { result, body, raw, overheadBytes } = read([all])
        expect(result).toMatch(/^(end$|bad-http: |reset: |headers-too-large: )/)
        expect(body.length + raw.length + overheadBytes).toBeLessThanOrEqual(all.length)
      }),
      seeded(3000),
    )
  })

  it('reads valid responses as Node does', async () => {
    let response = Buffer.alloc(0)
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(response))
    })
    const port = await listening(server)
    const byNode = async (): Promise<Partial<Read>> => {
      const sent = request({ port, host: '127.0.0.1', agent: false }).end()
      const [incoming] = await once(sent, 'response')
      let body = ''
      incoming.setEncoding('latin1').on('data', (text: string) => (body += text))
      await once(incoming, 'end')
      const { statusCode, statusMessage, rawHeaders } = incoming
      return { status: statusCode, reason: statusMessage, headers: rawHeaders.join('|'), body }
    }
    const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/).map((name) => `X-${name}`)
    const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/)
    const headers = fc.array(fc.tuple(token, value), { maxLength: 8 })
    const pieces = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), { maxLength: 6 })
    const framing = fc.constantFrom('length', 'chunked', 'close')
    const status = fc.constantFrom('200 OK', '404 Not Found', '299 Odd one', '503 ')
    await fc.assert(
      fc.asyncProperty(status, headers, pieces, framing, async (line, fields, texts, how) => {
        const bodies = texts.map((text) => bytes(text))
        const lines = fields.map(([name, text]) => `${name}: ${text}\r\n`).join('')
        const length = bodies.reduce((sum, body) => sum + body.length, 0)
        const frame = {
          length: `Content-Length: ${length}\r\n`,
          chunked: 'Transfer-Encoding: chunked\r\n',
          close: '',
        }[how]
        const body =
          how === 'chunked'
            ? [
                ...bodies.flatMap((one) => [bytes(`${one.length.toString(16)}\r\n`), one, bytes('\r\n')]),
                bytes('0\r\n\r\n'),
              ]
            : bodies
        response = Buffer.concat([bytes(`HTTP/1.1 ${line}\r\n${lines}${frame}\r\n`), ...body])
        expect(read([response])).toMatchObject({ ...(await byNode()), result: 'end', faults: [] })
      }),
      seeded(100),
    )
  })
})
