// A page handler: it extracts an item from every page and follows only the first ten links of each.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestSeed, crawl, serveWeb, syntheticGraph } from 'rankward'

const web = syntheticGraph({ pages: 300, sites: 8, seed: 3 })
const served = await serveWeb(web)
const out = join(mkdtempSync(join(tmpdir(), 'items-')), 'crawl')

await crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  out,
  pages: 25,
  scope: 'any',
  wait: 0,
  allowPrivate: true,
  onPage(page) {
    page.follow(...page.links.slice(0, 10))
    return { title: page.$('title').text(), links: page.$('a').length }
  },
}).run()
await served.close()

const items = readFileSync(join(out, 'items.jsonl'), 'utf8').trimEnd().split('\n')
console.log(`${items.length} items, the first: ${items[0]}`)
