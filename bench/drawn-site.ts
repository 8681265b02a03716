/** Webs that change, for benchmarks of continuous crawls: generated webs with births and drawn changes, and signals of a given quality. */
import { hashId, unit } from '../src/lib/hash.ts'
import { sharedUint32, toShared } from '../src/lib/shared-memory.ts'
import { DrawnChanges } from '../src/simulator/worlds/drawn-changes.ts'
import { linkingPages } from '../src/webgraph/degrees.ts'
import { livePage, noPage, withLinksOf, type RecordedSite } from '../src/webgraph/recorded-site.ts'
import { idOf, type Web } from '../src/webgraph/web.ts'

const birthSalt = 20
const signalSalt = 21
const falseSalt = 22

/** Of the pages with at most three links to them, the share that is born after the start. */
const lateShare = 0.3
const linksToLateMax = 3

/**
 * A stored web with drawn changes (S63) as a recorded site. Some pages are born later, at equally likely times. Pages that link to them change at
 * that moment, since a link to a new page is a change.
 */
export function drawnSite(web: Web, days: number, start: number): RecordedSite {
  const { graph } = web
  const { pages } = graph
  const ids = Uint32Array.from({ length: pages }, (_, page) => idOf(web, page))
  const linksTo = linkingPages(graph)
  const born = Float64Array.from(ids, (id, page) => {
    const isLate = page !== start && linksTo[page] > 0 && linksTo[page] <= linksToLateMax
    const draw = unit(hashId(id, birthSalt))
    return isLate && draw < lateShare ? (days * draw) / lateShare : 0
  })
  const births: number[][] = Array.from({ length: pages }, () => [])
  const cursor = graph.cursor()
  for (let page = 0; page < pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const day = born[cursor.targets[i]]
      if (day > born[page]) births[page].push(day)
    }
  }
  const drawn = new DrawnChanges(ids)
  const changeOffsets = sharedUint32(pages + 1)
  const changes: number[] = []
  for (let page = 0; page < pages; page++) {
    const own = births[page]
    for (let day = drawn.nextChange(page, born[page]); day < days; day = drawn.nextChange(page, day))
      own.push(day)
    for (const day of own.sort((a, b) => a - b)) changes.push(day)
    changeOffsets[page + 1] = changes.length
  }
  const site: RecordedSite = {
    paths: pages,
    pages,
    pathOf: toShared(Uint32Array.from({ length: pages }, (_, page) => page)),
    nextOfPath: toShared(new Uint32Array(pages).fill(noPage)),
    born: toShared(born),
    gone: toShared(new Float64Array(pages).fill(Infinity)),
    changeOffsets,
    changes: toShared(Float64Array.from(changes)),
    links: undefined,
    days,
    signals: { times: new Float64Array(0), paths: new Uint32Array(0) },
  }
  return withLinksOf(site, web)
}

export interface SignalQuality {
  /** The share of signals that report a change, and the share of changes that are reported. */
  readonly precision: number
  readonly recall: number
  /** False signals come one by one, or for all pages at once, as from a site that dates all pages at each deployment. */
  readonly isBulk: boolean
}

/** The same site with drawn signals instead of its own. */
export function withSignals(site: RecordedSite, { precision, recall, isBulk }: SignalQuality): RecordedSite {
  const signals: { day: number; path: number }[] = []
  site.changes.forEach((day, change) => {
    if (unit(hashId(change, signalSalt)) >= recall) return
    const page = pageOfChange(site, change)
    signals.push({ day, path: site.pathOf[page] })
  })
  const drawUnit = (number: number): number => unit(hashId(number, falseSalt))
  const falseMax = signals.length * (1 / precision - 1)
  for (let made = 0, draw = 0; made < falseMax;) {
    const day = site.days * drawUnit(draw++)
    if (isBulk) {
      for (let path = 0; path < site.paths; path++)
        if (livePage(site, path, day) !== noPage && made++ < falseMax) signals.push({ day, path })
    } else {
      const path = Math.floor(site.paths * drawUnit(draw++))
      if (livePage(site, path, day) !== noPage && made++ < falseMax) signals.push({ day, path })
    }
  }
  signals.sort((a, b) => a.day - b.day || a.path - b.path)
  return {
    ...site,
    signals: {
      times: toShared(Float64Array.from(signals, ({ day }) => day)),
      paths: toShared(Uint32Array.from(signals, ({ path }) => path)),
    },
  }
}

function pageOfChange({ changeOffsets }: RecordedSite, change: number): number {
  let low = 0
  let high = changeOffsets.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (changeOffsets[middle + 1] <= change) low = middle + 1
    else high = middle
  }
  return low
}
