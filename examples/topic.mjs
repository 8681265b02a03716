// A crawl with a topic: how many pages about it 300 downloads find, in discovery order and with a learning
// model.
import { bestSeed, crawl, serveWeb, topicalWeb } from 'rankward'

const web = topicalWeb({ pages: 3000, sites: 30, seed: 2 })
const served = await serveWeb(web, { html: web.html })

for (const strategy of ['breadth-first', 'learned-topic']) {
  const { hot } = await crawl({
    seeds: [served.urlOf(bestSeed(web.graph).seed)],
    topic: 'computer',
    strategy,
    pages: 300,
    connections: 4,
    scope: 'any',
    wait: 0,
    allowPrivate: true,
  }).run()
  console.log(`${strategy}: ${hot} pages about computers`)
}
await served.close()
