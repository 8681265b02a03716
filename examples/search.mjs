// Crawls, then searches the fetched pages, ranked by their text and their PageRank.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestSeed, crawl, search, serveWeb, syntheticGraph } from 'rankward'

const web = syntheticGraph({ pages: 300, sites: 6, seed: 5 })
const served = await serveWeb(web)
const folder = mkdtempSync(join(tmpdir(), 'rankward-example-'))
const out = join(folder, 'crawl')

await crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  out,
  pages: 100,
  scope: 'any',
  wait: 0,
  allowPrivate: true,
}).run()
await served.close()

const { pages, matches, results } = await search(out, 'quiet harbours', { limit: 3, language: 'en' })
console.log(`${matches} of ${pages} pages:`)
for (const { title, score, snippet, found } of results) {
  const [start, end] = found[0] ?? [0, 0]
  console.log(`${score.toFixed(2)}  ${title}  …${snippet.slice(start, end)}…`)
}
rmSync(folder, { recursive: true })
