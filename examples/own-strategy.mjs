// A custom ordering: a function that creates a strategy. Here pages nearer to the seeds are fetched first.
import { bestSeed, crawl, serveWeb, syntheticGraph } from 'rankward'

function shallowFirst() {
  let depths = []
  return {
    name: 'shallow-first',
    discovered: (page, parent) => -(depths[page] = parent < 0 ? 0 : depths[parent] + 1),
    visited: () => 0,
    linked: (page) => -depths[page],
    score: (page) => -depths[page],
    // Optional: saves the state of the strategy in snapshots, so that a resume need not replay the whole log.
    transfer: (state) => void (depths = [...state.array(Uint32Array.from(depths))]),
  }
}

const web = syntheticGraph({ pages: 200, sites: 5, seed: 2 })
const served = await serveWeb(web)
const depths = []
for await (const page of crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  strategy: shallowFirst,
  pages: 40,
  scope: 'any',
  wait: 0,
  connections: 1,
  allowPrivate: true,
})) {
  depths.push(page.depth)
}
console.log(`Depths in fetch order: ${depths.join(' ')}`)
await served.close()
