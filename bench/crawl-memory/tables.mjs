// Memory and processor time of everything but the network: the endless web of run.mjs is crawled through the
// real tables, engine, log and snapshots. Each page has so many links that no other page has. Prints a row
// per sample: memory by holder, and CPU for 1,000 pages since the row before. Then the time and memory of a
// resume, from the last snapshot and by a full replay. `--pages`, `--links`,
// `--strategy`, `--samples`, `--no-replay`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OfflineCrawl } from '../offline-crawl.mjs'
import { Curve } from './curve.mjs'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    links: { type: 'string', default: '50' },
    strategy: { type: 'string', default: 'breadth-first' },
    samples: { type: 'string', default: '20' },
    'no-replay': { type: 'boolean', default: false },
  },
})
const pagesMax = Number(values.pages)
const linksPerPage = Number(values.links)
const hosts = 250
const urlOf = (page) => `http://127.2.0.${1 + (page % hosts)}:8080/page-${page}.html`

const path = mkdtempSync(join(tmpdir(), 'rankward-tables-'))
const crawl = await OfflineCrawl.create(join(path, 'crawl'), {
  seeds: [urlOf(0)],
  strategy: values.strategy,
  pages: pagesMax,
  linksMax: linksPerPage,
})
const { engine, pages } = crawl.state
pages.addSeed(urlOf(0))
engine.seed(0)
const curve = new Curve(pagesMax / Number(values.samples), ['engine', 'table', 'others'])
await crawl.run({
  isPaced: true,
  linksOf(page) {
    for (let i = 0; i < linksPerPage; i++) {
      const target = pages.known
      crawl.newSites[i] = crawl.addPage(urlOf(target), page)
      crawl.links[i] = target
    }
    return linksPerPage
  },
  detailsOf: (page) => ({ title: `Page ${page}` }),
  onTurn: () => curve.add(crawl.done, pages.known, holders),
})
console.log(
  `${crawl.done} pages, ${pages.known} known URLs; ${curve.summary}, longest stall ${crawl.longestMs.toFixed(0)} ms`,
)
resume('resume from the snapshot')
if (!values['no-replay']) {
  rmSync(crawl.folder.snapshots, { recursive: true })
  resume('resume by a full replay')
}
rmSync(path, { recursive: true })

/** Memory of the tables, with what is reserved for growth. */
function holders() {
  const { engine, pages, parts } = crawl.state
  const others = parts.all.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0)
  return [engine.byteLength, pages.byteLength, others]
}

function resume(how) {
  const open = join(import.meta.dirname, '..', 'resume', 'open.mjs')
  const { known, seconds, cpuSeconds, peakMB } = JSON.parse(
    execFileSync(process.execPath, [open, crawl.folder.path], { encoding: 'utf8' }),
  )
  console.log(
    `${how}: ${known} known URLs, ${seconds.toFixed(2)} s (CPU ${cpuSeconds.toFixed(2)} s), peak ${(1.048576 * peakMB).toFixed(0)} MB`,
  )
}
