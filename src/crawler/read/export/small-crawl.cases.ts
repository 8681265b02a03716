/**
 * A small real crawl over loopback that covers all cases: a redirect, an error, a copy, a page that
 * robots.txt disallows, links out of scope and a budget that leaves pages waiting. Pages of the served web:
 *
 *   0 → 1 2 3 12      1 → 4 5 0      2 → 4 6      3 → 8 9 4 3     4 → 10 13 12     5, 11: one text
 *   6: leads to 7     7 → 0          8: 404       9: forbidden    10 → 11 14 … 20  12, 13: another host
 */
import { crawl } from '../../crawler.ts'
import { graphOf } from '../../../webgraph/csr-graph.ts'
import { sitesFromNumbers } from '../../../webgraph/sites.ts'
import { serveWeb } from '../../../webgraph/served/served-web.ts'
import type { CrawlOptions, CrawlTotals } from '../../options/crawl-options.ts'

const lists = [
  [1, 2, 3, 12],
  [4, 5, 0],
  [4, 6],
  [8, 9, 4, 3],
  [10, 13, 12],
  [],
  [],
  [0],
  [],
  [],
  [11, 14, 15, 16, 17, 18, 19, 20],
  ...Array.from({ length: 10 }, () => []),
]

const robotsTxt = `User-agent: other
Disallow: /

User-agent: *
Disallow: /p/9
Disallow: /p/9.html$
Allow: /p/
`

export interface SmallCrawl {
  readonly folder: string
  readonly totals: CrawlTotals
  /** By page of the served web. */
  readonly urls: readonly string[]
}

export async function smallCrawl(folder: string, options: Partial<CrawlOptions> = {}): Promise<SmallCrawl> {
  const web = {
    graph: graphOf(lists),
    sites: sitesFromNumbers(lists.map((_, i) => (i === 12 || i === 13 ? 1 : 0))),
  }
  const served = await serveWeb(web, {
    robots: (site) => (site === 0 ? robotsTxt : undefined),
    onRequest: ({ page }, response) => {
      if (page === 5 || page === 11)
        response.setHeader('content-type', 'text/html').end('<title>Copy</title>Text')
      else if (page === 6) response.writeHead(301, { location: '/p/7.html' }).end()
      else if (page === 8) response.writeHead(404, { 'content-type': 'text/html' }).end('Not here')
      else return false
      return true
    },
  })
  try {
    const urls = lists.map((_, page) => served.urlOf(page))
    const settings = {
      out: folder,
      wait: 0,
      connections: 1,
      threads: 1,
      pages: 13,
      allowPrivate: true,
      ...options,
    }
    return { folder, urls, totals: await crawl({ seeds: [urls[0]], ...settings }).run() }
  } finally {
    await served.close()
  }
}
