// One engine, two worlds: compares strategies on a stored web, then crawls the real web with the best one.
import { bestSeed, crawl, serveWeb, simulate, syntheticGraph, webOf } from 'rankward'

const budget = 60
const web = syntheticGraph({ pages: 400, sites: 10, seed: 7 })
const { seed } = bestSeed(web.graph)

const { runs } = await simulate(webOf({ graph: web.graph, givenSites: web.sites }), {
  strategies: ['breadth-first', 'backlink-count', 'opic', 'exact-rankmass'],
  seeds: [seed],
  pages: budget,
})
for (const run of runs) {
  console.log(
    `${run.strategy}: ${(100 * run.curve.at(-1)).toFixed(1)}% of the PageRank with ${run.visited} pages`,
  )
}
const [best] = runs.toSorted((a, b) => b.curve.at(-1) - a.curve.at(-1))

const served = await serveWeb(web)
const totals = await crawl({
  seeds: [served.urlOf(seed)],
  strategy: best.strategy,
  pages: budget,
  scope: 'any',
  wait: 0,
  connections: 1,
  allowPrivate: true,
}).run()
console.log(`Crawled ${totals.pages} pages by ${best.strategy}.`)
await served.close()
