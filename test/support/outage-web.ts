/** Sites of a few pages on loopback addresses that can all go away, connections included, and come back on the same port. */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { freePorts } from '../../src/webgraph/served/listening.ts'
import { pageWith } from './small-web.ts'

export interface OutageWebOptions {
  readonly addresses: readonly string[]
  readonly pagesPerSite: number
  /** Called after each response for a page, with how many there were. */
  readonly onServed?: (served: number) => void
}

export class OutageWeb {
  readonly #options: OutageWebOptions
  readonly #servers: Server[]
  #port = 0
  #closing: Promise<unknown> | undefined
  /** Requests for pages, robots.txt apart, in order. */
  readonly asked: string[] = []

  constructor(options: OutageWebOptions) {
    this.#options = options
    this.#servers = options.addresses.map((address) => this.#server(address))
  }

  get seeds(): string[] {
    return this.#options.addresses.map((address) => `http://${address}:${this.#port}/`)
  }

  get pages(): number {
    return this.#options.addresses.length * this.#options.pagesPerSite
  }

  async open(): Promise<void> {
    await this.#closing
    this.#closing = undefined
    const { addresses } = this.#options
    this.#port ||= (await freePorts(1, addresses))[0]
    for (const [i, server] of this.#servers.entries()) {
      server.listen(this.#port, addresses[i])
      await once(server, 'listening')
    }
  }

  goAway(): Promise<unknown> {
    return (this.#closing ??= Promise.all(
      this.#servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve))
        server.closeAllConnections()
        return closed
      }),
    ))
  }

  #server(address: string): Server {
    const { pagesPerSite, onServed } = this.#options
    return createServer((request, response) => {
      const path = request.url ?? ''
      if (path === '/robots.txt') {
        response.writeHead(404).end()
        return
      }
      this.asked.push(`${address}${path}`)
      const others = Array.from({ length: pagesPerSite - 1 }, (_, i) => `/${i + 1}`)
      const body = pageWith(`${address} ${path}`, ...(path === '/' ? others : ['/']))
      response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      response.on('finish', () => onServed?.(this.asked.length))
    })
  }
}
