/**
 * Every strategy once more, from its definition alone: a pure function of the web and of the pages downloaded so far, which
 * computes every score from nothing at every step, in lists and maps. Slow and plain; what the fast ones are held against.
 * It shares no line with them, not even the rounding.
 */

/** A small web: links by page, seeds in order, the site of each page and its URL. */
export interface NaiveWeb {
  readonly lists: readonly (readonly number[])[]
  readonly seeds: readonly number[]
  readonly sites: readonly number[]
  readonly urls?: readonly string[]
}

export interface NaiveSetting {
  readonly damping: number
  /** K. */
  readonly every: number
  /** Percent. */
  readonly window: number
  /** Weight of the i-th seed, not normalised; all 1 where absent. */
  readonly trust?: readonly number[] | undefined
  readonly opicInitial?: 'pages' | 'seeds'
  readonly truth: readonly number[]
  readonly earlier: readonly (number | undefined)[]
  readonly drawn: readonly number[]
  readonly location: readonly number[]
}

export interface Choice {
  /** The pages that may be taken now, in order of discovery, with the score each would show. */
  readonly scores: ReadonlyMap<number, number>
  /** What they are compared by, where that is not the score. */
  readonly ranks?: ReadonlyMap<number, number>
  /** Guaranteed coverage with these downloads. */
  readonly guaranteed?: number
  /** A decision on the way here hung on which side of a rounding boundary two equal scores fell. */
  readonly delicate?: boolean
}

export type NaiveStrategy = (web: NaiveWeb, setting: NaiveSetting, downloads: readonly number[]) => Choice

/** S2: pages in the order they are found. */
export function discovered(web: NaiveWeb, downloads: readonly number[]): number[] {
  return [...new Set([...web.seeds, ...downloads.flatMap((page) => web.lists[page])])]
}

export function waiting(web: NaiveWeb, downloads: readonly number[]): number[] {
  return discovered(web, downloads).filter((page) => !downloads.includes(page))
}

const scored = (pages: readonly number[], score: (page: number) => number): Map<number, number> =>
  new Map(pages.map((page) => [page, score(page)]))

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

/** S8, on the 64-bit pattern itself. */
export function rounded(score: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, score)
  view.setBigUint64(0, ((view.getBigUint64(0) + (1n << 21n)) >> 22n) << 22n)
  return view.getFloat64(0)
}

/** The best page by S8: the highest rounded score, the first in the list on a tie. */
export function best(ranks: ReadonlyMap<number, number>): number | undefined {
  let chosen: number | undefined
  let highest = -Infinity
  for (const [page, rank] of ranks) {
    if (rounded(rank) <= highest) continue
    chosen = page
    highest = rounded(rank)
  }
  return chosen
}

/** May rounding errors of this relative size make `page` the best? Equal scores away from a boundary leave no choice. */
export function mayBeBest(ranks: ReadonlyMap<number, number>, page: number, error: number): boolean {
  const nudged = (rank: number, by: number): number => rounded(rank + Math.abs(rank) * by)
  const own = nudged(ranks.get(page) ?? Number.NaN, error)
  let before = true
  for (const [other, rank] of ranks) {
    if (other === page) before = false
    else if (before ? nudged(rank, -error) >= own : nudged(rank, -error) > own) return false
  }
  return !Number.isNaN(own)
}

/** Solves M x = b by elimination with the largest pivot. */
export function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]])
  const n = rows.length
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row
    }
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let row = 0; row < n; row++) {
      if (row === column || rows[row][column] === 0) continue
      const factor = rows[row][column] / rows[column][column]
      for (let k = column; k <= n; k++) rows[row][k] -= factor * rows[column][k]
    }
  }
  return rows.map((row, i) => row[n] / row[i])
}

/**
 * S10 by solving (I - d P) r = (1 - d) t, where P takes a page's surfer along its links, or to t where it has none.
 * `linksOf` answers the links of a page, numbers below `pages`.
 */
export function denseRank(
  pages: number,
  linksOf: (page: number) => readonly number[],
  damping: number,
  jumps: readonly number[],
): number[] {
  const matrix = Array.from({ length: pages }, (_, i) =>
    Array.from({ length: pages }, (_, j) => (i === j ? 1 : 0)),
  )
  for (let page = 0; page < pages; page++) {
    const links = linksOf(page)
    for (const to of links) matrix[to][page] -= damping / links.length
    if (links.length === 0) jumps.forEach((jump, to) => (matrix[to][page] -= damping * jump))
  }
  return solved(
    matrix,
    jumps.map((jump) => (1 - damping) * jump),
  )
}

