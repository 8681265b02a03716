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
import { CrawlSnapshots } from '../../dist/crawl/crawl-snapshots.js'
import { openState } from '../../dist/crawl/crawl-state.js'
import { fingerprint } from '../../dist/lib/fingerprint.js'
import { settingsOf } from '../../dist/options/crawl-settings.js'
import { CrawlFolder } from '../../dist/record/crawl-folder.js'
import { newCounts } from '../../dist/record/tally.js'
import { noteForTraps } from '../../dist/worlds/real/trap-notes.js'
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
const pagesPerGroup = 300
const hosts = 250
const urlOf = (page) => `http://127.2.0.${1 + (page % hosts)}:8080/page-${page}.html`

const path = mkdtempSync(join(tmpdir(), 'rankward-tables-'))
const settings = settingsOf({
  seeds: [urlOf(0)],
  strategy: values.strategy,
  scope: 'any',
  pages: pagesMax,
  connections: 1,
})
const folder = await CrawlFolder.create(join(path, 'crawl'), { options: settings })
const state = await openState({
  folder,
  settings,
  counts: newCounts(),
  onTaken() {},
  onOutOfReach() {},
})
const { engine, pages, record, facts, content, near, traps } = state
const snapshots = new CrawlSnapshots(state, {
  folder: folder.snapshots,
  onFailure: (error) => {
    throw error
  },
})
const words = new Uint32Array(2)
const links = new Uint32Array(linksPerPage)
const newSites = new Uint32Array(linksPerPage)
let random = 1
const draw = () => (random = (Math.imul(random, 1664525) + 1013904223) >>> 0)
let now = 1.8e9
let taken = []
const world = {
  now: () => now,
  fetch: (site, list, count) => taken.push([site, [...list.subarray(0, count)]]),
}
const curve = new Curve(pagesMax / Number(values.samples), ['engine', 'table', 'others'])
let done = 0
pages.addSeed(urlOf(0))
engine.seed(0)
engine.budget(pagesMax, Infinity, Infinity)
for (;;) {
  engine.dispatch(world)
  const batch = taken
  taken = []
  if (batch.length === 0) break
  for (const [site, list] of batch) {
    for (const page of list) fetched(page)
    engine.closed(site, now)
    if (done % pagesPerGroup === 0) await commit()
    curve.add(done, pages.known, holders)
  }
  now += 0.001
}
await commit(true)
await snapshots.written()
await state.log.close()
folder.update({ totals: undefined })
console.log(
  `${done} pages, ${pages.known} known URLs; ${curve.summary}, longest stall ${snapshots.longestMs.toFixed(0)} ms`,
)
resume('resume from the snapshot')
if (!values['no-replay']) {
  rmSync(folder.snapshots, { recursive: true })
  resume('resume by a full replay')
}
rmSync(path, { recursive: true })

function fetched(page) {
  const knownBefore = pages.known
  for (let i = 0; i < linksPerPage; i++) {
    const target = pages.known
    const url = urlOf(target)
    fingerprint(url, words, 0)
    newSites[i] = pages.add(words[0], words[1], url, page)
    links[i] = target
  }
  const prints = Uint32Array.from({ length: 6 }, draw)
  const site = engine.pages.siteOf(page)
  content.body(page, site, prints[0], prints[1])
  content.text(page, prints[2], prints[3])
  const sketch = Uint32Array.from({ length: 10 }, draw)
  near?.add(page, sketch)
  if (traps !== undefined) {
    noteForTraps(traps, pages, page, {
      links,
      linkCount: linksPerPage,
      knownBefore,
      isCopy: false,
      isSameText: false,
      isAlike: false,
      original: -1,
      text: prints[2],
      shape: prints[3],
    })
  }
  record.putOutcome(page, {
    at: Math.round(now * 1000),
    ms: 80,
    status: 200,
    score: 1 / (1 + page),
    order: ++done,
    bytes: 20_000,
    type: 'text/html; charset=utf-8',
    title: `Page ${page}`,
    links: linksPerPage,
    shape: prints[3],
    prints,
    sketch,
  })
  engine.fetched(page, links, linksPerPage, newSites)
}

async function commit(isLast = false) {
  // Over HTTP a group takes as long as the snapshot of the group before.
  await snapshots.written()
  const bytes = facts.takeBytes()
  record.closeGroup()
  const saved = snapshots.take(isLast)
  const length = await record.commit(bytes, new Map(), { pages: done })
  snapshots.committed(length, saved)
}

/** Memory of the tables, with what is reserved for growth. */
function holders() {
  const others = content.byteLength + (near?.byteLength ?? 0) + (traps?.byteLength ?? 0)
  return [engine.byteLength, pages.byteLength, others]
}

function resume(how) {
  const open = join(import.meta.dirname, '..', 'resume', 'open.mjs')
  const { known, seconds, cpuSeconds, peakMB } = JSON.parse(
    execFileSync(process.execPath, [open, folder.path], { encoding: 'utf8' }),
  )
  console.log(
    `${how}: ${known} known URLs, ${seconds.toFixed(2)} s (CPU ${cpuSeconds.toFixed(2)} s), peak ${(1.048576 * peakMB).toFixed(0)} MB`,
  )
}
