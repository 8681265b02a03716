/** One client cannot keep the others from the dashboard: real sockets, from several loopback addresses. */
import { join } from 'node:path'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import '../src/view/dashboard/register.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { openDashboard, type Dashboard } from '../src/view/dashboard/dashboard.ts'
import { RecordedSource } from '../src/view/dashboard/recorded-source.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { post, until } from './support/dashboard.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const out = join(temporaryFolder(), 'crawl')
const host = '127.7.9.1'

interface Connection {
  readonly socket: Socket
  /** Everything received so far. */
  text: string
  isClosed: boolean
}

describe('clients of the dashboard', () => {
  let dashboard: Dashboard | undefined
  const open: Connection[] = []

  beforeAll(async () => {
    const web = await serveSmall({
      [host]: { '/robots.txt': '', '/': pageWith('home', '/a'), '/a': pageWith('a') },
    })
    await crawl({ seeds: [web.url(`${host}/`)], out, wait: 0, allowPrivate: true, threads: 1 }).run()
    await web.close()
  })
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy()
    await dashboard?.close()
  })

  async function start(): Promise<URL> {
    dashboard = await openDashboard({
      source: new RecordedSource(CrawlFolder.open(out)),
      address: { host: '127.0.0.1', port: 0 },
    })
    return new URL(dashboard.url)
  }

  /** A connection from this address that sends this text. */
  function connected(
    { host: name, port }: URL,
    localAddress: string,
    request = '',
    isRead = true,
  ): Connection {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
    const connection: Connection = { socket, text: '', isClosed: false }
    open.push(connection)
    socket.on('error', () => {})
    socket.on('close', () => (connection.isClosed = true))
    if (isRead) socket.setEncoding('latin1').on('data', (part: string) => (connection.text += part))
    if (request !== '') socket.write(request.replaceAll('HOST', name))
    return connection
  }

  const asking = (path: string, header = ''): string => `GET ${path} HTTP/1.1\r\nHost: HOST\r\n${header}\r\n`
  const statusOf = async (connection: Connection): Promise<string> => {
    await until(() => connection.text.includes('\r\n\r\n') || connection.isClosed)
    return connection.text.slice(9, 12)
  }
  const streams = async (url: URL, address: string, count: number, header = ''): Promise<string[]> => {
    const made = Array.from({ length: count }, () =>
      connected(url, address, asking('/api/v1/events', header)),
    )
    return await Promise.all(made.map(statusOf))
  }

  it('have a bounded number of event streams each; the next is refused with 429', async () => {
    const url = await start()
    const first = await streams(url, '127.0.0.1', 100)
    expect(first.filter((status) => status === '200')).toHaveLength(24)
    expect(first.filter((status) => status === '429')).toHaveLength(76)
    const refused = open.find(({ text }) => text.includes(' 429 '))!
    await until(() => refused.text.includes('too-many-requests'))
    expect(await streams(url, '127.0.0.2', 3)).toEqual(['200', '200', '200'])
    // A stream that ends makes room.
    open.find(({ text }) => text.includes(' 200 '))!.socket.destroy()
    await until(async () => (await streams(url, '127.0.0.1', 1))[0] === '200')
  })

  it('with the token have streams that all others together cannot take', async () => {
    const url = await start()
    const statuses: string[] = []
    for (let i = 10; i < 20; i++) statuses.push(...(await streams(url, `127.0.0.${i}`, 24)))
    expect(statuses.filter((status) => status === '200')).toHaveLength(80)
    expect(new Set(statuses)).toEqual(new Set(['200', '503']))
    const token = `Authorization: Bearer ${dashboard!.token}\r\n`
    expect(await streams(url, '127.0.0.10', 1, token)).toEqual(['200'])
    // A browser cannot send the header with a stream: it has the cookie of a login.
    const login = await post(dashboard!.url, '../login', { token: dashboard!.token })
    const cookie = `Cookie: ${login.headers['set-cookie']![0].split(';')[0]}\r\n`
    expect(await streams(url, '127.0.0.10', 1, cookie)).toEqual(['200'])
  })

  it('that hold connections without a request, or never read, do not keep another address out', async () => {
    const url = await start()
    // Responses that are never read, and requests that never end.
    for (let i = 0; i < 150; i++) connected(url, '127.0.0.1', asking('/page.js').repeat(20), false)
    for (let i = 0; i < 150; i++) connected(url, '127.0.0.1', 'GET / HTTP/1.1\r\nHost: ')
    await until(() => open.filter(({ isClosed }) => isClosed).length >= 300 - 256)
    expect(await statusOf(connected(url, '127.0.0.2', asking('/api/v1/now')))).toBe('200')
  })

  it('have a bounded number of requests under way', async () => {
    const url = await start()
    // One connection asks one request after the other, so that many are needed.
    const made = Array.from({ length: 200 }, () => connected(url, '127.0.0.1', asking('/api/v1/map')))
    const other = connected(url, '127.0.0.2', asking('/api/v1/crawl'))
    expect(await statusOf(other)).toBe('200')
    const statuses = new Set(await Promise.all(made.map(statusOf)))
    expect([...statuses].every((status) => status === '200' || status === '429')).toBe(true)
    expect(statuses.has('200')).toBe(true)
  })
})