/** S12: PageRank of the known graph, with jumps to all its pages alike or by weight. */
function knownRank(
  web: NaiveWeb,
  damping: number,
  downloads: readonly number[],
  jumpTo?: (page: number) => number,
): Map<number, number> {
  const known = discovered(web, downloads)
  const linksOf = (i: number): number[] =>
    downloads.includes(known[i]) ? web.lists[known[i]].map((to) => known.indexOf(to)) : []
  const ranks = denseRank(
    known.length,
    linksOf,
    damping,
    known.map((page) => jumpTo?.(page) ?? 1 / known.length),
  )
  return new Map(known.map((page, i) => [page, ranks[i]]))
}

/** The last multiple of K. */
const boundary = (every: number, downloads: readonly number[]): number =>
  Math.floor(downloads.length / every) * every

/** S19: the normalised trust in a page. */
export function trustOf(web: NaiveWeb, trust: readonly number[] | undefined, page: number): number {
  const i = web.seeds.indexOf(page)
  if (i < 0) return 0
  return trust === undefined ? 1 / web.seeds.length : trust[i] / sum(trust)
}

/** Mass by page and CRM, as S19 begins. */
class Masses {
  readonly rm = new Map<number, number>()
  crm = 0
  readonly #web: NaiveWeb
  readonly #setting: NaiveSetting

  constructor(web: NaiveWeb, setting: NaiveSetting) {
    this.#web = web
    this.#setting = setting
    for (const seed of web.seeds) this.rm.set(seed, (1 - setting.damping) * trustOf(web, setting.trust, seed))
  }

  of(page: number): number {
    return this.rm.get(page) ?? 0
  }

