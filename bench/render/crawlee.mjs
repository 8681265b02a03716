/**
 * Crawlee's browser crawlers on the seeds given: `crawlee.mjs FOLDER MODE CHROMIUM SEED…`. FOLDER is one in which @crawlee/playwright and
 * playwright are installed. MODE: `shared` (one context for all pages), `incognito` (a context each), `adaptive` (renders where its predictor says so).
 * Prints the numbers of pages that it handled with a browser and without one, as JSON.
 */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const [folder, mode, executablePath, ...seeds] = process.argv.slice(2)
const require = createRequire(join(resolve(folder), 'package.json'))
const {
  AdaptivePlaywrightCrawler,
  Configuration,
  LogLevel,
  PlaywrightCrawler,
  log,
} = require('@crawlee/playwright')
log.setLevel(LogLevel.OFF)

const options = {
  launchContext: {
    useIncognitoPages: mode === 'incognito',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        // As Rankward starts it: pages of the address bar and spare renderers are left out.
        '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,SpareRendererForSitePerProcess',
      ],
    },
  },
  minConcurrency: 1,
  maxConcurrency: 1,
  maxRequestRetries: 1,
  useSessionPool: false,
  persistCookiesPerSession: false,
}
const configuration = new Configuration({ persistStorage: false, purgeOnStart: true })
let browser = 0
const crawler =
  mode === 'adaptive'
    ? new AdaptivePlaywrightCrawler(
        {
          ...options,
          async requestHandler({ enqueueLinks, querySelector }) {
            // Its documentation: what a page needs is found by waiting for it, with an error without a browser.
            await querySelector('a')
            await enqueueLinks({ strategy: 'all' })
          },
        },
        configuration,
      )
    : new PlaywrightCrawler(
        {
          ...options,
          async requestHandler({ page, enqueueLinks }) {
            browser++
            await page.waitForLoadState('networkidle')
            await enqueueLinks({ strategy: 'all' })
          },
        },
        configuration,
      )
await crawler.run(seeds)
const { browserRequestHandlerRuns = browser, httpOnlyRequestHandlerRuns = 0 } = crawler.stats.state
console.log(JSON.stringify({ rendered: browserRequestHandlerRuns, plain: httpOnlyRequestHandlerRuns }))
process.exit()
