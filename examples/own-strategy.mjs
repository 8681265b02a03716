// An ordering of your own: a module with one function. Here pages nearer to the seeds come first.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestSeed, crawl, serveWeb, syntheticGraph } from 'rankward'

const folder = mkdtempSync(join(tmpdir(), 'rankward-example-'))
const module = join(folder, 'shallow-first.mjs')
writeFileSync(
  module,
  `export default () => {
    let depths = []
    return {
      name: 'shallow-first',
      discovered: (page, parent) => -(depths[page] = parent < 0 ? 0 : depths[parent] + 1),
      visited: () => 0,
      linked: (page) => -depths[page],
      score: (page) => -depths[page],
      // Optional: lets a snapshot hold what the strategy remembers, so that a resume need not replay the whole log.
      transfer: (state) => void (depths = [...state.array(Uint32Array.from(depths))]),
    }
  }`,
)

const web = syntheticGraph({ pages: 200, sites: 5, seed: 2 })
const served = await serveWeb(web)
const depths = []
for await (const page of crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  strategy: module,
  pages: 40,
  scope: 'any',
  wait: 0,
  robots: 1,
  allowPrivate: true,
})) {
  depths.push(page.depth)
}
console.log(`Depths in the order they came: ${depths.join(' ')}`)
await served.close()
rmSync(folder, { recursive: true })
