/**
 * Honest sites beside tarpits, on one loopback address: `honest0.test` … have a home page and its children, `tarpit0.test`
 * … send every response, robots.txt included, 45 bytes a second and never to its end.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageWith } from './small-web.ts'

export interface TarpitWeb {
  /** For the crawl's `connectTo`. */
  readonly connectTo: string
  /** URLs of tarpits that were requested, in order. */
  readonly dripped: readonly string[]
  /** Pages of honest sites that were requested, in order, robots.txt left out. */
  readonly honest: readonly string[]
  /** Responses of tarpits under way. */
  readonly dripping: number
  close(): void
}

export interface TarpitWebOptions {
  /** Pages of an honest site. */
  readonly pages: number
  /** Of tarpits: send robots.txt as an honest site would. */
  readonly quickRobots?: boolean
}

const everyMs = 200
const drop = 'x'.repeat((45 * everyMs) / 1000)

export async function serveTarpits({ pages, quickRobots = false }: TarpitWebOptions): Promise<TarpitWeb> {
  const dripping = new Set<ServerResponse>()
  const dripped: string[] = []
  const honest: string[] = []
  const timer = setInterval(() => {
    for (const response of dripping) response.write(drop)
  }, everyMs)
  const server = createServer((request, response) => {
    const host = request.headers.host ?? ''
    const path = request.url ?? ''
    const isHonest = host.startsWith('honest')
    if (path === '/robots.txt' && (isHonest || quickRobots)) {
      response.writeHead(404).end()
      return
    }
    if (!isHonest) {
      dripped.push(host + path)
      dripping.add(response)
      response.on('close', () => dripping.delete(response))
      response.writeHead(200, { 'content-type': 'text/html' }).write(drop)
      return
    }
    honest.push(host + path)
    const links = path === '/' ? Array.from({ length: pages - 1 }, (_, i) => `/${i + 1}`) : []
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageWith(`${host} ${path}`, ...links))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    connectTo: `::127.0.0.1:${(server.address() as AddressInfo).port}`,
    dripped,
    honest,
    get dripping() {
      return dripping.size
    },
    close() {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Tarpits first: with equal scores they are taken before the honest sites. */
export function tarpitSeeds({ tarpits, honest }: { tarpits: number; honest: number }): string[] {
  const names = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `http://${name}${i}.test/`)
  return [...names('tarpit', tarpits), ...names('honest', honest)]
}