  /** x = rm(p), rm(p) = 0, CRM += x; the targets, or the seeds, get their shares. */
  expand(page: number, receive = (to: number, share: number) => this.add(to, share)): void {
    const { damping, trust } = this.#setting
    const links = this.#web.lists[page]
    const x = this.of(page)
    this.rm.set(page, 0)
    this.crm += x
    for (const to of links) receive(to, (damping * x) / links.length)
    if (links.length > 0) return
    for (const seed of this.#web.seeds) receive(seed, damping * x * trustOf(this.#web, trust, seed))
  }

  add(page: number, share: number): void {
    this.rm.set(page, this.of(page) + share)
  }
}

const breadthFirst: NaiveStrategy = (web, _setting, downloads) => ({
  scores: scored(waiting(web, downloads), () => 0),
})

const depthFirst: NaiveStrategy = (web, _setting, downloads) => {
  const pages = waiting(web, downloads)
  return { scores: scored(pages, () => 0), ranks: scored(pages, (page) => pages.indexOf(page)) }
}

const backlinkCount: NaiveStrategy = (web, _setting, downloads) => ({
  scores: scored(
    waiting(web, downloads),
    (page) => downloads.filter((parent) => web.lists[parent].includes(page)).length,
  ),
})

const forwardLinks: NaiveStrategy = (web, _setting, downloads) => ({
  scores: scored(waiting(web, downloads), (page) => {
    const parents = downloads.filter((parent) => web.lists[parent].includes(page))
    return parents.length === 0 ? 0 : sum(parents.map((parent) => web.lists[parent].length)) / parents.length
  }),
})

const pageRank: NaiveStrategy = (web, { damping, every }, downloads) => {
  const ranks = knownRank(web, damping, downloads.slice(0, boundary(every, downloads)))
  return { scores: scored(waiting(web, downloads), (page) => ranks.get(page) ?? 0) }
}

const trustRank: NaiveStrategy = (web, { damping, every, trust }, downloads) => {
  const before = downloads.slice(0, boundary(every, downloads))
  const ranks = knownRank(web, damping, before, (page) => trustOf(web, trust, page))
  return { scores: scored(waiting(web, downloads), (page) => ranks.get(page) ?? 0) }
}

/** Where the batch under way began, if each batch has `sizeOf(waiting)` pages. */
function batchStart(
  web: NaiveWeb,
  downloads: readonly number[],
  sizeOf: (waiting: number) => number,
): { start: number; all: number[] } {
  const all = [0]
  let start = 0
  for (;;) {
    const pages = waiting(web, downloads.slice(0, start)).length
    const next = start + Math.min(pages, Math.max(1, sizeOf(pages)))
    if (next > downloads.length || next === start) return { start, all }
    start = next
    all.push(start)
  }
}

const batchPageRank: NaiveStrategy = (web, { damping, every }, downloads) => {
  const { start } = batchStart(web, downloads, () => every)
  const before = downloads.slice(0, start)
  const ranks = knownRank(web, damping, before)
  // The best K of those that waited then, in order: always the best that is left of them.
  const pages = waiting(web, before).filter((page) => !downloads.includes(page))
  return { scores: scored(pages, (page) => ranks.get(page)!) }
}

const partialPageRank: NaiveStrategy = (web, { damping, every }, downloads) => {
  const last = boundary(every, downloads)
  const ranks = knownRank(web, damping, downloads.slice(0, last))
  /** The score when `until` pages had been downloaded. */
  const scoreAt = (page: number, until: number): number => {
    const known = ranks.get(page)
    if (known !== undefined) return known
    let score = 0
    for (let i = last; i < until; i++) {
      const links = web.lists[downloads[i]]
      score += (links.filter((to) => to === page).length * scoreAt(downloads[i], i)) / links.length || 0
    }
    return score
  }
  return { scores: scored(waiting(web, downloads), (page) => scoreAt(page, downloads.length)) }
}

const opic: NaiveStrategy = (web, { opicInitial = 'pages' }, downloads) => {
  const received = new Map<number, number>()
  const own = opicInitial === 'pages' ? 1 : 0
  if (own === 0) for (const seed of web.seeds) received.set(seed, 1 / web.seeds.length)
  downloads.forEach((page, i) => {
    const cash = own + (received.get(page) ?? 0)
    const links = web.lists[page]
    for (const to of links) {
      if (!downloads.slice(0, i + 1).includes(to))
        received.set(to, (received.get(to) ?? 0) + cash / links.length)
    }
  })
  return { scores: scored(waiting(web, downloads), (page) => received.get(page) ?? 0) }
}

const largerSitesFirst: NaiveStrategy = (web, _setting, downloads) => {
  const found = [...new Set(discovered(web, downloads).map((page) => web.sites[page]))]
  const pages = waiting(web, downloads)
  const count = (site: number): number => pages.filter((page) => web.sites[page] === site).length
  const largest = Math.max(...found.map(count))
  const site = found.find((candidate) => count(candidate) === largest)
  // Only the first of the largest site may be taken: it stands alone.
  const first = pages.filter((page) => web.sites[page] === site).slice(0, 1)
  return { scores: scored(first, () => largest) }
}

const omniscient: NaiveStrategy = (web, { truth }, downloads) => ({
  scores: scored(waiting(web, downloads), (page) => truth[page]),
})

const location: NaiveStrategy = (web, setting, downloads) => ({
  scores: scored(waiting(web, downloads), (page) => setting.location[page]),
})

type Unknown = (page: number, web: NaiveWeb, setting: NaiveSetting, downloads: readonly number[]) => number

const historical =
  (unknown: Unknown): NaiveStrategy =>
  (web, setting, downloads) => ({
    scores: scored(
      waiting(web, downloads),
      (page) => setting.earlier[page] ?? unknown(page, web, setting, downloads),
    ),
  })

const parentShare: Unknown = (page, web, setting, downloads) => {
  if (web.seeds.includes(page)) return 0
  const parent = downloads.find((candidate) => web.lists[candidate].includes(page))!
  const score = setting.earlier[parent] ?? parentShare(parent, web, setting, downloads)
  return score / web.lists[parent].length
}

const lNeighbor: NaiveStrategy = (web, { damping }, downloads) => {
  // Levels over the whole web: what a crawl in this order must find.
  const levels: number[][] = [[...web.seeds]]
  for (;;) {
    const seen = levels.flat()
    const next = new Set(levels[levels.length - 1].flatMap((page) => web.lists[page]))
    const level = [...next].filter((page) => !seen.includes(page))
    if (level.length === 0) break
    levels.push(level)
  }
  const complete = levels.findIndex((level) => level.some((page) => !downloads.includes(page)))
  const levelOf = (page: number): number => levels.findIndex((level) => level.includes(page))
  const pages = waiting(web, downloads)
  return {
    scores: scored(pages, levelOf),
    ranks: scored(pages, (page) => -levelOf(page)),
    guaranteed: complete < 0 ? 1 : 1 - damping ** complete,
  }
}

const rankMass: NaiveStrategy = (web, setting, downloads) => {
  const masses = new Masses(web, setting)
  let delicate = false
  for (let i = 0; i <= downloads.length; i++) {
    const before = downloads.slice(0, i)
    const known = discovered(web, before)
    while (masses.crm < 1 - 1e-6) {
      const ranks = scored(known, (page) => masses.of(page))
      const page = best(ranks)!
      delicate ||= known.some((other) => other !== page && mayBeBest(ranks, other, 1e-13))
      if (!before.includes(page)) break
      masses.expand(page)
    }
    if (i < downloads.length) masses.expand(downloads[i])
  }
  return {
    scores: scored(waiting(web, downloads), (page) => masses.of(page)),
    guaranteed: masses.crm,
    delicate,
  }
}

const windowedRankMass: NaiveStrategy = (web, setting, downloads) => {
  const masses = new Masses(web, setting)
  // A percentage as a fraction of whole numbers, so that 10% of 10 is 1 and not a hair above.
  const size = (pages: number): number => Math.ceil(Number((setting.window * pages).toFixed(6)) / 100)
  const { start, all } = batchStart(web, downloads, size)
  const expanded = new Map<number, number>()
  for (const end of all.slice(1)) {
    const kept = masses.crm < 1 - 1e-6 ? 0 : 2 ** -10
    for (const page of downloads.slice(0, end)) {
      const before = expanded.get(page) ?? 0
      if (masses.of(page) < kept * before) continue
      expanded.set(page, before + masses.of(page))
      masses.expand(page)
    }
  }
  const pages = waiting(web, downloads.slice(0, start)).filter((page) => !downloads.includes(page))
  // The windows that follow the last page are empty.
  if (waiting(web, downloads).length === 0)
    while (masses.crm < 1 - 1e-6) for (const page of downloads) masses.expand(page)
  return { scores: scored(pages, (page) => masses.of(page)), guaranteed: masses.crm }
}

/** S21 with nothing left on downloaded pages: their mass in passing solves a linear system. */
const exactRankMass: NaiveStrategy = (web, setting, downloads) => {
  const { damping, trust } = setting
  const pages = waiting(web, downloads)
  const step = (from: number, to: number): number => {
    const links = web.lists[from]
    if (links.length === 0) return damping * trustOf(web, trust, to)
    return (damping * links.filter((link) => link === to).length) / links.length
  }
  const start = (page: number): number => (1 - damping) * trustOf(web, trust, page)
  const through = solved(
    downloads.map((to) => downloads.map((from) => (from === to ? 1 : 0) - step(from, to))),
    downloads.map(start),
  )
  const scores = scored(
    pages,
    (page) => start(page) + sum(downloads.map((from, i) => through[i] * step(from, page))),
  )
  return { scores, guaranteed: 1 - sum([...scores.values()]) / (1 - damping) }
}

const fractionalPageRank: NaiveStrategy = (web, setting, downloads) => {
  const masses = new Masses(web, setting)
  downloads.forEach((page, i) => {
    const crawled = downloads.slice(0, i + 1)
    masses.expand(page, (to, share) => {
      if (crawled.includes(to)) masses.crm += share
      else masses.add(to, share)
    })
  })
  return { scores: scored(waiting(web, downloads), (page) => masses.of(page)), guaranteed: masses.crm }
}

/**
 * PageRank of the known graph at the last boundary, every page owning 1; since then each download passes on what it has. The
 * number of parents, how little of the site is crawled, and a draw for each page count as well.
 */
/** Of links within sites: by how much more of them stay in a group than if targets were drawn by the links that they receive. */
function assortativity(
  links: readonly (readonly [from: number, to: number])[],
  groupOf: (page: number) => string,
  siteOf: (page: number) => number,
): number {
  const within = links.filter(([from, to]) => groupOf(from) === groupOf(to)).length
  const expected = sum(
    links.map(([from]) => {
      const inSite = links.filter(([, to]) => siteOf(to) === siteOf(from))
      return inSite.filter(([, to]) => groupOf(to) === groupOf(from)).length / inSite.length
    }),
  )
  // Where every link must stay, rounding errors are all that is left.
  return within - expected < 1e-9 ? 0 : (within - expected) / (links.length - expected)
}

const correctedPageRank: NaiveStrategy = (web, { damping, every }, downloads) => {
  const before = downloads.slice(0, boundary(every, downloads))
  const known = discovered(web, before)
  let ranks = new Map(known.map((page) => [page, 1]))
  for (let round = 0; round < 400; round++) {
    const next = new Map(known.map((page) => [page, 1]))
    for (const page of before) {
      const links = web.lists[page]
      for (const to of links) next.set(to, next.get(to)! + (damping * ranks.get(page)!) / links.length)
    }
    ranks = next
  }
  const settled = new Map(ranks)
  for (const page of downloads.slice(before.length)) {
    const links = web.lists[page]
    const rank = ranks.get(page)!
    for (const to of links) ranks.set(to, (ranks.get(to) ?? 1) + (damping * rank) / links.length)
  }
  const linked: boolean[] = []
  before.forEach((page, i) => {
    for (const to of web.lists[page])
      if (!before.slice(0, i + 1).includes(to)) linked.push(web.sites[page] === web.sites[to])
  })
  const ofSite = (pages: readonly number[], page: number): number[] =>
    pages.filter((other) => web.sites[other] === web.sites[page])
  const sites = new Set(known.map((page) => web.sites[page])).size
  const firsts = before.filter((page) => ofSite(before, page)[0] === page)
  const linking = (3 + firsts.filter((page) => web.lists[page].length > 0).length) / (3 + firsts.length)
  const curiosity = 0.4 * (1 - sites / known.length) ** 2 * linking ** 2
  const leaving = linked.filter((inSite) => !inSite).length / (1 + linked.length)
  const unity = 1 - leaving * (1 - sites / known.length)
  const coverage = (page: number, of: typeof ofSite): number => {
    const crawled = of(before, page).length
    const waits = of(known, page).length - crawled
    return Math.max(Math.exp(-2), Math.min(Math.exp(2), (1 + waits) / (1 + crawled)))
  }
  const directory = (page: number): string =>
    `${web.sites[page]} ${web.urls?.[page].replace(/[^/]*$/, '') ?? ''}`
  const ofDirectory = (pages: readonly number[], page: number): number[] =>
    pages.filter((other) => directory(other) === directory(page))
  const logs = new Map(before.map((page) => [page, Math.log(settled.get(page)!)]))
  const logMean = sum([...logs.values()]) / Math.max(1, before.length)
  const directoryLog = (page: number): number => {
    const crawled = ofDirectory(before, page)
    return sum(crawled.map((other) => logs.get(other)! - logMean)) / (crawled.length + 3)
  }
  /** A directory found since the boundary has none. */
  const directoryFactor = (page: number): number =>
    ofDirectory(known, page).length === 0
      ? 1
      : (coverage(page, ofDirectory) / coverage(page, ofSite)) ** (0.3 * units ** 1.5) *
        Math.exp(0.15 * directoryLog(page))
  const units = assortativity(
    before
      .flatMap((from) => web.lists[from].map((to) => [from, to] as const))
      .filter(([from, to]) => from !== to && web.sites[from] === web.sites[to]),
    directory,
    (page) => web.sites[page],
  )
  const numbers = discovered(web, downloads)
  const draw = (page: number): number => (((1 + Math.sqrt(5)) / 2) * (1 + numbers.indexOf(page))) % 1
  /** What each page passed along each link when it was crawled: its cash, as in OPIC, in single precision. */
  const shares = new Map<number, number>()
  const received = (page: number): number[] =>
    [...shares].filter(([from]) => web.lists[from].includes(page)).map(([, share]) => share)
  const cashOf = (page: number): number =>
    received(page).reduce((cash, share) => Math.fround(cash + share), 0)
  for (const page of downloads) shares.set(page, (1 + cashOf(page)) / web.lists[page].length)
  const score = (page: number, count: number): number => {
    const cash = received(page)
    const correction =
      (1 + cash.length) ** 0.1 *
      (1 + cashOf(page)) ** -0.2 *
      (ranks.get(page)! / (0.1 + Math.fround(Math.max(0, ...cash)))) ** 0.1 *
      coverage(page, ofSite) ** (0.1 * unity ** 2) *
      directoryFactor(page) *
      draw(page) ** (-0.05 * Math.min(1, before.length / 200)) *
      Math.exp(curiosity / (1 + ofSite(downloads.slice(0, count), page).length))
    return ranks.get(page)! * Math.max(1 / Math.E, Math.min(Math.E, correction))
  }
  /** Pages are compared by their score after the last link to them, or at the last boundary. */
  const scoredAt = (page: number): number =>
    Math.max(before.length, 1 + downloads.findLastIndex((from) => web.lists[from].includes(page)))
  const pages = waiting(web, downloads)
  return {
    scores: scored(pages, (page) => score(page, downloads.length)),
    ranks: scored(pages, (page) => score(page, scoredAt(page))),
  }
}

/** S22. A part in which no waiting page had a score at the boundary adds nothing until the next. */
export function naiveWeighted(parts: readonly { name: string; weight: number }[]): NaiveStrategy {
  return (web, setting, downloads) => {
    const before = downloads.slice(0, boundary(setting.every, downloads))
    const scales = parts.map(({ name }) => {
      const largest = Math.max(0, ...naiveStrategies[name](web, setting, before).scores.values())
      return largest === 0 ? 0 : 1 / largest
    })
    const now = parts.map(({ name }) => naiveStrategies[name](web, setting, downloads).scores)
    return {
      scores: scored(waiting(web, downloads), (page) =>
        sum(parts.map(({ weight }, i) => weight * scales[i] * now[i].get(page)!)),
      ),
    }
  }
}

export const naiveStrategies: Readonly<Record<string, NaiveStrategy>> = {
  'breadth-first': breadthFirst,
  'depth-first': depthFirst,
  'backlink-count': backlinkCount,
  pagerank: pageRank,
  'batch-pagerank': batchPageRank,
  'partial-pagerank': partialPageRank,
  opic,
  'larger-sites-first': largerSitesFirst,
  omniscient,
  'historical-pagerank-omniscient': historical((page, _web, { truth }) => truth[page]),
  'historical-pagerank-random': historical((page, _web, { drawn }) => drawn[page]),
  'historical-pagerank-zero': historical(() => 0),
  'historical-pagerank-parent': historical(parentShare),
  'l-neighbor': lNeighbor,
  rankmass: rankMass,
  'windowed-rankmass': windowedRankMass,
  'exact-rankmass': exactRankMass,
  'fractional-pagerank': fractionalPageRank,
  trustrank: trustRank,
  location,
  'forward-links': forwardLinks,
  'corrected-pagerank': correctedPageRank,
}

export interface PathStep {
  /** The page that is downloaded next. */
  readonly page: number
  readonly score: number
  /** CRM just before it. */
  readonly guaranteed: number
}

/**
 * RankMass as its authors first wrote it: all unexplored paths of the surfer as lists, each with its probability. The page
 * whose paths are likeliest together is next. Ends when all that can be found is downloaded, or when there are more than
 * `pathsMax` paths; then with undefined.
 */
export function* pathRankMass(
  web: NaiveWeb,
  { damping, trust }: Pick<NaiveSetting, 'damping' | 'trust'>,
  pathsMax: number,
): Generator<PathStep | undefined> {
  let unexplored = web.seeds.map((seed) => ({
    path: [seed],
    probability: (1 - damping) * trustOf(web, trust, seed),
  }))
  const downloads: number[] = []
  let explored = 0
  const endOf = ({ path }: { path: number[] }): number => path[path.length - 1]
  while (waiting(web, downloads).length > 0) {
    const known = discovered(web, downloads)
    const candidates = explored < 1 - 1e-6 ? known : waiting(web, downloads)
    const sums = scored(candidates, (page) =>
      sum(unexplored.filter((path) => endOf(path) === page).map(({ probability }) => probability)),
    )
    const page = best(sums)!
    if (!downloads.includes(page)) {
      yield { page, score: sums.get(page)!, guaranteed: explored }
      downloads.push(page)
    }
    const expanded = unexplored.filter((path) => endOf(path) === page)
    const links = web.lists[page]
    unexplored = unexplored.filter((path) => endOf(path) !== page)
    explored += sums.get(page)!
    for (const { path, probability } of expanded) {
      for (const to of links) {
        unexplored.push({ path: [...path, to], probability: (damping * probability) / links.length })
      }
      if (links.length > 0) continue
      for (const seed of web.seeds) {
        unexplored.push({
          path: [...path, seed],
          probability: damping * probability * trustOf(web, trust, seed),
        })
      }
    }
    if (unexplored.length <= pathsMax) continue
    yield undefined
    return
  }
}
