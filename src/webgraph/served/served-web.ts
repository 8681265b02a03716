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
import { addressOfSite, WebUrls } from './web-urls.ts'
import { type Random, seededRandom } from '../../lib/random.ts'

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

type RequestHookAnswer = boolean | void | Promise<boolean | void>

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

/**
 * The contents of a served page: a title, some sentences and its links in list order. They are a function of
 * seed, page and link list, so nothing is stored. The title has the page's number, so no two pages are equal,
 * and the sentences are random, so no two are near-duplicates. The text of a link is the title of its target.
 */

const words = (text: string): string[] => text.split(' ')
const qualities = words(
  'amber brave calm deep early faint gentle hollow idle jagged kind late mild narrow old pale quiet red slow tall upper vast warm young',
)
const things = words(
  'anchor barley canal door engine ferry garden harbour island jetty kettle lantern meadow needle orchard path quarry river station tower valley window yard zephyr bridge clock field forest glass hill lake letter mill mirror road roof shore stone train wall',
)
const deeds = words(
  'answers borders carries draws encloses follows guards holds joins keeps lights measures names opens passes reaches shades turns veils watches',
)
const places = words('above behind below beside beyond inside near opposite over past through toward under')

/** The HTML of the page at the cursor. */
export function pageHtml(page: number, links: LinkCursor, urls: WebUrls, seed: number): string {
  const title = pageTitle(page, seed)
  let items = ''
  for (let i = links.start; i < links.end; i++) {
    const target = links.targets[i]
    items += `<li><a href="${urls.hrefOf(page, target)}">${pageTitle(target, seed)}</a></li>\n`
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${sentences(page, seed)}</p>
${items === '' ? '' : `<ul>\n${items}</ul>\n`}</body>
</html>
`
}

/** Different for every page, for any seed. */
function pageTitle(page: number, seed: number): string {
  const random = seededRandom(seed, page)
  const quality = one(random, qualities)
  return `${quality[0].toUpperCase()}${quality.slice(1)} ${one(random, things)} ${page}`
}

function sentences(page: number, seed: number): string {
  // Not the numbers that the title was drawn from.
  const random = seededRandom(seed + 1, page)
  const count = 4 + random.below(5)
  return Array.from({ length: count }, () => sentence(random)).join(' ')
}

function sentence(random: Random): string {
  const thing = (): string => `the ${one(random, qualities)} ${one(random, things)}`
  return `T${thing().slice(1)} ${one(random, deeds)} ${thing()} ${one(random, places)} ${thing()}.`
}

function one(random: Random, list: readonly string[]): string {
  return list[random.below(list.length)]
}
