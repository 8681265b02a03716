// A stopped or killed crawl continues where it was; no page is fetched twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestSeed, crawl, resumeCrawl, serveWeb, syntheticGraph } from 'rankward'

const web = syntheticGraph({ pages: 300, sites: 6, seed: 4 })
const served = await serveWeb(web)
const folder = mkdtempSync(join(tmpdir(), 'rankward-example-'))
const out = join(folder, 'crawl')

const first = await crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  out,
  pages: 50,
  scope: 'any',
  wait: 0,
  allowPrivate: true,
}).run()
console.log(`First ${first.pages} pages, stopped because of ${first.stoppedBecause}.`)

const second = await resumeCrawl({ out, pages: 120 }).run()
const asked = served.accesses.filter(({ path }) => path !== '/robots.txt')
const twice = asked.length - new Set(asked.map(({ address, path }) => address + path)).size
console.log(`Then ${second.pages} in all; ${twice} were requested twice.`)

await served.close()
rmSync(folder, { recursive: true })
