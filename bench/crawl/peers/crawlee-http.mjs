// crawlee-http.mjs URL PAGES CONCURRENCY: Crawlee's HttpCrawler, which leaves parsing to the caller: here
// links are found by a regular expression, the cheapest way.
import { Configuration, HttpCrawler, LogLevel, log } from '@crawlee/http'

const [start, pages, concurrency] = process.argv.slice(2)
log.setLevel(LogLevel.OFF)

// Counted here, not by maxRequestsPerCrawl: with that, enqueueLinks adds links in batches of what the budget
// has left, a second apart, so near the end handlers stall until they time out (Crawlee 3.18.1).
let handled = 0

const crawler = new HttpCrawler(
  {
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    maxRequestRetries: 0,
    useSessionPool: false,
    persistCookiesPerSession: false,
    async requestHandler({ body, request, enqueueLinks }) {
      const base = request.loadedUrl ?? request.url
      const urls = new Set()
      for (const [, , link] of String(body).matchAll(/<a\s[^>]*?href\s*=\s*(["'])(.*?)\1/gi)) {
        if (!URL.canParse(link, base)) continue
        const url = new URL(link, base)
        url.hash = ''
        if (url.protocol === 'http:' || url.protocol === 'https:') urls.add(url.href)
      }
      await enqueueLinks({ urls: [...urls], strategy: 'all' })
      if (++handled >= Number(pages)) process.exit()
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: true }),
)
await crawler.run([start])
