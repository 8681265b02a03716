import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import { EventStreams } from './event-streams.ts'
import { nowOf } from './now.ts'
import { SettledPages } from './settled-pages.ts'

const bufferMax = 256 * 1024
const now = nowOf(undefined, {
  asOfMs: 1,
  hasEnded: false,
  connectionsMax: 1,
  pagesPerSecond: 0,
  bytesPerSecond: 0,
  budgets: {},
})
const event: CrawlEvent = { kind: 'page', url: `http://h.example/${'x'.repeat(200)}`, status: 200, bytes: 1 }

let server: Server | undefined
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.close()
  server = undefined
})

/** A client that sends a request and then reads only on request. */
async function clientOf(streams: EventStreams): Promise<{ socket: Socket; response: ServerResponse }> {
  let opened: (response: ServerResponse) => void = () => {}
  const response = new Promise<ServerResponse>((resolve) => (opened = resolve))
  server ??= createServer().listen(0, '127.0.0.1')
  if (!server.listening) await new Promise((resolve) => server!.once('listening', resolve))
  server.removeAllListeners('request').on('request', (_, sent: ServerResponse) => {
    sent.writeHead(200, { 'Content-Type': 'text/event-stream' })
    streams.add(sent)
    opened(sent)
  })
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n')).pause()
  sockets.push(socket)
  return { socket, response: await response }
}

describe('event streams', () => {
  it('keep a bounded number of bytes for clients that do not read, at 100,000 events', async () => {
    let timeMs = 0
    const streams = new EventStreams(() => timeMs)
    for (let i = 0; i < 5; i++) await clientOf(streams)
    const settled = new SettledPages()
    let highest = 0
    // Ten seconds with 10,000 events in each.
    for (let second = 0; second < 10; second++) {
      for (let i = 0; i < 10_000; i++) {
        settled.add(event)
        streams.send('now', now)
      }
      const pages = settled.take()!
      expect(pages.count).toBe(10_000)
      expect(pages.newest).toHaveLength(20)
      streams.send('pages', pages)
      highest = Math.max(highest, streams.bufferedBytes)
      timeMs += 1000
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(streams.count).toBe(5)
    expect(highest).toBeGreaterThan(bufferMax)
    expect(highest).toBeLessThan(5 * (bufferMax + 2 * 16_384))
    streams.close()
  })

  it('send the newest event of each name to a client that reads again, and drop the others', async () => {
    const streams = new EventStreams(() => 0)
    const { socket } = await clientOf(streams)
    let text = ''
    for (let i = 0; i < 20_000; i++) streams.send('now', { ...now, pages: i })
    const done = new Promise<void>((resolve) => {
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.includes('"pages":19999,')) resolve()
      })
    })
    socket.resume()
    await done
    const numbers = [...text.matchAll(/"pages":(\d+),/g)].map(([, number]) => Number(number))
    expect(numbers.length).toBeLessThan(20_000)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers.at(-1)).toBe(19_999)
    streams.close()
  })

  it('disconnect a client that has not read for a minute', async () => {
    let timeMs = 0
    const streams = new EventStreams(() => timeMs)
    const { response } = await clientOf(streams)
    for (let i = 0; i < 20_000; i++) streams.send('now', now)
    expect(streams.count).toBe(1)
    timeMs = 61_000
    streams.send('now', now)
    expect(streams.count).toBe(0)
    expect(response.destroyed).toBe(true)
    expect(streams.bufferedBytes).toBe(0)
    streams.close()
  })

  it('cannot be broken by line ends in a text', async () => {
    const streams = new EventStreams(() => 0)
    const { socket } = await clientOf(streams)
    let text = ''
    const url = 'http://h.example/\n\nevent: control\ndata: {}\r\n\r\n\u2028'
    streams.send('pages', { count: 1, newest: [{ kind: 'page', url }] })
    streams.send('crawl', {})
    await new Promise<void>((resolve) => {
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.includes('event: crawl')) resolve()
      })
      socket.resume()
    })
    expect(text.match(/^event: .*$/gm)).toEqual(['event: pages', 'event: crawl'])
    streams.close()
  })
})
