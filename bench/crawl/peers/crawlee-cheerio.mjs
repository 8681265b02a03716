// crawlee-cheerio.mjs URL PAGES CONCURRENCY: Crawlee's CheerioCrawler, as its documentation's first example.
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio'

const [start, pages, concurrency] = process.argv.slice(2)
log.setLevel(LogLevel.OFF)

// Counted here, not by maxRequestsPerCrawl: with that, enqueueLinks adds links in batches of what the budget
// has left, a second apart, so near the end handlers stall until they time out (Crawlee 3.18.1).
let handled = 0

const crawler = new CheerioCrawler(
  {
    // Both bounds: otherwise the pool would start at one request and scale up slowly.
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    maxRequestRetries: 0,
    // Rotating identities is work that no other competitor does.
    useSessionPool: false,
    persistCookiesPerSession: false,
    async requestHandler({ enqueueLinks }) {
      await enqueueLinks({ strategy: 'all' })
      if (++handled >= Number(pages)) process.exit()
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: true }),
)
await crawler.run([start])
