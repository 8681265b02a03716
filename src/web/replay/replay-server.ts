/**
 * Serves an archive on the loopback as an HTTP proxy: for a browser, a crawler or curl, the web is what the archive has.
 *
 *   GET http://host/path        the archived response
 *   CONNECT host:443            TLS with a certificate of this server's own authority; then GET /path
 *   GET /                       what this server is
 *
 * Nothing is ever requested from the web.
 */
import { createServer, validateHeaderName, validateHeaderValue } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { RankwardError } from '../../lib/errors.ts'
import { isUrl } from '../../lib/host.ts'
import type { Progress } from '../../lib/progress.ts'
import { timeOption } from '../../lib/time-option.ts'
import { openArchive } from './archive-files.ts'
import type { Captures } from './captures.ts'
import { CertificateAuthority } from './certificates.ts'
import { StoredResponses, type StoredResponse } from './stored-response.ts'

export interface ServeArchiveOptions {
  /** Serve each URL as it was at this time: its newest version that is not later. Default: the newest version. */
  readonly at?: Date | string | undefined
  /** The port on 127.0.0.1; 0 for any free one. Default: 0. */
  readonly port?: number | undefined
  /** How many files of the archive were read. */
  readonly progress?: Progress | undefined
}

export interface ServedArchive {
  /** Of the proxy: `http://127.0.0.1:8090`. */
  readonly url: string
  readonly port: number
  /** URLs, and versions of them. */
  readonly urls: number
  readonly captures: number
  /** When the oldest and the newest version were archived. */
  readonly first: Date
  readonly last: Date
  /** The certificate of the authority that signs those of https hosts, as PEM. It is new at each start. */
  readonly authority: string
  /** Files that could be read only in part, as sentences. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** The header that says why there is no archived response. */
export const archiveHeader = 'Rankward-Archive'

/** `archives`: folders of crawls, WARC files and WACZ files; they are one archive. */
export async function serve(
  archives: string | readonly string[],
  { at, port = 0, progress }: ServeArchiveOptions = {},
): Promise<ServedArchive> {
  const atMs = at === undefined ? Infinity : timeOption('at', at)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RankwardError(
      'USAGE',
      `port: ${String(port)} is not a port. Expected a number from 0 to 65535.`,
    )
  const archive = await openArchive(typeof archives === 'string' ? [archives] : archives, progress)
  const { captures, problems } = archive
  const authority = new CertificateAuthority(Date.now())
  const server = proxyServer(new StoredResponses(archive, atMs), authority, aboutText(captures, atMs))
  // Tunnels are no connections of the server any more.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await listening(server, port)
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    urls: captures.urlCount,
    captures: captures.count,
    first: new Date(captures.firstMs),
    last: new Date(captures.lastMs),
    authority: authority.certificate,
    problems,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function proxyServer(stored: StoredResponses, authority: CertificateAuthority, about: string): Server {
  /** The origin that a tunnel leads to. */
  const origins = new WeakMap<Socket, string>()
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    request.resume()
    const url = requestedUrl(request, origins.get(request.socket))
    if (url === undefined) send(response, 200, about)
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      send(response, 405, `The archive has responses to GET only, not to ${request.method}.\n`, 'method')
    else respond(stored, url, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const target = `https://${request.url ?? ''}`
    if (!isUrl(target)) {
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      return
    }
    const { hostname, origin } = new URL(target)
    socket.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const secureContext = authority.contextFor(hostname.replace(/^\[(.*)\]$/, '$1'))
    const tunnel = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    tunnel.on('error', () => tunnel.destroy())
    origins.set(tunnel, origin)
    server.emit('connection', tunnel)
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  return server
}

/** Undefined for a request to this server itself. */
function requestedUrl({ url = '' }: IncomingMessage, origin: string | undefined): string | undefined {
  if (origin !== undefined) return origin + url
  return /^https?:\/\//i.test(url) ? url : undefined
}

function respond(stored: StoredResponses, url: string, response: ServerResponse): void {
  try {
    const found = stored.find(url)
    if ('status' in found) return sendStored(response, found)
    const { firstMs } = found
    return firstMs === undefined
      ? send(response, 404, `The archive does not have ${url}\n`, 'not-archived')
      : send(
          response,
          404,
          `The archive has ${url} only since ${new Date(firstMs).toISOString()}\n`,
          'not-archived-yet',
        )
  } catch (error) {
    if (!(error instanceof RankwardError)) throw error
    return send(response, 502, `${error.message}\n`, 'unreadable')
  }
}

/** Header lines that HTTP does not allow are left out. */
function sendStored(
  response: ServerResponse,
  { status, reason, headers, body, dateMs }: StoredResponse,
): void {
  if (status < 200) return send(response, 502, 'The archived response has no valid status.\n', 'unreadable')
  const hasBody = status !== 204 && status !== 304
  const all = [
    ...headers.filter(isAllowed),
    ['Memento-Datetime', new Date(dateMs).toUTCString()] as const,
    ...(hasBody ? [['Content-Length', String(body.length)] as const] : []),
  ]
  response.sendDate = false
  response.writeHead(status, reason.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ' '), all.flat())
  response.end(hasBody ? body : undefined)
}

function isAllowed([name, value]: readonly [string, string]): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

function send(response: ServerResponse, status: number, text: string, why?: string): void {
  const bytes = Buffer.from(text)
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': bytes.length,
    ...(why !== undefined && { [archiveHeader]: why }),
  })
  response.end(bytes)
}

function aboutText({ urlCount, count, firstMs, lastMs }: Captures, atMs: number): string {
  const [first, last] = [firstMs, lastMs].map((ms) => new Date(ms).toISOString())
  const version = atMs === Infinity ? 'in its newest version' : `as of ${new Date(atMs).toISOString()}`
  return (
    `A web archive: ${count} responses of ${urlCount} URLs, from ${first} to ${last}. Each URL is served ${version}.\n` +
    'This is an HTTP proxy: set it as the proxy of a browser or a crawler, or use curl -x.\n'
  )
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const why =
        code === 'EADDRINUSE' ? 'another program uses it; choose another one, or 0 for any' : message
      reject(new RankwardError('USAGE', `Cannot serve the archive on port ${port}: ${why}.`))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}
