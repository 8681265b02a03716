/** Frames of HTTP/2 by hand (RFC 9113), valid or not, and a server that sends them over TLS. */
import type { Socket } from 'node:net'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { listening } from '../../src/crawler/fetch/fetch-thread.cases.ts'

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const endStream = 1
export const endHeaders = 4
export const padded = 8

type Bytes = Uint8Array | readonly number[] | string

/** `length`: as stated in the frame, if it is not the payload's. */
export function frame(
  type: number,
  { flags = 0, stream = 0, length }: { flags?: number; stream?: number; length?: number } = {},
  payload: Bytes = [],
): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(length ?? bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => bytes.writeUInt32BE(value >>> 0, 4 * i))
  return bytes
}

/** A header as HPACK's literal without indexing (RFC 7541, 6.2.2). */
export function field(name: string, value: string): Buffer {
  const text = (written: string): Buffer => Buffer.concat([integer(written.length), latin1(written)])
  return Buffer.concat([Buffer.from([0]), text(name), text(value)])
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** With a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value])
  const bytes = [127]
  let rest = value - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

export const fields = (...pairs: readonly (readonly [name: string, value: string])[]): Buffer =>
  Buffer.concat(pairs.map(([name, value]) => field(name, value)))

const htmlFields = fields([':status', '200'], ['content-type', 'text/html'])

export const htmlHeaders = (stream: number, ...others: readonly (readonly [string, string])[]): Buffer =>
  frame(frameTypes.headers, { flags: endHeaders, stream }, Buffer.concat([htmlFields, fields(...others)]))

export const dataFrame = (stream: number, text: string, flags = 0): Buffer =>
  frame(frameTypes.data, { flags, stream }, text)

export const settingsFrame = frame(frameTypes.settings)
const settingsAck = frame(frameTypes.settings, { flags: 1 })

/** A whole response. */
export const htmlResponse = (stream: number, page: string): Buffer =>
  Buffer.concat([htmlHeaders(stream), dataFrame(stream, page, endStream)])

export interface FrameServer {
  readonly port: number
  /** Streams of the requests, in order, and how many connections there were. */
  readonly streams: readonly number[]
  readonly connections: number
}

export type OnRequest = (socket: Socket, stream: number, before: number) => void

const prefaceBytes = 24

/** Speaks HTTP/2 alone: sends its settings, and then whatever `onRequest` writes for each HEADERS frame. */
export async function serveFrames(
  options: TlsOptions,
  onRequest: OnRequest,
  preface: Buffer = settingsFrame,
): Promise<FrameServer> {
  const served = { port: 0, streams: [] as number[], connections: 0 }
  const server = createServer({ ...options, ALPNProtocols: ['h2'] }, (socket: TLSSocket) => {
    served.connections++
    socket.on('error', () => {})
    socket.write(preface)
    let bytes = Buffer.alloc(0)
    let skipped = 0
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      if (skipped === 0 && bytes.length >= prefaceBytes) {
        bytes = bytes.subarray(prefaceBytes)
        skipped = prefaceBytes
      }
      if (skipped === 0) return
      while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
        const [, , , type, flags] = bytes
        const stream = bytes.readUInt32BE(5)
        bytes = bytes.subarray(9 + bytes.readUIntBE(0, 3))
        if (type === frameTypes.settings && flags === 0) socket.write(settingsAck)
        if (type !== frameTypes.headers) continue
        served.streams.push(stream)
        onRequest(socket, stream, served.streams.length - 1)
      }
    })
  })
  served.port = await listening(server)
  return served
}
