/** H111 to H116: servers that violate HTTP/2, or end its streams and connections. No time limit ends these requests: a hang fails the test. */
import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { FetchResult } from '../src/crawler/world/fetch-result.ts'
import { consequenceOf, isTemporary } from '../src/crawler/world/outcome-policy.ts'
import {
  certificate,
  hasOpenssl,
  listening,
  ThreadProbe,
  withShortLimit,
} from '../src/crawler/fetch/fetch-thread.cases.ts'
import {
  dataFrame,
  endHeaders,
  endStream,
  field,
  fields,
  frame,
  frameTypes as types,
  htmlHeaders,
  htmlResponse,
  padded,
  serveFrames,
  uint32,
  type OnRequest,
} from './hostile/http2-frames.ts'
import { answerBytes, endlessly, htmlType } from './hostile/raw-answers.ts'

const page = '<!doctype html><title>Hello</title>'
const whole = { failure: undefined, status: 200, title: 'Hello', truncated: undefined }
const settings = { http2: true, verifyCertificates: false, exchangeSecondsMax: 600, slowSecondsMax: 600 }
const rules = { attempts: 3, firstSeconds: 1, maxSeconds: 10 }

type Frames = (stream: number) => readonly Buffer[]

interface Asked {
  readonly came: FetchResult
  /** Requests, and the connections that they came by. */
  readonly requests: number
  readonly connections: number
}

async function askedWith(onRequest: OnRequest): Promise<Asked> {
  const served = await serveFrames(certificate(), onRequest)
  const came = await new ThreadProbe(settings).one(`https://example.test:${served.port}/`)
  return { came, requests: served.streams.length, connections: served.connections }
}

const asked = (frames: Frames): Promise<Asked> =>
  askedWith((socket, stream) => socket.write(Buffer.concat(frames(stream))))

/** Only bytes that no HPACK encoder writes: indices and lengths beyond the end, a Huffman code of ones alone. */
const block = (stream: number, ...bytes: readonly number[]): Buffer =>
  frame(types.headers, { stream, flags: endHeaders }, bytes)
const onStream = (type: number, stream: number, payload: Buffer | readonly number[], flags = 0): Buffer =>
  frame(type, { stream, flags }, payload)
const setting = (id: number, value: number): Buffer =>
  frame(types.settings, {}, Buffer.concat([Buffer.from([0, id]), uint32(value)]))
const promised = Buffer.concat([uint32(2), fields([':method', 'GET'], [':path', '/x'], [':scheme', 'https'])])

