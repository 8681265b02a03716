// Crawls until 90% of the importance is certain, keeps everything in a folder, and reads the archive back.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestSeed, crawl, readWarc, serveWeb, syntheticGraph } from 'rankward'

const web = syntheticGraph({ pages: 500, sites: 10, seed: 5 })
const served = await serveWeb(web)
const out = join(mkdtempSync(join(tmpdir(), 'rankward-example-')), 'crawl')

const totals = await crawl({
  seeds: [served.urlOf(bestSeed(web.graph).seed)],
  out,
  strategy: 'exact-rankmass',
  coverage: 0.9,
  scope: 'any',
  wait: 0,
  allowPrivate: true,
}).run()
console.log(totals.headline)

const warc = join(out, 'warc')
const files = readdirSync(warc).filter((name) => name.endsWith('.warc.gz'))
const records = files.flatMap((name) => [...readWarc(join(warc, name))])
console.log(`${records.filter(({ type }) => type === 'response').length} responses are in the archive.`)

await served.close()
rmSync(join(out, '..'), { recursive: true })
