/** A DNS server on the loopback that says what it is told to, and can change its mind. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Addresses of version 4, or what goes wrong. */
export type DnsAnswer = readonly string[] | 'no-name' | 'failure' | 'silence'

export interface DnsServer {
  /** `127.0.0.1:PORT` */
  readonly place: string
  /** Questions for addresses of version 4, by name. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

const typeA = 1
const codes = { 'no-name': 3, failure: 2 } as const

/** `before`: how often this name was asked for already. */
export async function serveDns(answer: (name: string, before: number) => DnsAnswer): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4', (question, from) => {
    const { name, type, end } = questionOf(question)
    const before = asked.filter((one) => one === name).length
    if (type === typeA) asked.push(name)
    const given = answer(name, before)
    if (given === 'silence') return
    const addresses = typeof given === 'string' || type !== typeA ? [] : given
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x8180 | (typeof given === 'string' ? codes[given] : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((address) => {
      // A pointer to the name, type, class, no time to live, four bytes.
      const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4])
      return Buffer.concat([record, Buffer.from(address.split('.').map(Number))])
    })
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    place: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function questionOf(bytes: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (; bytes[at] !== 0; at += bytes[at] + 1)
    labels.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]))
  return { name: labels.join('.').toLowerCase(), type: bytes.readUInt16BE(at + 1), end: at + 5 }
}
