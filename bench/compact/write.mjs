// Writes the record of a continuous crawl, as a crawl over HTTP would: through the real tables, engine, log and
// snapshots, with a synthetic web in place of the network and a clock of its own. Arguments: folder, pages, looks for
// each page, looks per second, percentage of looks that find a change.
import { FileSnapshots } from '../../dist/crawler/record/snapshot-shelf.js'
import { CrawlSnapshots } from '../../dist/crawler/session/crawl-snapshots.js'
import { openState, statefulParts } from '../../dist/crawler/session/crawl-state.js'
import { SyntheticWeb } from '../../dist/webgraph/synthetic/synthetic-web.js'
import { fingerprint } from '../../dist/lib/fingerprint.js'
import { settingsOf } from '../../dist/crawler/options/crawl-settings.js'
import { CrawlFolder } from '../../dist/crawler/record/crawl-folder.js'
import { newCounts } from '../../dist/crawler/record/tally.js'

const [path, ...numbers] = process.argv.slice(2)
const [pagesMax, looksEach, perSecond, changePercent] = numbers.map(Number)
const groupSeconds = 0.5
const progressSeconds = 10
let now = 1.8e9
Date.now = () => Math.round(1000 * now)

const web = new SyntheticWeb({ pages: pagesMax, linksPerPage: 10 })
const numberOf = new Map()
const webPage = []
const seeds = Array.from({ length: 20 }, (_, i) => web.siteStart(i)).map((page) => web.urlOf(page))
const settings = settingsOf({
  seeds,
  strategy: 'opic',
  scope: 'any',
  continuous: true,
  recrawlPolicy: 'uniform',
  rate: 86_400 * perSecond,
  restSeconds: 1,
  connections: 1,
  traps: false,
})
const folder = await CrawlFolder.create(path, { options: settings })
const counts = newCounts()
const state = await openState({ folder, settings, counts, onTaken() {}, onOutOfReach() {} })
const { engine, pages, record, facts } = state
const files = new FileSnapshots({
  folder: folder.snapshots,
  log: state.log,
  index: record.index,
  onFailure: (error) => {
    throw error
  },
})
const snapshots = new CrawlSnapshots({ engine, parts: () => statefulParts(state) }, files)
seeds.forEach((url, i) => {
  const site = pages.addSeed(url)
  if (site === undefined) return
  webPage.push(web.siteStart(i))
  numberOf.set(web.siteStart(i), webPage.length - 1)
  engine.seed(site)
})
const words = new Uint32Array(2)
const found = new Uint32Array(web.degreeMax)
const links = new Uint32Array(web.degreeMax)
const newSites = new Uint32Array(web.degreeMax)
let random = 1
const draw = () => (random = (Math.imul(random, 1664525) + 1013904223) >>> 0)
const hex = (count) => Array.from({ length: count }, () => (draw() >>> 28).toString(16)).join('')
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-')
const digests = new Map()
const digest = () =>
  `sha1:${Array.from({ length: 32 }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[draw() >>> 27]).join('')}`
let taken = []
const world = {
  now: () => now,
  fetch: (site, list, count) => taken.push([site, [...list.subarray(0, count)]]),
}
let looks = 0
let changes = 0
let warcBytes = 0
let groupAt = now
let progressAt = 0
const looksMax = pagesMax * looksEach
const startMs = performance.now()
record.putSettings(settings)
engine.budget(Infinity, Infinity, Infinity)
engine.rate(86_400 * perSecond)
while (looks < looksMax) {
  engine.dispatch(world)
  const batch = taken
  taken = []
  if (batch.length === 0) now = Math.max(now + 0.001, Math.min(engine.nextDue(), now + 1))
  for (const [site, list] of batch) {
    for (const page of list) look(page)
    engine.closed(site, now)
  }
  if (now >= groupAt + groupSeconds && facts.length > 0) await commit()
}
await commit(true)
await files.written()
await state.log.close()
folder.update({ totals: undefined })
console.log(
  JSON.stringify({
    pages: engine.pages.fetchedCount,
    known: pages.known,
    looks,
    changes,
    groups: state.log.last,
    seconds: (performance.now() - startMs) / 1000,
  }),
)

function look(page) {
  looks++
  counts.sent++
  counts.bytes += 20_000
  const isFirst = engine.recrawl.held.looks(page) === 0
  const isChanged = !isFirst && (draw() >>> 8) % 100 < changePercent
  const isVersion = isFirst || isChanged
  const linkCount = isVersion ? linksOf(page) : 0
  const startedMs = Math.round(1000 * now)
  now += 0.02
  if (isVersion) digests.set(page, digest())
  const length = isVersion ? 9000 : 700
  const warc = {
    thread: 0,
    serial: 1,
    offset: warcBytes % 1e9,
    length,
    id: uuid(),
    payloadDigest: digests.get(page),
  }
  warcBytes += length
  const time = { startMs: startedMs, durationMs: 20, status: 200, bytes: 20_000, order: looks }
  if (isVersion) {
    record.putOutcome(page, {
      ...time,
      score: 1 / (1 + page),
      contentType: 'text/html; charset=utf-8',
      title: `The title of page ${page}, of usual length`,
      links: linkCount,
      shape: draw(),
      prints: Uint32Array.from({ length: 6 }, draw),
      warc,
    })
  }
  const verdict = isFirst ? 'first' : isChanged ? 'changed' : 'same'
  record.putLook(page, { ...time, verdict, warc, conditional: isFirst ? undefined : true })
  if (isFirst) engine.fetched(page, links, linkCount, newSites)
  if (isChanged) {
    changes++
    engine.looked(page, now, verdict, links, linkCount, newSites, undefined, 20_000)
  } else engine.looked(page, now, verdict, undefined, 0, undefined, undefined, 20_000)
}

/** Reads the links of a page, and adds the pages that are not known yet. */
function linksOf(page) {
  const count = web.linksOf(webPage[page], found)
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
  return count
}

async function commit(isLast = false) {
  groupAt = now
  const bytes = facts.takeBytes()
  const totals = { ...counts, ...engine.pages.totals, seconds: now - 1.8e9 }
  const isDue = isLast || now >= progressAt
  if (isDue) progressAt = now + progressSeconds
  const freshness = {
    refreshes: looks,
    changes,
    yield: changes / looks,
    freshCoverage: 0.9 + 1e-9 * looks,
    pages: 1,
  }
  const progress = isDue
    ? { ...totals, known: pages.known, waiting: engine.waitingCount, freshness }
    : undefined
  record.closeGroup()
  snapshots.take(isLast)
  const ends = new Map([[0, { serial: 1, length: warcBytes, indexBytes: 300 * looks, finished: [] }]])
  const { length } = await record.commit(bytes, ends, totals, progress)
  snapshots.committed(length)
}
