/** A web server whose pages change while it runs, on one loopback address. It answers conditional requests and keeps a log. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServedPage {
  readonly html: string
  readonly status?: number
  readonly etag?: string
  readonly lastModified?: string
  readonly location?: string
  /** Answer 304 to every conditional request, whatever the page says now. */
  readonly lies?: boolean
  /** Close the connection without a response. */
  readonly breaks?: boolean
}

export interface LoggedRequest {
  readonly path: string
  readonly atMs: number
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

export class ChangingWeb {
  readonly pages = new Map<string, ServedPage>()
  readonly log: LoggedRequest[] = []
  readonly #server: Server
  #waiting: (() => void)[] = []

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/'
      const page = this.pages.get(path)
      const isSame =
        page !== undefined &&
        (page.lies === true
          ? request.headers['if-none-match'] !== undefined
          : (page.etag !== undefined && request.headers['if-none-match'] === page.etag) ||
            (page.lastModified !== undefined && request.headers['if-modified-since'] === page.lastModified))
      const status = page === undefined ? 404 : isSame ? 304 : (page.status ?? 200)
      const isLogged = !path.startsWith('/robots.txt')
      if (isLogged) this.log.push({ path, atMs: performance.now(), status, headers: request.headers })
      for (const wake of this.#waiting.splice(0)) wake()
      if (page?.breaks === true) {
        request.socket.destroy()
        return
      }
      response.writeHead(status, {
        'Content-Type': path === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8',
        ...(page?.etag === undefined ? {} : { ETag: page.etag }),
        ...(page?.lastModified === undefined ? {} : { 'Last-Modified': page.lastModified }),
        ...(page?.location === undefined ? {} : { Location: page.location }),
      })
      response.end(status === 304 ? undefined : (page?.html ?? 'not found'))
    })
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  /** Serves a page with this text and these links. */
  put(path: string, text: string, links: readonly string[] = [], more: Omit<ServedPage, 'html'> = {}): void {
    const anchors = links.map((link) => `<a href="${link}">link</a>`).join(' ')
    this.pages.set(path, {
      html: `<title>${path}</title><p>${text.padEnd(80, ' words')}</p>${anchors}`,
      ...more,
    })
  }

  requests(path: string): LoggedRequest[] {
    return this.log.filter((request) => request.path === path)
  }

  /** Settles when this many requests for a page have come from now on. */
  async again(path: string, times = 1): Promise<void> {
    const before = this.requests(path).length
    await this.until(() => this.requests(path).length >= before + times)
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
