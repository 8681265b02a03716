// Memory of a crawl, and its processor time, by size: 100,000 pages of an endless web, 5 million known URLs.
// Prints a row per sample: pages, known URLs, memory by holder, and CPU for 1,000 pages since the last row.
// Then bytes for each further known URL, by a linear fit over all but the first samples. `--pages`, `--links`
// per page, `--strategy`, `--samples`; small sizes finish in seconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crawl } from '../../dist/bundle/index.js'
import { Curve } from './curve.mjs'

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
  // An endless web is a trap: its pages would be put last.
  traps: false,
})
const curve = new Curve(pages / Number(values.samples))
const timer = setInterval(() => {
  const { pages: done, known } = run.progress()
  curve.add(done, known)
}, 20)
const totals = await run.run()
clearInterval(timer)
server.kill()
if (values.folder === undefined) rmSync(folder, { recursive: true })

console.log(
  `${totals.pages} pages, ${totals.known} known URLs, ${totals.links} links in ${totals.seconds.toFixed(1)} s; ${curve.summary}`,
)
