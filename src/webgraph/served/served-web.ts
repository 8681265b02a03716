/**
 * Serves a web graph over HTTP: every page an HTML page, every site a loopback address of its own, all on one
 * port. It is not reachable from other machines. Pages are generated on request; nothing is stored.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Graph, LinkCursor } from '../graph.ts'
import type { Sites } from '../sites.ts'
import { callback, checkOptions, either, flag, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { atLeast, whole } from '../../lib/value-kinds.ts'
import { type Access, watchAccess } from './access.ts'
import { closeAll, listenOnAll } from './listening.ts'
import { pageHtml } from './page-html.ts'
import { addressOfSite } from './site-address.ts'
import { WebUrls } from './web-urls.ts'

/** A `Web` is one, and so is what `syntheticGraph` makes. */
export interface ServableWeb {
  readonly graph: Graph
  readonly sites: Sites
}

export interface ServeOptions {
  /** Default: 0, any free port. */
  readonly port?: number
  /** Of the texts, unless `html` makes them. */
  readonly seed?: number
  /**
   * Custom pages, such as those of a topical web; `hrefOf` returns the href of a link to another page. Their
   * links should be those of the graph.
   */
  readonly html?: (page: number, hrefOf: (target: number) => string) => string
  /** Delay of every response, for all sites or per site. */
  readonly latencyMs?: number | ((site: number) => number)
  /** The robots.txt of a site; undefined: 404. */
  readonly robots?: (site: number) => string | undefined
  /**
   * Called before each response, after the latency, to inject failures. Returns true if it handles the
   * response itself (including never, or by destroying the connection); false or undefined: the page is
   * served normally.
   */
  readonly onRequest?: (asked: Asked, response: ServerResponse) => RequestHookAnswer
  /** Called with each completed request, as added to `accesses`. */
  readonly onAccess?: (access: Access) => void
  /** Whether `accesses` is filled. Default: true. Disable it for long runs. */
  readonly keepAccesses?: boolean
}

export type RequestHookAnswer = boolean | void | Promise<boolean | void>

export interface Asked {
  readonly site: number
  /** With its query. */
  readonly path: string
  /** Undefined: robots.txt, or an unknown path. */
  readonly page: number | undefined
  readonly request: IncomingMessage
}

export interface ServedWeb {
  readonly port: number
  readonly urls: WebUrls
  /** In the order of completion; requests in flight are not included. */
  readonly accesses: readonly Access[]
  urlOf(page: number): string
  pageOf(url: string): number | undefined
  addressOf(site: number): string
  /** Destroys all connections and stops listening. */
  close(): Promise<void>
}

/** Longer than any gap between polite requests, so that only the client closes connections. */
const keepAliveTimeoutMs = 120_000

const checks: OptionChecks<ServeOptions> = {
  port: ofKind(whole(0, 65_535)),
  seed: ofKind(whole(0)),
  html: callback,
  latencyMs: either(callback, ofKind(atLeast(0))),
  robots: callback,
  onRequest: callback,
  onAccess: callback,
  keepAccesses: flag,
}

export async function serveWeb(web: ServableWeb, options: ServeOptions = {}): Promise<ServedWeb> {
  checkOptions('serveWeb', options, checks)
  const accesses: Access[] = []
  const { keepAccesses = true, onAccess } = options
  const note = (access: Access): void => {
    if (keepAccesses) accesses.push(access)
    onAccess?.(access)
  }
  // Requests before the last site listens must wait: links need the port.
  let open: (answerer: Answerer) => void = () => {}
  const opened = new Promise<Answerer>((resolve) => (open = resolve))
  const serverOf = (site: number): Server =>
    createServer({ keepAliveTimeout: keepAliveTimeoutMs }, (request, response) => {
      watchAccess(site, request, response, note)
      opened
        .then((answerer) => answerer.answer(site, request, response))
        .catch((error: unknown) => sendFailure(response, error))
    })
  const addresses = Array.from({ length: web.sites.count }, (_, site) => addressOfSite(site))
  const { port, servers } = await listenOnAll(addresses, options.port ?? 0, serverOf)
  const urls = new WebUrls(web.sites, port)
  open(new Answerer(web.graph, urls, options))
  return {
    port,
    urls,
    accesses,
    urlOf: (page) => urls.urlOf(page),
    pageOf: (url) => urls.pageOf(url),
    addressOf: addressOfSite,
    close: async () => {
      const closed = closeAll(servers)
      for (const server of servers) server.closeAllConnections()
      await closed
    },
  }
}

class Answerer {
  /** One is enough: a page is written without a pause. */
  readonly #links: LinkCursor
  readonly #urls: WebUrls
  readonly #options: ServeOptions

  constructor(graph: Graph, urls: WebUrls, options: ServeOptions) {
    this.#links = graph.cursor()
    this.#urls = urls
    this.#options = options
  }

  async answer(site: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { latencyMs = 0, onRequest, robots } = this.#options
    const path = request.url ?? ''
    const page = this.#urls.pageAt(site, path)
    const waitMs = typeof latencyMs === 'function' ? latencyMs(site) : latencyMs
    if (waitMs > 0) await pause(waitMs)
    // The client may have disconnected meanwhile.
    if (response.destroyed) return
    if (onRequest !== undefined && (await onRequest({ site, path, page, request }, response)) === true) return
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return send(response, 405, 'text/plain', 'Only GET and HEAD are answered here.\n')
    }
    if (page !== undefined) return send(response, 200, 'text/html', this.#html(page))
    const rules = path === '/robots.txt' ? robots?.(site) : undefined
    if (rules !== undefined) return send(response, 200, 'text/plain', rules)
    return send(response, 404, 'text/plain', 'There is no such page.\n')
  }

  #html(page: number): string {
    const { html } = this.#options
    if (html !== undefined) return html(page, (target) => this.#urls.hrefOf(page, target))
    this.#links.seek(page)
    return pageHtml(page, this.#links, this.#urls, this.#options.seed ?? 1)
  }
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  const body = Buffer.from(text)
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': body.length })
  response.end(body)
}

/** A hook threw: the response shows why. */
function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else send(response, 500, 'text/plain', `${String(error)}\n`)
}
