/** The changes of a simulated web: drawn, with given rates, or recorded. */
import type { Graph } from '../webgraph/graph.ts'
import { livePage, noPage, type RecordedSite } from '../webgraph/recorded-site.ts'
import { fetchRate, optimalRates } from '../engine/recrawl/optimal-rates.ts'
import { type LinksOverTime, type PageChanges, StoredLinksOverTime } from './worlds/changing-pages.ts'
import { DrawnChanges } from './worlds/drawn-changes.ts'
import { RecordedChanges, RecordedLinksOverTime } from './worlds/recorded-changes.ts'
import { noNode, type WebEventsOptions } from './worlds/web-events.ts'
import type { SimulatedWeb } from './simulated-web.ts'

export function changesOf({ ids, changeRates, recorded }: SimulatedWeb): PageChanges {
  return recorded === undefined ? new DrawnChanges(ids, changeRates) : new RecordedChanges(recorded)
}

export function linksOverTime(web: SimulatedWeb, graph: Graph, changes: PageChanges): LinksOverTime {
  const { recorded } = web
  return recorded === undefined
    ? new StoredLinksOverTime(graph, changes)
    : new RecordedLinksOverTime(recorded)
}

/** Pages that are known as soon as they exist: those to which nothing ever links, or all. */
export function listedPages(web: SimulatedWeb, all: boolean): WebEventsOptions['listed'] {
  const { recorded, pages } = web
  const nodes: number[] = []
  const isSeed = new Uint8Array(pages)
  for (const seed of web.seeds) isSeed[seed] = 1
  for (let node = 0; node < pages; node++) {
    const isUnlinked = recorded !== undefined && recorded.links?.isLinked[recorded.pathOf[node]] !== 1
    if (isSeed[node] === 0 && (all || isUnlinked) && bornAt(recorded, node) < Infinity) nodes.push(node)
  }
  nodes.sort((a, b) => bornAt(recorded, a) - bornAt(recorded, b) || a - b)
  return {
    nodes: Uint32Array.from(nodes),
    days: Float64Array.from(nodes, (node) => bornAt(recorded, node)),
  }
}

function bornAt(recorded: RecordedSite | undefined, node: number): number {
  return recorded === undefined ? 0 : recorded.born[node]
}

export function signalsOf({ recorded }: SimulatedWeb): WebEventsOptions['signals'] {
  if (recorded === undefined) return undefined
  const { times, paths } = recorded.signals
  return {
    days: times,
    nodeOf(signal, day) {
      const page = livePage(recorded, paths[signal], day)
      return page === noPage ? noNode : page
    },
  }
}

/** How many pages are live, from each day on which that changes. */
export function livePages({ recorded, pages }: SimulatedWeb): NonNullable<WebEventsOptions['live']> {
  if (recorded === undefined) return { days: new Float64Array(1), counts: Uint32Array.of(pages) }
  const births = recorded.born.filter((day) => day < Infinity).sort()
  const deaths = recorded.gone.filter((day) => day < Infinity).sort()
  const days: number[] = []
  const counts: number[] = []
  for (let born = 0, gone = 0; born < births.length || gone < deaths.length;) {
    const day = Math.min(births[born] ?? Infinity, deaths[gone] ?? Infinity)
    while (born < births.length && births[born] === day) born++
    while (gone < deaths.length && deaths[gone] === day) gone++
    days.push(day)
    counts.push(born - gone)
  }
  return { days: Float64Array.from(days), counts: Uint32Array.from(counts) }
}

/** The mean number of live pages. */
export function meanLivePages({ recorded, pages }: SimulatedWeb, days: number): number {
  return recorded === undefined ? pages : lives(recorded, days).reduce((sum, life) => sum + life, 0)
}

/** The share of the time in which each page exists. */
function lives({ born, gone, pages }: RecordedSite, days: number): Float64Array {
  return Float64Array.from({ length: pages }, (_, page) =>
    Math.max(0, (Math.min(gone[page], days) - Math.min(born[page], days)) / days),
  )
}

interface OptimalSchedule {
  /** Fetches of each page per day while it exists. */
  readonly fetches: Float64Array
  /** Expected freshness, weighted by importance; undefined if changes are recorded, which are not Poisson. */
  readonly freshness: number | undefined
}

/** The optimal rates for the true change rates, at this many fetches per day on average. */
export function optimalSchedule(web: SimulatedWeb, perDay: number, days: number): OptimalSchedule {
  const changes = changesOf(web)
  const rates = Float64Array.from({ length: web.pages }, (_, node) => changes.rateOf(node))
  const { pageRank, recorded } = web
  if (recorded === undefined) return optimalRates({ mass: pageRank, rates, budget: perDay })
  const life = lives(recorded, days)
  const fetches = new Float64Array(web.pages)
  const at = (price: number): number => {
    let sum = 0
    for (let page = 0; page < web.pages; page++) {
      if (life[page] === 0 || rates[page] === 0) continue
      fetches[page] = fetchRate(pageRank[page], rates[page], price)
      sum += life[page] * fetches[page]
    }
    return sum
  }
  let low = -200
  let high = 200
  while (high - low > 1e-12 * Math.max(1, Math.abs(low))) {
    const middle = (low + high) / 2
    if (at(Math.exp(middle)) > perDay) low = middle
    else high = middle
  }
  at(Math.exp(high))
  return { fetches, freshness: undefined }
}
