/** A crawl over loopback with its dashboard, and plain requests to it. */
import '../../src/view/dashboard/register.ts'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { crawl, type Crawl, type CrawlOptions, type CrawlTotals } from '../../src/crawler/crawler.ts'
import type { LiveEvents, QueryOf, ReadingName, ResponseOf } from '../../src/view/dashboard/api/index.ts'
import { bestSeed } from '../../src/webgraph/reachability.ts'
import { syntheticGraph } from '../../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb, type ServedWeb, type ServeOptions } from '../../src/webgraph/served/served-web.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface SentRequest {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** One request on a connection of its own, with exactly these headers and Host. */
export function send(url: string, { method = 'GET', headers = {}, body }: SentRequest = {}): Promise<Reply> {
  const { hostname, port, pathname, search, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: hostname, port, path: pathname + search, method, agent: false, headers: { host, ...headers } },
      (response: IncomingMessage) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** GET of an endpoint, which must succeed. */
export async function get<Name extends ReadingName>(
  url: string,
  name: Name,
  query: QueryOf<Name> = {},
): Promise<ResponseOf<Name>> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const { status, text } = await send(`${url}api/v1/${name}?${parameters.toString()}`)
  if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
  return JSON.parse(text) as ResponseOf<Name>
}

/** POST of a control. */
export function post(
  url: string,
  name: string,
  body: unknown,
  token?: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return send(`${url}api/v1/control/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export interface WatchedCrawl {
  readonly crawl: Crawl
  readonly served: ServedWeb
  readonly url: string
  readonly token: string
  readonly totals: Promise<CrawlTotals>
  /** Pages requested from the web. */
  readonly asked: number[]
  /** Lets the pages be answered that are held back. */
  release(): void
  close(): Promise<void>
}

export interface WatchedOptions {
  readonly options?: Partial<CrawlOptions>
  readonly serve?: ServeOptions
  readonly pages?: number
  readonly sites?: number
  /** Requests after this many wait for `release`. */
  readonly heldAfter?: number
}

export async function watchedCrawl(out: string, watched: WatchedOptions = {}): Promise<WatchedCrawl> {
  const { options = {}, serve = {}, pages = 300, sites = 12, heldAfter = Infinity } = watched
  const web = syntheticGraph({ pages, sites, seed: 7, linksPerPage: 6 })
  const { seed } = bestSeed(web.graph)
  const asked: number[] = []
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const served = await serveWeb(web, {
    ...serve,
    async onRequest(request, response) {
      if (request.page !== undefined) {
        asked.push(request.page)
        if (asked.length > heldAfter) await released
      }
      return serve.onRequest?.(request, response)
    },
  })
  let opened: (address: { url: string; token: string }) => void = () => {}
  const address = new Promise<{ url: string; token: string }>((resolve) => (opened = resolve))
  const running = crawl({
    seeds: [served.urlOf(seed)],
    out,
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    connections: 8,
    threads: 1,
    dashboard: '0',
    ...options,
    onEvent(event) {
      if (event.kind === 'dashboard') opened({ url: event.url, token: event.token ?? '' })
      options.onEvent?.(event)
    },
  })
  const totals = running.run()
  totals.catch(() => {})
  const { url, token } = await Promise.race([
    address,
    totals.then(() => {
      throw new Error('the crawl ended without a dashboard')
    }),
  ])
  return {
    crawl: running,
    served,
    url,
    token,
    totals,
    asked,
    release,
    async close() {
      release()
      running.stop({ now: true })
      await totals.catch(() => {})
      await served.close()
    },
  }
}

/** Waits until this is true; the test's own time limit ends a wait that is in vain. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Reads server-sent events until one satisfies `isLast`. */
export function eventsUntil(
  url: string,
  isLast: (name: keyof LiveEvents, body: unknown) => boolean,
  headers: Record<string, string> = {},
): Promise<[name: keyof LiveEvents, body: unknown][]> {
  const { hostname, port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const events: [keyof LiveEvents, unknown][] = []
    const sent = httpRequest(
      { host: hostname, port, path: '/api/v1/events', agent: false, headers: { host, ...headers } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
            text = text.slice(end + 2)
            if (name === undefined) continue
            const body = JSON.parse(data) as unknown
            events.push([name as keyof LiveEvents, body])
            if (!isLast(name as keyof LiveEvents, body)) continue
            sent.destroy()
            resolve(events)
            return
          }
        })
        response.on('end', () => reject(new Error('the stream ended')))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
