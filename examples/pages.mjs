// The pages of a crawl as they are fetched, most important first. A slow loop slows the crawl, so memory is
// bounded.
import { bestSeed, crawl, serveWeb, syntheticGraph } from 'rankward'

const web = syntheticGraph({ pages: 300, sites: 8, seed: 3 })
const served = await serveWeb(web)

const pages = crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  pages: 25,
  scope: 'any',
  wait: 0,
  allowPrivate: true,
})
for await (const page of pages) {
  console.log(`${page.score.toFixed(4)}  ${page.links.length} links  ${page.title}`)
}
const { coverage } = await pages.totals
console.log(`These 25 pages hold at least ${(100 * coverage.guaranteed).toFixed(1)}% of the importance.`)
await served.close()
