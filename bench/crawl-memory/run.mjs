// Memory of a crawl, and its processor time, by size: 100,000 pages of an endless web, 5 million known URLs.
// Prints a row per sample: pages, known URLs, memory by holder, and CPU for 1,000 pages since the last row.
// Then bytes for each further known URL, by a linear fit over all but the first samples. `--pages`, `--links`
// per page, `--strategy`, `--samples`; small sizes finish in seconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crawl } from '../../dist/index.js'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    links: { type: 'string', default: '50' },
    strategy: { type: 'string', default: 'breadth-first' },
    samples: { type: 'string', default: '20' },
    folder: { type: 'string' },
    warc: { type: 'boolean', default: false },
  },
})
const pages = Number(values.pages)
const step = pages / Number(values.samples)

const server = spawn(process.execPath, [join(import.meta.dirname, 'endless-web.mjs'), values.links], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [port] = await once(server.stdout, 'data')
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'rankward-memory-'))
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
const mb = (bytes) => (bytes / 1e6).toFixed(0).padStart(6)
console.log('  pages     known     rss    peak    heap  arrays  CPU s per 1,000 pages')
let cpuBefore = cpuSeconds()
let doneBefore = 0
const timer = setInterval(() => {
  const { pages: done, known } = run.progress()
  if (done < doneBefore + step) return
  const { rss, heapTotal, arrayBuffers } = process.memoryUsage()
  const cpu = cpuSeconds()
  samples.push({ pages: done, known, rss })
  console.log(
    `${String(done).padStart(7)} ${String(known).padStart(9)} ${mb(rss)}  ${mb(peakBytes())}  ${mb(heapTotal)}  ${mb(arrayBuffers)}` +
      `  ${((1000 * (cpu - cpuBefore)) / (done - doneBefore)).toFixed(3)}`,
  )
  cpuBefore = cpu
  doneBefore = done
}, 20)
const totals = await run.run()
clearInterval(timer)
server.kill()
if (values.folder === undefined) rmSync(folder, { recursive: true })

const fitted = samples.slice(samples.length >> 2)
console.log(
  `${totals.pages} pages, ${totals.known} known URLs, ${totals.links} links in ${totals.seconds.toFixed(1)} s; peak ${mb(totals.peakRssBytes).trim()} MB, ${slope(fitted).toFixed(0)} bytes for each further known URL`,
)

/** Of resident memory over known URLs, by least squares. */
function slope(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length
  const x = mean(({ known }) => known)
  const y = mean(({ rss }) => rss)
  return mean((point) => (point.known - x) * (point.rss - y)) / mean(({ known }) => (known - x) ** 2)
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function peakBytes() {
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? 0)
}
