/**
 * A web of servers that misbehave, each on a loopback address of its own, and of honest sites beside them. A server is
 * given the socket and the request's head, and writes whatever bytes it likes.
 *
 *   127.3.GROUP.n    the n-th behaviour of a group
 *   127.3.250.n      honest sites
 */
import { createServer, type Server, type Socket } from 'node:net'
import { connect } from 'node:net'
import { createServer as createSecureServer, type TlsOptions } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { closeAll, listenOnAll } from '../../src/webgraph/served/listening.ts'
import type { OutcomeRecord } from '../../src/crawler/record/outcome-record.ts'
import type { WarcRecord } from '../../src/web/warc/warc-record.ts'
import type { PageRecord } from '../support/crawl-records.ts'
import { pageWith } from '../support/small-web.ts'
import { html } from './raw-answers.ts'

export interface RawRequest {
  readonly path: string
  readonly head: string
  /** How often this path was asked for before, and how many requests this connection had before. */
  readonly before: number
  readonly onConnection: number
  /** The URL of a path of this server, or of the one named so. */
  readonly url: (path: string, name?: string) => string
}

export type Answer = (socket: Socket, request: RawRequest) => void

export interface Behaviour {
  /** Of the catalogue. */
  readonly id: string
  readonly what: string
  readonly answer?: Answer
  /** robots.txt; there is none unless given. */
  readonly robots?: Answer
  readonly connected?: (socket: Socket) => void
  /** `closed`: nobody listens there; `deaf`: somebody does, and never accepts. */
  readonly listens?: 'closed' | 'deaf'
  readonly tls?: () => TlsOptions
  /** The crawl asks for https, whatever the server speaks. */
  readonly scheme?: 'http' | 'https'
  /** The response never ends, and only the time limit of a request ends it. */
  readonly hangs?: boolean
  /** How other behaviours call it. */
  readonly name?: string
  /** Where the crawl starts; `/` unless given. */
  readonly seeds?: readonly string[]
  /** The outcome of the first seed, or a look at all that was seen. */
  readonly expected: Partial<OutcomeRecord> | ((seen: Seen) => void)
}

/** What one server saw, and what the crawl wrote down of it. */
export interface Seen {
  /** Paths without robots.txt, in order. */
  readonly asked: readonly string[]
  readonly requests: readonly RawRequest[]
  readonly connections: number
  readonly connectionsMax: number
  readonly records: ReadonlyMap<string, PageRecord>
  readonly outcome: (path?: string) => OutcomeRecord | undefined
  /** Its response in the archive; undefined: there is none. */
  readonly archived: (path?: string) => WarcRecord | undefined
}

/** The response of a URL. */
export type Archived = (url: string) => WarcRecord | undefined

interface Log {
  readonly requests: RawRequest[]
  connections: number
  open: number
  openMax: number
}

export interface HostileWeb {
  readonly port: number
  readonly seeds: readonly string[]
  readonly honestSeeds: readonly string[]
  /** Every honest page. */
  readonly honestPages: readonly string[]
  addressOf(index: number): string
  seen(index: number, records: readonly PageRecord[], archive: Archived): Seen
  close(): Promise<void>
}

const honestSites = 4
const pagesPerSite = 12

/** A few pages that link to one another and to the next site. */
function honestPage(site: number, path: string, url: (site: number, path: string) => string): string {
  const number = path === '/' ? 0 : Number(path.slice(2))
  const next = (number + 1) % pagesPerSite
  const links = [`/p${next === 0 ? 1 : next}`, `/p${pagesPerSite - 1}`, url((site + 1) % honestSites, '/')]
  return pageWith(`honest ${site} ${path}`, ...links)
}

