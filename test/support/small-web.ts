/**
 * A web written by hand: for each loopback address its paths, and for each path what is answered. `PORT` in a text or a
 * header becomes the port, so that sites can link to one another.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Access, watchAccess } from '../../src/webgraph/served/access.ts'
import { closeAll, listenOnAll } from '../../src/webgraph/served/listening.ts'

export interface SmallAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly afterMs?: number
}

/** A text is an HTML page; a function is asked each time, with how often it was asked before. */
export type SmallPage =
  | string
  | SmallAnswer
  | ((before: number, request: IncomingMessage) => string | SmallAnswer)

export type SmallSites = Readonly<Record<string, Readonly<Record<string, SmallPage>>>>

export interface SmallWeb {
  readonly port: number
  /** In the order in which they began, those under way included. */
  readonly asked: readonly string[]
  readonly accesses: readonly Access<string>[]
  /** `url('127.1.0.1/a')` */
  url(place: string): string
  close(): Promise<void>
}

export async function serveSmall(sites: SmallSites): Promise<SmallWeb> {
  const accesses: Access<string>[] = []
  const asked: string[] = []
  const times = new Map<string, number>()
  let port = 0
  const addresses = Object.keys(sites)
  const served = await listenOnAll(addresses, 0, (index) => {
    const address = addresses[index]
    return createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
      watchAccess(address, request, response, (access) => accesses.push(access))
      const path = request.url ?? ''
      const place = `${address}${path}`
      asked.push(place)
      const before = times.get(place) ?? 0
      times.set(place, before + 1)
      const page = sites[address][path]
      const given = typeof page === 'function' ? page(before, request) : page
      void send(response, given ?? { status: 404, body: 'There is no such page.' }, port)
    })
  })
  port = served.port
  return {
    port,
    asked,
    accesses,
    url: (place) => `http://${place.replace(/(?=\/|$)/, `:${port}`)}`,
    close: async () => {
      const closed = closeAll(served.servers)
      for (const server of served.servers) server.closeAllConnections()
      await closed
    },
  }
}

async function send(response: ServerResponse, given: string | SmallAnswer, port: number): Promise<void> {
  const {
    status = 200,
    headers = {},
    body = '',
    afterMs = 0,
  } = typeof given === 'string' ? { body: given } : given
  if (afterMs > 0) await pause(afterMs)
  const filled = (text: string): string => text.replaceAll('PORT', String(port))
  const bytes = Buffer.from(filled(body))
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': bytes.length,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
  })
  response.end(bytes)
}

/** An HTML page with these links; its text is its title. */
export function pageWith(title: string, ...hrefs: string[]): string {
  const links = hrefs.map((href) => `<a href="${href}">to ${href}</a>`)
  return `<!doctype html><title>${title}</title><p>${title}</p>${links.join('\n')}`
}
