/**
 * Real pages over real HTTP: uci-ics under its own host names, all on one loopback port, told apart by the Host
 * header. A crawler that connects every host to that port (`--connect-to ::127.0.0.1:PORT`, as curl has it) finds there
 * the web of 2020, and the graph file says what links it should find.
 *
 * - Everything is http; content-pages.ts says what becomes of https.
 * - Every page is served as UTF-8 HTML, whatever its encoding was: the file has text, not bytes.
 * - The 3,092 pages of the graph whose text the data lacks are 404, like all that is not in the graph. The data knows
 *   of no redirects, so there are none.
 * - `extractLinks` finds exactly the links of the graph file on 50,635 of the 50,673 pages: 45 are missing, 19 are too
 *   many. They come of links like `.//a` and `http:a`,
 *   noframes, broken markup, and 14 pages whose text here is not the one that the graph was made of.
 * - Paths are looked up by the canonical form of their URL, as servers do not care how a tilde is escaped either.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readGraph } from '../../src/webgraph/formats/index.ts'
import type { Web } from '../../src/webgraph/web.ts'
import { type Access, watchAccess } from '../../src/webgraph/served/access.ts'
import { closeAll, listenOnAll } from '../../src/webgraph/served/listening.ts'
import { canonicalUrl } from '../../src/web/url/canonical-url.ts'
import { absent, sharedPath } from '../shared-data.ts'
import { type ContentPages, readContentPages } from './content-pages.ts'

const pagesFile = 'data/uci-ics.pages.jsonl.br'
const edgesFile = 'data/uci-ics.edges.tsv.gz'
const urlsFile = 'data/uci-ics.urls.txt.gz'
const address = '127.0.0.1'

/** For `describe.skipIf`. */
export const withoutContent = absent(pagesFile, edgesFile, urlsFile)
export const contentNote = withoutContent ? ' (skipped: ../shared/data has no uci-ics pages)' : ''

export interface ContentOptions {
  /** Only the text of these hosts is read, and the others have none; all unless given. */
  readonly hosts?: readonly string[]
}

/** The pages, their URLs and their links, without a server. */
export class Content {
  readonly web: Web
  readonly pages: ContentPages
  readonly hosts: ReadonlySet<string>
  readonly #pageOfKey: ReadonlyMap<string, number>

  constructor(web: Web, pages: ContentPages, hosts: ReadonlySet<string>) {
    this.web = web
    this.pages = pages
    this.hosts = hosts
    this.#pageOfKey = pagesByKey(web)
  }

  /** The page's URL with http, as it is served. */
  urlOf(page: number): string {
    return this.web.urls!.at(page).replace(/^https:/, 'http:')
  }

  /** The page of the graph that has this URL, by http or https, with text or without. */
  pageOf(url: string): number | undefined {
    return this.#pageOfKey.get(keyOf(url)) ?? this.#pageOfKey.get(canonicalKeyOf(url))
  }

  /** The URLs of all pages that have text, by page number. */
  *urls(): Generator<string> {
    for (let page = 0; page < this.web.graph.pages; page++) if (this.pages.has(page)) yield this.urlOf(page)
  }

  /** The pages that the graph file says this one links to: ascending, each once, never itself. */
  expectedLinks(page: number): number[] {
    const cursor = this.web.graph.cursor()
    cursor.seek(page)
    return [...cursor.targets.subarray(cursor.start, cursor.end)]
  }
}

export interface ContentWeb {
  readonly content: Content
  readonly port: number
  /** For `--connect-to`. */
  readonly connectTo: string
  /** The site is the host of the Host header. */
  readonly accesses: readonly Access<string>[]
  close(): Promise<void>
}

/** All of it takes about 20 seconds; hosts that come early in the alphabet, next to nothing. */
export async function readContent(options: ContentOptions = {}): Promise<Content> {
  const web = await readGraph(sharedPath(edgesFile), { urls: sharedPath(urlsFile) })
  const hostOfPage = Array.from({ length: web.graph.pages }, (_, page) => new URL(web.urls!.at(page)).host)
  const hosts = new Set(hostOfPage)
  const readHosts = options.hosts === undefined ? hosts : new Set(options.hosts)
  const wanted = (page: number): boolean => readHosts.has(hostOfPage[page])
  const last = hostOfPage.findLastIndex((host) => readHosts.has(host))
  const pages = await readContentPages(sharedPath(pagesFile), { hosts, wanted, last })
  return new Content(web, pages, hosts)
}

export interface ServeContentOptions {
  /** The robots.txt of a host; undefined: it has none, and 404 is the answer. */
  readonly robots?: (host: string) => string | undefined
}

export async function serveContent(content: Content, options: ServeContentOptions = {}): Promise<ContentWeb> {
  const accesses: Access<string>[] = []
  const makeServer = () =>
    createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
      const host = hostOf(request)
      watchAccess(host, request, response, (access) => accesses.push(access))
      answer(content, options, host, request, response)
    })
  const { port, servers } = await listenOnAll([address], 0, makeServer)
  return {
    content,
    port,
    connectTo: `::${address}:${port}`,
    accesses,
    close: async () => {
      const closed = closeAll(servers)
      for (const server of servers) server.closeAllConnections()
      await closed
    },
  }
}

function answer(
  content: Content,
  options: ServeContentOptions,
  host: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = request.url ?? ''
  const rules = path === '/robots.txt' ? options.robots?.(host) : undefined
  const page = content.pageOf(`http://${host}${path}`)
  const body = page === undefined ? undefined : content.pages.gzipped(page)
  if (rules !== undefined) return send(response, 200, 'text/plain', Buffer.from(rules))
  if (body === undefined) return send(response, 404, 'text/plain', Buffer.from('There is no such page.\n'))
  response.setHeader('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    return send(response, 200, 'text/html', Buffer.from(content.pages.html(page!)!))
  }
  response.setHeader('content-encoding', 'gzip')
  return send(response, 200, 'text/html', body)
}

function send(response: ServerResponse, status: number, type: string, body: Buffer): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': body.length })
  response.end(body)
}

/** In small letters, without a port: the data has none but the usual one. */
function hostOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
}

/** Pages by their URL, and by its canonical form where no page has that for its URL. */
function pagesByKey(web: Web): Map<string, number> {
  const pageOfKey = new Map<string, number>()
  for (let page = 0; page < web.graph.pages; page++) pageOfKey.set(keyOf(web.urls!.at(page)), page)
  for (let page = 0; page < web.graph.pages; page++) {
    const key = canonicalKeyOf(web.urls!.at(page))
    if (!pageOfKey.has(key)) pageOfKey.set(key, page)
  }
  return pageOfKey
}

/** A URL without its scheme and fragment. */
function keyOf(url: string): string {
  return url.replace(/^https?:/i, '').replace(/#.*$/s, '')
}

function canonicalKeyOf(url: string): string {
  return keyOf(canonicalUrl(url) ?? url)
}