export async function serveHostile(group: number, behaviours: readonly Behaviour[]): Promise<HostileWeb> {
  const addressOf = (index: number): string =>
    index < behaviours.length ? `127.3.${group}.${index + 1}` : `127.3.250.${index - behaviours.length + 1}`
  const all = Array.from({ length: behaviours.length + honestSites }, (_, i) => i)
  const listening = all.filter((index) => behaviours[index]?.listens === undefined)
  const logs = all.map((): Log => ({ requests: [], connections: 0, open: 0, openMax: 0 }))
  const sockets = new Set<Socket>()
  let port = 0
  const urlOf = (index: number, path: string): string =>
    `${behaviours[index]?.scheme ?? 'http'}://${addressOf(index)}:${port}${path}`
  const honestUrl = (site: number, path: string): string => urlOf(behaviours.length + site, path)
  const named = (name: string): number => behaviours.findIndex((one) => one.name === name)

  const served = await listenOnAll(listening.map(addressOf), 0, (at): Server => {
    const index = listening[at]
    const behaviour = behaviours[index] as Behaviour | undefined
    const site = index - behaviours.length
    const answer: Answer =
      behaviour === undefined
        ? (socket, { path }) => html(socket, honestPage(site, path, honestUrl))
        : (behaviour.answer ?? ((socket) => html(socket, 'nothing')))
    const accept = (socket: Socket): void => {
      sockets.add(socket)
      socket.on('error', () => {})
      behaviour?.connected?.(socket)
      listen(socket, logs[index], (request) => {
        const url = (path: string, name?: string): string =>
          urlOf(name === undefined ? index : named(name), path)
        const asked: RawRequest = { ...request, url }
        logs[index].requests.push(asked)
        if (request.path === '/robots.txt') (behaviour?.robots ?? noRobots)(socket, asked)
        else answer(socket, asked)
      })
    }
    return behaviour?.tls === undefined ? createServer(accept) : createSecureServer(behaviour.tls(), accept)
  })
  port = served.port
  for (const server of served.servers) server.on('tlsClientError', (_error, socket) => socket.destroy())
  const deaf = await Promise.all(
    all
      .filter((index) => behaviours[index]?.listens === 'deaf')
      .map((index) => listenDeaf(addressOf(index), port)),
  )

  return {
    port,
    addressOf,
    seeds: behaviours.flatMap(({ seeds = ['/'] }, index) => seeds.map((path) => urlOf(index, path))),
    honestSeeds: [honestUrl(0, '/')],
    honestPages: Array.from({ length: honestSites }, (_, site) =>
      Array.from({ length: pagesPerSite }, (__, page) => honestUrl(site, page === 0 ? '/' : `/p${page}`)),
    ).flat(),
    seen: (index, records, archived) =>
      seenOf(logs[index], urlOf(index, ''), behaviours[index], records, archived),
    close: async () => {
      const closed = closeAll(served.servers)
      for (const socket of sockets) socket.destroy()
      for (const one of deaf) await one.close()
      await closed
    },
  }
}

function noRobots(socket: Socket): void {
  socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
}

function seenOf(
  log: Log,
  origin: string,
  { seeds = ['/'] }: Behaviour,
  records: readonly PageRecord[],
  archived: Archived,
): Seen {
  const mine = new Map(
    records
      .filter(({ url }) => url.startsWith(`${origin}/`))
      .map((record) => [record.url.slice(origin.length), record]),
  )
  return {
    asked: log.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt'),
    requests: log.requests,
    connections: log.connections,
    connectionsMax: log.openMax,
    records: mine,
    outcome: (path = seeds[0]) => mine.get(path)?.outcome,
    archived: (path = seeds[0]) => archived(`${origin}${path}`),
  }
}

/** Tells of each request as soon as its head is there. */
function listen(socket: Socket, log: Log, onRequest: (request: Omit<RawRequest, 'url'>) => void): void {
  let text = ''
  let onConnection = 0
  log.connections++
  log.openMax = Math.max(log.openMax, ++log.open)
  socket.on('close', () => log.open--)
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end)
      text = text.slice(end + 4)
      const path = head.split(' ')[1] ?? ''
      const before = log.requests.filter((request) => request.path === path).length
      onRequest({ path, head, before, onConnection: onConnection++ })
    }
  })
}

/** A queue of connections that is full: whoever comes next gets no answer at all. */
async function listenDeaf(address: string, port: number): Promise<{ close(): Promise<void> }> {
  const code = `
    const { createServer } = require('node:net')
    const { parentPort, workerData } = require('node:worker_threads')
    const server = createServer()
    server.listen({ host: workerData.address, port: workerData.port, backlog: 1 }, () => {
      parentPort.postMessage('listening')
      Atomics.wait(workerData.ended, 0, 0)
      process.exit()
    })`
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(code, { eval: true, workerData: { address, port, ended } })
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  const fillers = Array.from({ length: 4 }, () => connect(port, address).on('error', () => {}))
  await new Promise((resolve) => setTimeout(resolve, 100))
  return {
    close: async () => {
      for (const socket of fillers) socket.destroy()
      Atomics.store(ended, 0, 1)
      Atomics.notify(ended, 0)
      await worker.terminate()
    },
  }
}
