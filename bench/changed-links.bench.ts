/**
 * The guarantee on a web whose links change (S70): links read per change, and how far the bound is below the exact value, by the
 * largest crumbs that rest (crumbsMax of engine/mass/changed-links.ts).
 *
 *   npm run bench -- changed-links [--held 4500] [--changes 2000]      uci-ics; new links lead to held pages in nine of ten cases
 */
import { KnownLinks } from '../src/engine/known-links.ts'
import { ChangedLinks } from '../src/engine/mass/changed-links.ts'
import { crawled, PageStates, waiting } from '../src/engine/page-states.ts'
import { Mass } from '../src/engine/strategies/mass.ts'
import type { StrategyServices } from '../src/engine/strategy.ts'
import { seededRandom } from '../src/lib/random.ts'
import { exactCoverage } from '../src/simulator/coverage-course.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { runSimulation } from '../src/simulator/run.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { generatedWeb, markdownTable, numberOption, realWeb } from './webs.ts'

const damping = 0.85
const samples = 20

/** Crumbs and residuals of stays; the defaults are 0.06 and 0.05. Without stays: as on several shards. */
const limits: readonly (readonly [crumbsMax: number, residualMax: number | undefined])[] = [
  [0.12, 0.1],
  [0.06, 0.1],
  [0.06, 0.05],
  [0.035, 0.05],
  [0.035, 0.03],
  [0.02, 0.02],
  [0.06, undefined],
  [0.002, undefined],
]

interface Trial {
  readonly crumbsMax: number
  readonly residualMax: number | undefined
  readonly changes: number
  /** The share of a page's links that are replaced; 1: one link. */
  readonly part: number
}

interface Held {
  readonly graph: Graph
  readonly order: Uint32Array
}

export const changedLinksBenchmark: Benchmark = async (size) => {
  const named = size === 'small' ? generatedWeb(400) : ((await realWeb('uci-ics')) ?? generatedWeb(50_000))
  const heldMax = size === 'small' ? 120 : numberOption('held', 4500)
  const changes = size === 'small' ? 60 : numberOption('changes', 2000)
  const web = await prepareWeb(named.web, {
    seeds: [bestSeed(named.web.graph).seed],
    damping,
    needsRankMass: false,
  })
  const { order } = await runSimulation(web, { strategy: 'rankmass', pages: heldMax })
  const held = { graph: named.web.graph, order: order.map((page) => web.ids[page]) }
  const rows = [1, 0.2].flatMap((part) =>
    limits.map(([crumbsMax, residualMax]) => changedWeb(held, { crumbsMax, residualMax, changes, part })),
  )
  if (size === 'full') console.log(`${named.name}, ${order.length} held pages\n\n${markdownTable(rows)}\n`)
  return { rows, check: rows.reduce((sum, row) => sum + Number(row['links a change']), 0) }
}

function changedWeb(
  { graph, order }: Held,
  { crumbsMax, residualMax, changes, part }: Trial,
): Record<string, string | number> {
  const pages = new PageStates()
  const links = new KnownLinks({ isReplaceable: true })
  const draw = seededRandom(1)
  const numbers = new Map<number, number>()
  const numberOf = (node: number): number => {
    const known = numbers.get(node)
    if (known !== undefined) return known
    numbers.set(node, pages.known)
    pages.set(pages.add(0), waiting)
    return pages.known - 1
  }
  for (const node of order) pages.set(numberOf(node), crawled)
  const cursor = graph.cursor()
  for (const [page, node] of order.entries()) {
    cursor.seek(node)
    const targets = cursor.targets.subarray(cursor.start, cursor.end)
    links.append(page, Uint32Array.from(targets, numberOf), targets.length)
  }
  const mass = new Mass({ damping })
  const services: Partial<StrategyServices> = {
    links,
    known: () => pages.known,
    crawledCount: () => pages.crawledCount,
    isCrawled: (page) => pages.isCrawled(page),
    isHeld: (page) => pages.isHeld(page),
    lossOf: (page) => pages.lossOf(page),
    rescored: () => {},
    isShard: residualMax === undefined,
  }
  mass.start(services as StrategyServices)
  mass.masses()
  for (let page = 0; page < pages.known; page++) mass.discovered(page, -1)
  mass.seeded([0])
  const receive = (page: number, share: number): void => {
    if (pages.isHeld(page)) mass.addCrumb(page, share)
    else mass.rest(page, share)
  }
  const changed = new ChangedLinks({ mass, receive, crumbsMax, residualMax })
  changed.begin()
  for (let before = -1; before !== changed.linksRead;) {
    before = changed.linksRead
    changed.repair()
  }
  const settled = changed.linksRead
  let gap = 0
  let gapMax = 0
  let exact = 0
  let links0 = 0
  const trust = { damping, weights: Float64Array.of(1) }
  for (let change = 1; change <= changes; change++) {
    const page = draw.below(order.length)
    links.seek(page)
    const old = [...links.targets.subarray(links.start, links.end)]
    const count = part === 1 ? 1 : Math.max(1, Math.round(part * old.length))
    const next = new Set(old)
    for (let i = 0; i < count; i++) {
      if (old.length > 0) next.delete(old[draw.below(old.length)])
      next.add(draw.below(draw.fraction() < 0.9 ? order.length : pages.known))
    }
    next.delete(page)
    const before = changed.linksRead
    changed.relinking(page)
    links.replace(page, Uint32Array.from(next), next.size)
    changed.rerouted(page)
    links0 += changed.linksRead - before
    changed.repair()
    if (change % Math.ceil(changes / samples) !== 0) continue
    exact = exactCoverage({ pages }, links, trust)
    const missing = 1 - mass.guaranteed(true) / exact
    gap += missing / samples
    gapMax = Math.max(gapMax, missing)
  }
  const read = changed.linksRead - settled
  return {
    crumbs: crumbsMax,
    residuals: residualMax ?? '–',
    changed: part === 1 ? '1 link' : `${100 * part}% of links`,
    'links a change': Math.round(read / changes),
    'of these, of the page': Math.round(links0 / changes),
    'below exact, mean': `${(100 * gap).toFixed(3)}%`,
    largest: `${(100 * gapMax).toFixed(3)}%`,
    'exact at the end': exact.toFixed(3),
  }
}

await benchmarkMain(import.meta.url, changedLinksBenchmark)