const violations: readonly (readonly [string, Frames])[] = [
  ['DATA on stream 0', () => [dataFrame(0, 'x')]],
  ['DATA on a stream that nobody opened', () => [dataFrame(99, 'x')]],
  ['DATA on a stream of the server', () => [dataFrame(2, 'x')]],
  ['DATA before the headers', (stream) => [dataFrame(stream, 'x')]],
  [
    'DATA with more padding than payload',
    (stream) => [htmlHeaders(stream), onStream(types.data, stream, [200, 1], padded)],
  ],
  [
    'DATA above the largest size',
    (stream) => [htmlHeaders(stream), onStream(types.data, stream, Buffer.alloc(20_000))],
  ],
  [
    'DATA that announces 16 MB',
    (stream) => [htmlHeaders(stream), frame(types.data, { stream, length: 0xff_ffff }, 'x')],
  ],
  [
    'HEADERS above the largest size',
    (stream) => [onStream(types.headers, stream, Buffer.alloc(20_000), endHeaders)],
  ],
  ['HEADERS on stream 0', () => [onStream(types.headers, 0, field(':status', '200'), endHeaders)]],
  [
    'HEADERS on a stream that nobody opened',
    () => [onStream(types.headers, 77, field(':status', '200'), endHeaders)],
  ],
  [
    'HEADERS with more padding than payload',
    (stream) => [onStream(types.headers, stream, [200, 1], endHeaders | padded)],
  ],
  ['an HPACK index beyond the table', (stream) => [block(stream, 0xff, 0xff, 0xff, 0x7f)]],
  ['an HPACK integer without end', (stream) => [block(stream, 0xff, ...Array<number>(50).fill(0xff))]],
  ['an HPACK string beyond the block', (stream) => [block(stream, 0, 0x10, 65)]],
  ['an invalid Huffman code', (stream) => [block(stream, 0, 0x84, 0xff, 0xff, 0xff, 0xff, 1, 65)]],
  ['an HPACK table above its size', (stream) => [block(stream, 0x3f, 0xff, 0xff, 0x7f)]],
  ['invalid HPACK in trailers', (stream) => [htmlHeaders(stream), block(stream, 0xff, 0xff, 0xff, 0x7f)]],
  [
    'CONTINUATION without HEADERS',
    (stream) => [onStream(types.continuation, stream, field('a', 'b'), endHeaders)],
  ],
  [
    'HEADERS without their CONTINUATION',
    (stream) => [onStream(types.headers, stream, field(':status', '200')), dataFrame(stream, page)],
  ],
  [
    'CONTINUATION of another stream',
    (stream) => [
      onStream(types.headers, stream, field(':status', '200')),
      onStream(types.continuation, 9, [], endHeaders),
    ],
  ],
  ['SETTINGS of five bytes', () => [frame(types.settings, {}, [1, 2, 3, 4, 5])]],
  ['SETTINGS on a stream', (stream) => [onStream(types.settings, stream, [])]],
  ['SETTINGS that are acknowledged with a payload', () => [onStream(types.settings, 0, Buffer.alloc(6), 1)]],
  [
    'SETTINGS that nobody sent, acknowledged',
    () => [onStream(types.settings, 0, [], 1), onStream(types.settings, 0, [], 1)],
  ],
  ['SETTINGS with a push', () => [setting(2, 1)]],
  ['SETTINGS with a window of 2^31', () => [setting(4, 2 ** 31)]],
  ['SETTINGS with frames of one byte', () => [setting(5, 1)]],
  [
    'PUSH_PROMISE, which was refused',
    (stream) => [onStream(types.pushPromise, stream, promised, endHeaders)],
  ],
  ['WINDOW_UPDATE of 0', () => [onStream(types.windowUpdate, 0, uint32(0))]],
  ['WINDOW_UPDATE of 0 on the stream', (stream) => [onStream(types.windowUpdate, stream, uint32(0))]],
  ['WINDOW_UPDATE of three bytes', () => [onStream(types.windowUpdate, 0, [0, 0, 1])]],
  [
    'WINDOW_UPDATE above 2^31',
    () => [
      onStream(types.windowUpdate, 0, uint32(0x7fff_ffff)),
      onStream(types.windowUpdate, 0, uint32(0x7fff_ffff)),
    ],
  ],
  [
    'WINDOW_UPDATE above 2^31 on the stream',
    (stream) => [
      onStream(types.windowUpdate, stream, uint32(0x7fff_ffff)),
      onStream(types.windowUpdate, stream, uint32(0x7fff_ffff)),
    ],
  ],
  ['PING of seven bytes', () => [onStream(types.ping, 0, Buffer.alloc(7))]],
  ['PING on a stream', (stream) => [onStream(types.ping, stream, Buffer.alloc(8))]],
  ['PING that nobody sent, acknowledged', () => [onStream(types.ping, 0, Buffer.alloc(8), 1)]],
  ['RST_STREAM of three bytes', (stream) => [onStream(types.reset, stream, [0, 0, 0])]],
  ['RST_STREAM on stream 0', () => [onStream(types.reset, 0, uint32(0))]],
  ['RST_STREAM on a stream that nobody opened', () => [onStream(types.reset, 55, uint32(0))]],
  ['GOAWAY of four bytes', () => [onStream(types.goaway, 0, uint32(0))]],
  ['GOAWAY on a stream', (stream) => [onStream(types.goaway, stream, uint32(0, 0))]],
  [
    'GOAWAY that names later streams each time',
    (stream) => [
      onStream(types.goaway, 0, uint32(stream, 0)),
      onStream(types.goaway, 0, uint32(stream + 2, 0)),
    ],
  ],
  ['PRIORITY of one byte', (stream) => [onStream(types.priority, stream, [1])]],
  [
    'PRIORITY of a stream over itself',
    (stream) => [onStream(types.priority, stream, Buffer.concat([uint32(stream), Buffer.from([1])]))],
  ],
  ['HTTP/1.1', () => [Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')]],
  ['garbage', () => [Buffer.alloc(100, 0xff)]],
]

describe.skipIf(!hasOpenssl())('a violation of HTTP/2 (H111)', () => {
  it.each(violations)('ends the request at once, by name: %s', async (_what, frames) => {
    const { came, requests } = await asked(frames)
    expect(came).toMatchObject({
      failure: 'bad-http',
      status: 0,
      failureText: expect.stringMatching(/\w{4}/),
    })
    expect(requests).toBe(1)
    expect(consequenceOf(came, 1, rules)).toMatchObject({ kind: 'again', spent: true })
    expect(consequenceOf(came, 3, rules)).toEqual({ kind: 'failed' })
  })

  it('says what nghttp2 found', async () => {
    const { came } = await asked(() => [dataFrame(0, 'x')])
    expect(came.failureText).toBe('invalid HTTP/2: PROTOCOL_ERROR, DATA: stream_id == 0')
  })

  it('inside the body keeps what arrived, and the next page comes by a new connection', async () => {
    const served = await serveFrames(certificate(), (socket, stream, before) => {
      if (before > 0) socket.write(htmlResponse(stream, page))
      else socket.write(Buffer.concat([htmlHeaders(stream), dataFrame(stream, page), dataFrame(0, 'x')]))
    })
    const urls = ['/0', '/1'].map((path) => `https://example.test:${served.port}${path}`)
    const [first, second] = await new ThreadProbe(settings).fetch(urls)
    expect(first).toMatchObject({ status: 200, title: 'Hello', truncated: 'unspecified', broken: 'bad-http' })
    expect(second).toMatchObject(whole)
    expect(served.connections).toBe(2)
  })

  it('in frames of a kind that nobody knows is none', async () => {
    const { came } = await asked((stream) => [
      onStream(0xbb, stream, Buffer.alloc(9), 0xff),
      htmlResponse(stream, page),
    ])
    expect(came).toMatchObject(whole)
  })
})

const response = (stream: number, ...pairs: readonly (readonly [string, string])[]): Buffer =>
  onStream(types.headers, stream, fields(...pairs), endHeaders | endStream)
const ok = [':status', '200'] as const

describe.skipIf(!hasOpenssl())('a response that HTTP/2 forbids (H112)', () => {
  it.each<readonly [string, Frames]>([
    ['no status', (stream) => [response(stream, ['content-type', 'text/html'])]],
    ['a status in words', (stream) => [response(stream, [':status', 'abc'])]],
    ['status 000', (stream) => [response(stream, [':status', '000'])]],
    ['status 099', (stream) => [response(stream, [':status', '099'])]],
    ['status 1000', (stream) => [response(stream, [':status', '1000'])]],
    ['status 101', (stream) => [response(stream, [':status', '101'])]],
    ['status 100 and the end', (stream) => [response(stream, [':status', '100'])]],
    ['two statuses', (stream) => [response(stream, ok, [':status', '404'])]],
    ['a status behind other headers', (stream) => [response(stream, ['a', 'b'], ok)]],
    ['a path', (stream) => [response(stream, ok, [':path', '/'])]],
    ['a name in capitals', (stream) => [response(stream, ok, ['Foo', 'x'])]],
    ['Connection', (stream) => [response(stream, ok, ['connection', 'close'])]],
    ['Transfer-Encoding', (stream) => [response(stream, ok, ['transfer-encoding', 'chunked'])]],
    ['a length in words', (stream) => [response(stream, ok, ['content-length', 'abc'])]],
    ['two lengths', (stream) => [response(stream, ok, ['content-length', '0'], ['content-length', '1'])]],
    ['less than its length', (stream) => [response(stream, ok, ['content-length', '5'])]],
    [
      'more than its length',
      (stream) => [htmlHeaders(stream, ['content-length', '5']), dataFrame(stream, page, endStream)],
    ],
    [
      'a body with 204',
      (stream) => [
        onStream(types.headers, stream, field(':status', '204'), endHeaders),
        dataFrame(stream, page, endStream),
      ],
    ],
    ['two heads', (stream) => [htmlHeaders(stream), htmlHeaders(stream)]],
  ])('is refused: %s', async (_what, frames) => {
    const { came, requests } = await asked(frames)
    expect(came).toMatchObject({ failure: 'bad-http', status: 0 })
    expect(requests).toBe(1)
  })

  it.each(['a\r\nb: c', 'a\0b'])('is read without the header %j, which could be two', async (value) => {
    const { came } = await asked((stream) => [
      htmlHeaders(stream, ['etag', value]),
      dataFrame(stream, page, endStream),
    ])
    expect(came).toMatchObject({ ...whole, etag: undefined })
  })
})

const codes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
  'error 14',
].map((name, code) => ({ name, code }))
const plain = codes.filter(({ name }) => !['REFUSED_STREAM', 'HTTP_1_1_REQUIRED'].includes(name))
const reset = (stream: number, code: number): Buffer => onStream(types.reset, stream, uint32(code))
const goaway = (last: number, code: number): Buffer => onStream(types.goaway, 0, uint32(last, code))

function expectReset(came: FetchResult, name: string): void {
  expect(came).toMatchObject({
    failure: 'reset',
    status: 0,
    failureText: `the server ended the request: ${name}`,
  })
  expect(consequenceOf(came, 1, rules)).toMatchObject({ kind: 'again', spent: true })
  expect(isTemporary(came.failure)).toBe(true)
}

describe.skipIf(!hasOpenssl())('a server that ends the stream or the connection with an error (H113)', () => {
  it.each(plain)('is named and retried later: RST_STREAM $name', async ({ name, code }) => {
    const { came, requests } = await asked((stream) => [reset(stream, code)])
    expectReset(came, name)
    expect(requests).toBe(1)
  })

  it.each(plain.slice(1))('is named and retried later: GOAWAY $name', async ({ name, code }) => {
    const { came, requests } = await asked((stream) => [goaway(stream, code)])
    expectReset(came, name)
    expect(requests).toBe(1)
  })

  it('is not asked again at once if it wants calm, although it has not processed the request', async () => {
    const { came, requests } = await asked(() => [goaway(0, 11)])
    expectReset(came, 'ENHANCE_YOUR_CALM')
    expect(requests).toBe(1)
  })

  it.each<readonly [string, Frames]>([
    ['RST_STREAM REFUSED_STREAM', (stream) => [reset(stream, 7)]],
    ['GOAWAY REFUSED_STREAM', (stream) => [goaway(stream, 7)]],
    ['GOAWAY of an earlier stream', () => [goaway(0, 2)]],
  ])('has not processed the request, which is repeated once: %s', async (_what, frames) => {
    const { came, requests, connections } = await asked(frames)
    expect(came).toMatchObject({ failure: 'reset', failureText: 'the server refused to process the request' })
    expect({ requests, connections }).toEqual({ requests: 2, connections: 2 })
  })

  it.each([reset, goaway])('because it wants HTTP/1.1 is asked that way', async (ending) => {
    const spoken: string[] = []
    const options = { ...certificate(), ALPNProtocols: ['h2', 'http/1.1'] }
    const server = createServer(options, (socket) => {
      socket.on('error', () => {})
      spoken.push(String(socket.alpnProtocol))
      if (socket.alpnProtocol === 'h2') socket.once('data', () => socket.write(ending(1, 13)))
      else socket.on('data', () => socket.write(answerBytes('200 OK', [htmlType], page)))
    })
    const base = `https://example.test:${await listening(server)}`
    expect(await new ThreadProbe(settings).fetch([`${base}/0`, `${base}/1`])).toMatchObject([whole, whole])
    expect(spoken).toEqual(['h2', 'http/1.1'])
  })
})

describe.skipIf(!hasOpenssl())('a stream that ends before its response (H114)', () => {
  it.each(codes)('is never whole: $name without a length', async ({ code }) => {
    const { came } = await asked((stream) => [
      htmlHeaders(stream),
      dataFrame(stream, page),
      reset(stream, code),
    ])
    expect(came).toMatchObject({ status: 200, title: 'Hello', truncated: 'disconnect', broken: 'reset' })
  })

  it('is whole if NO_ERROR follows its end', async () => {
    const { came } = await asked((stream) => [htmlResponse(stream, page), reset(stream, 0)])
    expect(came).toMatchObject(whole)
  })

  it('after a GOAWAY without an error ends at the time limit', async () => {
    const served = await serveFrames(certificate(), (socket, stream) =>
      socket.write(Buffer.concat([htmlHeaders(stream), dataFrame(stream, page), goaway(stream, 0)])),
    )
    const came = await withShortLimit((exchangeSecondsMax) =>
      new ThreadProbe({ ...settings, exchangeSecondsMax }).one(`https://example.test:${served.port}/`),
    )
    expect(came).toMatchObject({ status: 200, title: 'Hello', truncated: 'time' })
  })
})

/** Until the other side has had enough; for as long as it takes what it is sent. */
const flood = async (piece: Frames, before: Frames = () => []): Promise<Asked & { sent: number }> => {
  let last: Socket | undefined
  const ended = await askedWith((socket, stream) => {
    last = socket
    for (const bytes of before(stream)) socket.write(bytes)
    endlessly(socket, Buffer.concat(Array<readonly Buffer[]>(200).fill(piece(stream)).flat()))
  })
  if (!last!.destroyed) await new Promise((resolve) => last!.once('close', resolve))
  return { ...ended, sent: last!.bytesWritten }
}

describe.skipIf(!hasOpenssl())('frames without end beside the body (H115)', () => {
  it.each<readonly [string, Frames]>([
    ['PING', () => [onStream(types.ping, 0, Buffer.alloc(8))]],
    ['SETTINGS', () => [setting(4, 100_000)]],
    ['WINDOW_UPDATE', () => [onStream(types.windowUpdate, 0, uint32(1))]],
    [
      'PRIORITY',
      (stream) => [onStream(types.priority, stream, Buffer.concat([uint32(0), Buffer.from([1])]))],
    ],
    ['frames that nobody knows', (stream) => [onStream(0xbb, stream, Buffer.alloc(100))]],
    ['RST_STREAM of closed streams', (stream) => [reset(stream, 0)]],
  ])('end the request before its head: %s', async (_what, piece) => {
    const { came, sent } = await flood(piece)
    expect(came.failure).toMatch(/^(bad-http|reset)$/)
    expect(sent).toBeLessThan(50_000_000)
  })

  it.each<readonly [string, Frames]>([
    ['empty DATA', (stream) => [dataFrame(stream, '')]],
    [
      'DATA of padding alone',
      (stream) => [onStream(types.data, stream, [200, ...Array<number>(200).fill(0)], padded)],
    ],
    ['PING', () => [onStream(types.ping, 0, Buffer.alloc(8))]],
  ])('end the request in its body: %s', async (_what, piece) => {
    const { came, sent } = await flood(piece, (stream) => [htmlHeaders(stream), dataFrame(stream, page)])
    expect(came).toMatchObject({ status: 200, title: 'Hello' })
    expect(came.truncated).toMatch(/^(length|unspecified|disconnect)$/)
    expect(sent).toBeLessThan(50_000_000)
  })
})

describe.skipIf(!hasOpenssl())('headers without end in CONTINUATION (H116)', () => {
  it.each<readonly [string, Frames]>([
    ['empty', (stream) => [onStream(types.continuation, stream, [])]],
    ['with headers', (stream) => [onStream(types.continuation, stream, field('x', 'y'.repeat(100)))]],
  ])('are too large: %s', async (_what, piece) => {
    const { came } = await flood(piece, (stream) => [
      onStream(types.headers, stream, field(':status', '200')),
    ])
    expect(came).toMatchObject({ failure: 'headers-too-large', status: 0 })
  })
})
