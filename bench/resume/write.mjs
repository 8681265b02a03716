// Writes the record of a crawl of a given size, as a crawl over HTTP would: through the real tables, engine,
// log and snapshots, with a synthetic web in place of the network. Arguments: folder, pages, strategy.
import { SyntheticWeb } from '../../dist/webgraph/synthetic/synthetic-web.js'
import { OfflineCrawl } from '../offline-crawl.mjs'

const [path, pagesText, strategy] = process.argv.slice(2)
const pagesMax = Number(pagesText)
const web = new SyntheticWeb({ pages: Math.ceil(pagesMax * 1.3), linksPerPage: 10 })
const seeds = Array.from({ length: 20 }, (_, i) => web.siteStart(i)).map((page) => web.urlOf(page))
const crawl = await OfflineCrawl.create(path, { seeds, strategy, pages: pagesMax, linksMax: web.degreeMax })
const { engine, pages } = crawl.state
const numberOf = new Map()
const webPage = []
seeds.forEach((url, i) => {
  const site = pages.addSeed(url)
  if (site === undefined) return
  webPage.push(web.siteStart(i))
  numberOf.set(web.siteStart(i), webPage.length - 1)
  engine.seed(site)
})
const found = new Uint32Array(web.degreeMax)
const startMs = performance.now()
await crawl.run({
  linksOf(page) {
    const count = web.linksOf(webPage[page], found)
    let fresh = 0
    for (let i = 0; i < count; i++) {
      let target = numberOf.get(found[i])
      if (target === undefined) {
        target = pages.known
        numberOf.set(found[i], target)
        webPage.push(found[i])
        crawl.newSites[fresh++] = crawl.addPage(web.urlOf(found[i]), page)
      }
      crawl.links[i] = target
    }
    return count
  },
  detailsOf: (page) => ({
    title: `The title of page ${page}, of usual length`,
    warc: {
      thread: 0,
      serial: 1,
      offset: 20_000 * crawl.done,
      length: 9000,
      id: '123e4567-e89b-12d3-a456-426614174000',
    },
  }),
})
console.log(
  JSON.stringify({
    pages: crawl.done,
    known: pages.known,
    seconds: (performance.now() - startMs) / 1000,
    longestStallMs: crawl.longestMs,
    peakMB: process.resourceUsage().maxRSS / 1024,
  }),
)
