/**
 * One request as the server saw it. It starts when its head has been read and ends when the server begins to send the last
 * of the response: no later than the client can have received it, even if the server is then preempted. So of two requests
 * that a client made one after the other, the second starts no earlier than the first ends, and the gap that the client
 * kept is never longer than the one seen here.
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
  /** 0: the connection broke before the answer's head was sent. */
  readonly status: number
  /** Empty: none was sent. */
  readonly userAgent: string
  readonly startMs: number
  readonly endMs: number
  /** False: the connection broke before the answer was out. */
  readonly complete: boolean
}

/** Calls `done` once, when the answer is over, however it ended. */
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
  // Gone once the socket is destroyed.
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

/** Milliseconds since 1970 that never go back. */
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
