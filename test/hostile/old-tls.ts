/**
 * A TLS 1.2 server written by hand, as far as its first flight: for suites and keys that the OpenSSL inside Node does not
 * serve any more. It takes whatever suite it is told, offered or not.
 *
 *   ClientHello ──▶
 *            ◀── ServerHello, Certificate, ServerKeyExchange, ServerHelloDone
 *   alert, or ClientKeyExchange ──▶
 */
import { generatePrimeSync, randomBytes, sign } from 'node:crypto'
import type { Socket } from 'node:net'
import type { KeyAndCertificate } from './certificates.ts'

export const suites = {
  RC4: 0x0005,
  '3DES': 0x000a,
  NULL: 0x0002,
  /** DHE-RSA-AES128-GCM-SHA256, which every client offers. */
  DHE: 0x009e,
} as const

export interface OldServer extends KeyAndCertificate {
  readonly suite: number
  /** Of the prime of Diffie and Hellman, where the suite has one. */
  readonly primeBits?: number
}

const handshakeRecord = 0x16
const bytes = (length: number, value: number): Buffer => {
  const buffer = Buffer.alloc(length)
  buffer.writeUIntBE(value, 0, length)
  return buffer
}
/** Bytes with their length before them. */
const sized = (length: number, content: Buffer): Buffer =>
  Buffer.concat([bytes(length, content.length), content])
const message = (type: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([bytes(1, type), sized(3, Buffer.concat(parts))])
const record = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([handshakeRecord, 3, 3]), sized(2, content)])

function derOf(pem: Buffer): Buffer {
  const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]*)/.exec(pem.toString()) ?? []
  return Buffer.from(base64, 'base64')
}

function keyExchange(primeBits: number, key: Buffer, randoms: Buffer): Buffer {
  const prime = Buffer.from(generatePrimeSync(primeBits, { safe: primeBits < 1024 }))
  // No exponent is needed by a server that never comes to its end.
  const own = randomBytes(prime.length - 1)
  const parameters = Buffer.concat([sized(2, prime), sized(2, Buffer.from([2])), sized(2, own)])
  const signature = sign('sha256', Buffer.concat([randoms, parameters]), key)
  // 4, 1: SHA-256 with RSA.
  return message(12, parameters, Buffer.from([4, 1]), sized(2, signature))
}

/** Answers the ClientHello; `heard` is told the type of what comes after it: 0x15 is an alert, 0x16 goes on. */
export function answerAsOldServer(
  socket: Socket,
  { suite, primeBits, key, cert }: OldServer,
  heard: (type: number) => void = () => {},
): void {
  let hasAnswered = false
  socket.on('data', (hello: Buffer) => {
    if (hasAnswered) return heard(hello[0])
    hasAnswered = true
    const clientRandom = hello.subarray(11, 43)
    const random = randomBytes(32)
    // Without this extension (no renegotiation) OpenSSL would refuse at once.
    const extensions = Buffer.from([0xff, 1, 0, 1, 0])
    const body = [bytes(2, 0x0303), random, bytes(1, 0), bytes(2, suite), bytes(1, 0), sized(2, extensions)]
    const flight = [message(2, ...body), message(11, sized(3, sized(3, derOf(cert))))]
    if (primeBits !== undefined) {
      flight.push(keyExchange(primeBits, key, Buffer.concat([clientRandom, random])))
    }
    socket.write(Buffer.concat([...flight, message(14)].map(record)))
  })
}

/** What a server does that has no suite in common: it says so (alert 40) and closes. */
export function answerNoSuite(socket: Socket): void {
  socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])))
}
