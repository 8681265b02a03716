/**
 * A crawl with a dashboard that lasts as long as a test needs it: the first pages come at once, later ones slowly. Its seed
 * is a hostile page that attacks the dashboard with its title, headers, links and text.
 */
import '../../src/view/dashboard/register.ts'
import { crawl, type Crawl } from '../../src/crawler/crawler.ts'
import { bestSeed } from '../../src/webgraph/reachability.ts'
import { syntheticGraph } from '../../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb, type ServedWeb } from '../../src/webgraph/served/served-web.ts'

const pages = 6000
const quickRequests = 320
const slowMs = 1500

/** Sets `window.attacked` if any of it is ever executed. */
export const attack = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script><svg onload=window.attacked=1>{{attacked}}`
export const hostileTitle = `${attack} \u202Egnp.exe ${'W'.repeat(400)} ${'Z\u0335\u0351\u0352\u0353\u0354'.repeat(30)}`

const paths = [
  `/${attack}`,
  `/${'long'.repeat(400)}`,
  `/javascript:window.attacked=1`,
  `/'onmouseover='window.attacked=1'`,
  `/\u202Etxt.exe?${'ü'.repeat(300)}`,
]

export interface WatchedCrawl {
  readonly url: string
  readonly token: string
  readonly seedUrl: string
  readonly web: ServedWeb
  readonly done: Promise<unknown>
  close(): Promise<void>
}

export async function watchedCrawl(out: string): Promise<WatchedCrawl> {
  const synthetic = syntheticGraph({ pages, sites: 40, seed: 3 })
  const { seed } = bestSeed(synthetic.graph)
  let requests = 0
  const web = await serveWeb(synthetic, {
    keepAccesses: false,
    latencyMs: () => (requests++ < quickRequests ? 0 : slowMs),
    robots: (site) => `User-agent: *\nDisallow: ${site % 7 === 3 ? '/' : '/private'}\n# ${attack}\n`,
    onRequest({ path, page }, response) {
      if (page === seed || decodeURIComponent(path).startsWith('/"')) {
        const links = [...paths.map((each) => each.replaceAll('"', '&quot;')), ...firstPages(web, seed)]
        response.writeHead(200, {
          'content-type': 'text/html',
          'x-attack': attack,
          'x-long': 'h'.repeat(5000),
        })
        response.end(
          `<title>${escaped(hostileTitle)}</title><p>harvest ${escaped(attack)}<script>window.attacked=1</script>` +
            links.map((href) => `<a href="${href}">link</a>`).join(' '),
        )
        return true
      }
      const status =
        page === undefined ? undefined : page % 19 === 5 ? 404 : page % 31 === 7 ? 503 : undefined
      if (status === undefined) return false
      response.writeHead(status).end()
      return true
    },
  })
  let started: (dashboard: { url: string; token: string }) => void
  const dashboard = new Promise<{ url: string; token: string }>((resolve) => (started = resolve))
  let fetched = 0
  let filled: () => void
  const isFilled = new Promise<void>((resolve) => (filled = resolve))
  const running: Crawl = crawl({
    seeds: [web.urlOf(seed)],
    out,
    scope: 'any',
    wait: 0,
    waitFactor: 0,
    connections: 3,
    threads: 1,
    allowPrivate: true,
    contact: 'https://localhost/',
    dashboard: '0',
    onEvent(event) {
      if (event.kind === 'dashboard') started({ url: event.url, token: event.token! })
      if (event.kind === 'page' && ++fetched === 200) filled()
    },
  })
  const done = running.run()
  const { url, token } = await dashboard
  await isFilled
  return {
    url,
    token,
    seedUrl: web.urlOf(seed),
    web,
    done,
    close: async () => {
      running.stop()
      await done
      await web.close()
    },
  }
}

function firstPages(web: ServedWeb, seed: number): string[] {
  return Array.from({ length: 60 }, (_, i) => web.urlOf((seed + 37 * (i + 1)) % pages))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
