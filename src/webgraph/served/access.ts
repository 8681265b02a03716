/**
 * One request as seen by the server. It starts when its head has arrived and ends when the last byte of the
 * response has been passed to the system. So of two consecutive requests of a client, the second never starts
 * before the first ends, and the gap seen here is at least the gap that the client kept.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Access<Site = number> {
  readonly site: Site
  /** The server's own address, to which the client connected. */
  readonly address: string
  /** Counted from 1 for the whole process. */
  readonly connection: number
  /** The first request on its connection is 1. */
  readonly connectionRequests: number
  readonly method: string
  /** With its query. */
  readonly path: string
  /** 0: the connection broke before the response head was sent. */
  readonly status: number
  /** Empty: none was sent. */
  readonly userAgent: string
  readonly startMs: number
  readonly endMs: number
  /** False: the connection broke before the response was complete. */
  readonly complete: boolean
}

/** Calls `done` once, when the response ends in any way. */
export function watchAccess<Site>(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  done: (access: Access<Site>) => void,
): void {
  const startMs = nowMs()
  let endMs: number | undefined
  let complete = false
  const uses = usesOf(request.socket)
  const connectionRequests = ++uses.requests
  // Unavailable once the socket is destroyed.
  const address = request.socket.localAddress ?? ''
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
  response.end = ((...args: unknown[]) => {
    endMs ??= nowMs()
    return end(...args)
  }) as typeof response.end
  response.once('finish', () => (complete = true))
  response.once('close', () =>
    done({
      site,
      address,
      connection: uses.connection,
      connectionRequests,
      method: request.method ?? '',
      path: request.url ?? '',
      status: response.headersSent ? response.statusCode : 0,
      userAgent: request.headers['user-agent'] ?? '',
      startMs,
      endMs: endMs ?? nowMs(),
      complete,
    }),
  )
}

/** Monotonic milliseconds since 1970. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

interface ConnectionUses {
  readonly connection: number
  requests: number
}

const usesOfSockets = new WeakMap<Socket, ConnectionUses>()
let connections = 0

function usesOf(socket: Socket): ConnectionUses {
  let uses = usesOfSockets.get(socket)
  if (uses === undefined) usesOfSockets.set(socket, (uses = { connection: ++connections, requests: 0 }))
  return uses
}
