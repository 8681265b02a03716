// Memory of a crawl: 100,000 pages of an endless web, 5 million known URLs; resident memory by number of
// known URLs, and the memory of engine and tables. `--pages`, `--strategy`; small sizes finish in seconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crawl } from '../../dist/index.js'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    strategy: { type: 'string', default: 'breadth-first' },
    warc: { type: 'boolean', default: false },
  },
})
const pages = Number(values.pages)

const server = spawn(process.execPath, [join(import.meta.dirname, 'endless-web.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [port] = await once(server.stdout, 'data')
const folder = mkdtempSync(join(tmpdir(), 'rankward-memory-'))
const run = crawl({
  seeds: [`http://127.2.0.1:${String(port).trim()}/page-0.html`],
  out: join(folder, 'crawl'),
  pages,
  strategy: values.strategy,
  warc: values.warc,
  scope: 'any',
  wait: 0,
  robotsTxt: false,
  allowPrivate: true,
})
const samples = []
let next = pages / 20
const timer = setInterval(() => {
  const { pages: done, known } = run.progress()
  if (done < next) return
  next = done + pages / 20
  samples.push({ pages: done, known, rss: process.memoryUsage.rss() })
  console.log(`${done} pages, ${known} known, ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`)
}, 20)
const totals = await run.run()
clearInterval(timer)
server.kill()
rmSync(folder, { recursive: true })

const [first] = samples.slice(samples.length >> 2)
const last = samples.at(-1)
const bytesPerPage = (last.rss - first.rss) / (last.known - first.known)
console.log(
  `${totals.pages} pages, ${totals.known} known URLs, ${totals.links} links in ${totals.seconds.toFixed(1)} s; peak ${(totals.peakRssBytes / 1e6).toFixed(0)} MB, ${bytesPerPage.toFixed(0)} bytes for each further known URL`,
)
