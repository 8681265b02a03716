// Writes the record of a crawl of a given size, as a crawl over HTTP would: through the real tables, engine,
// log and snapshots, with a synthetic web in place of the network. Arguments: folder, pages, strategy.
import { CrawlSnapshots } from '../../dist/crawl/crawl-snapshots.js'
import { openState } from '../../dist/crawl/crawl-state.js'
import { SyntheticWeb } from '../../dist/graph/synthetic/synthetic-web.js'
import { fingerprint } from '../../dist/lib/fingerprint.js'
import { settingsOf } from '../../dist/options/crawl-settings.js'
import { CrawlFolder } from '../../dist/record/crawl-folder.js'
import { newCounts } from '../../dist/record/tally.js'
import { noteForTraps } from '../../dist/worlds/real/trap-notes.js'

const [path, pagesText, strategy] = process.argv.slice(2)
const pagesMax = Number(pagesText)
const pagesPerGroup = 300
const web = new SyntheticWeb({ pages: Math.ceil(pagesMax * 1.3), linksPerPage: 10 })
const numberOf = new Map()
const seeds = Array.from({ length: 20 }, (_, i) => web.siteStart(i)).map((page) => web.urlOf(page))
const settings = settingsOf({ seeds, strategy, scope: 'any', pages: pagesMax, connections: 1 })
const folder = await CrawlFolder.create(path, { options: settings })
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
const webPage = []
seeds.forEach((url, i) => {
  const site = pages.addSeed(url)
  if (site === undefined) return
  webPage.push(web.siteStart(i))
  numberOf.set(web.siteStart(i), webPage.length - 1)
  engine.seed(site)
})
const found = new Uint32Array(web.degreeMax)
const links = new Uint32Array(web.degreeMax)
const newSites = new Uint32Array(web.degreeMax)
let random = 1
const draw = () => (random = (Math.imul(random, 1664525) + 1013904223) >>> 0)
let now = 1.8e9
let taken = []
const world = {
  now: () => now,
  fetch: (site, list, count) => taken.push([site, [...list.subarray(0, count)]]),
}
let done = 0
const startMs = performance.now()
engine.budget(pagesMax, Infinity, Infinity)
// Stops before the engine has finished: the state after its final work cannot be restored.
for (;;) {
  engine.dispatch(world)
  const batch = taken
  taken = []
  if (batch.length === 0) break
  for (const [site, list] of batch) {
    for (const page of list) fetched(page)
    engine.closed(site, now)
    if (done % pagesPerGroup === 0) await commit()
  }
  now += 0.001
}
await commit(true)
await snapshots.written()
await state.log.close()
folder.update({ totals: undefined })
console.log(
  JSON.stringify({
    pages: done,
    known: pages.known,
    seconds: (performance.now() - startMs) / 1000,
    longestStallMs: snapshots.longestMs,
    peakMB: process.resourceUsage().maxRSS / 1024,
  }),
)

function fetched(page) {
  const count = web.linksOf(webPage[page], found)
  const knownBefore = pages.known
  let fresh = 0
  for (let i = 0; i < count; i++) {
    let target = numberOf.get(found[i])
    if (target === undefined) {
      const url = web.urlOf(found[i])
      fingerprint(url, words, 0)
      target = pages.known
      numberOf.set(found[i], target)
      webPage.push(found[i])
      newSites[fresh++] = pages.add(words[0], words[1], url, page)
    }
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
      linkCount: count,
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
    title: `The title of page ${page}, of usual length`,
    links: count,
    shape: prints[3],
    prints,
    sketch,
    warc: {
      thread: 0,
      serial: 1,
      offset: 20_000 * done,
      length: 9000,
      id: '123e4567-e89b-12d3-a456-426614174000',
    },
  })
  engine.fetched(page, links, count, newSites)
}

async function commit(isLast = false) {
  const bytes = facts.takeBytes()
  record.closeGroup()
  const saved = snapshots.take(isLast)
  const length = await record.commit(bytes, new Map(), { pages: done })
  snapshots.committed(length, saved)
}
