/**
 * Corrected PageRank: the score of a waiting page is an estimate of the PageRank that it will have once more
 * of the web is known. PageRank of the known graph, always up to date with the links of the pages just crawled, is
 * multiplied by a factor for what the known graph does not show yet.
 *
 * Our own. One update for every 4% of growth of the crawl, 8% from 50,000 pages on; without `every`, nothing depends on the
 * size of the web.
 */
import type { Strategy, StrategyServices } from '../strategy.ts'
import { DirectoryCoverage, logCoverage } from './directory-coverage.ts'
import { KnownPageRank } from './known-pagerank.ts'
import { noSite } from '../world.ts'
import { GrowingFloat32, GrowingFloat64, GrowingUint16, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

const updateGrowth = 0.04
/** From this many crawled pages on, growth may be twice as large: memory is then far away, and updates take most of the time. */
const largeCrawl = 50_000
/** The share of its PageRank that a page may leave unpassed at an update. */
const toleranceDefault = 2 ** -8

interface CorrectedPageRankOptions {
  readonly damping: number
  /** Default: at every 4% of growth. */
  readonly every?: number | undefined
  readonly tolerance?: number | undefined
  /** Default: those that were chosen. */
  readonly weights?: CorrectionWeights
}

function updateInterval(crawled: number): number {
  return Math.max(1, Math.floor(crawled * (crawled < largeCrawl ? updateGrowth : 2 * updateGrowth)))
}

export function correctedPageRank(options: CorrectedPageRankOptions): Strategy {
  const { damping, every, tolerance = toleranceDefault, weights = chosenWeights } = options
  const rank = new KnownPageRank(damping, { tolerance, exactPages: 0 })
  const correction = new RankCorrection(weights)
  let services: StrategyServices | undefined

  const score = (page: number): number => correction.corrected(page, rank.unscaled(page))

  return {
    name: 'corrected-pagerank',
    get every() {
      return every ?? updateInterval(services?.crawledCount() ?? 0)
    },
    start(given) {
      services = given
      rank.start(given)
      correction.start(given)
    },
    discovered(page) {
      rank.discovered(page)
      correction.discovered(page)
      return score(page)
    },
    visited(page, linkCount) {
      rank.visited(page)
      correction.visited(page, linkCount)
      return rank.passOn(page, linkCount)
    },
    linked(page, share) {
      rank.receive(page, share)
      if (!correction.linked(page)) return 0
      return score(page)
    },
    score,
    masses: () => (page) => rank.unscaled(page),
    relinking: (page) => rank.relinking(page),
    rescore() {
      rank.update()
      correction.update(rank.crawledPages(), (page) => rank.unscaled(page))
    },
    transfer(state) {
      state.section('corrected-pagerank', 4)
      rank.transfer(state)
      correction.transfer(state)
    },
  }
}

/**
 * The score of a waiting page: its known PageRank x, corrected for what the known graph does not show yet.
 *
 *   x · (1 + parents)^0.1       a little of the backlink count
 *   · (1 + cash)^-0.2           as in OPIC: what parents passed on when they were crawled
 *   · (x / (0.1 + b))^0.1       b: the largest cash from one parent
 *   · coverage^(0.1 · u²)       waiting pages of the site per crawled one, as in larger-sites-first
 *   · directory                 the same of the page's directory, compared with its site, and its mean PageRank (directory-coverage.ts)
 *   · e^(curiosity / (1 + n))   n: crawled pages of the site
 *   · r^-0.05                   r: a number between 0 and 1, drawn for each page; r^(-0.05 c/200) until c = 200 pages are crawled
 *
 * The product of all factors is limited to e^-1 … e. So no page is taken while another has more than e² times its x (S74). On 139 webs
 * the limit changes no average by more than chance does; limits of 0.75 and 0.5 lose.
 *
 * *One parent* is weak evidence: a page whose PageRank comes from one large page is overrated, one with the same from several is not. So is
 * PageRank that came at once. What x exceeds the cash by has come since from growing parents, and growth goes on.
 *
 * *Coverage.* The known graph overrates sites of which much is crawled: they have received most of their links.
 * Coverage is (1 + waiting) / (1 + crawled) at the last update, from e^-2 to e^2. It tells which links are still to
 * come as far as sites are units of the web: u = 1 - (1 - i)(1 - s), i being the share of links that stay within a
 * site, and s the known sites per known page.
 *
 * *Curiosity* is at most 0.4. It is lower where new sites teach nothing: it is multiplied by (1 - s)² and by l², l being
 * the share of sites whose first crawled page had links.
 *
 * *The draw* spreads the crawl. Most waiting pages have nearly the same PageRank, and small differences say little. By
 * PageRank alone, pages found together are crawled together, and clusters behind other pages are found late. r is the
 * fraction of the page's number times the golden ratio: such numbers are spread evenly over pages found together. On the first
 * pages the order of links tells more than a draw: they begin with the entries of menus. So the exponent grows from 0.
 */

/** The product of all factors lies between e^-1 and e. */
const correctionMax = 1
/** Exponents of the factors; `curiosity` is their maximum. */
export type CorrectionWeights = Readonly<Record<keyof typeof chosenWeights, number>>

/** Chosen on documentation webs (docs/theory/findings.md). `npm run bench -- left-out` chooses them again, without each kind of webs. */
export const chosenWeights = {
  parents: 0.1,
  several: 0.1,
  cash: -0.2,
  coverage: 0.1,
  directory: 0.3,
  directoryMean: 0.15,
  curiosity: 0.4,
  spread: 0.05,
}

const parentsMax = 0xffff
/** log(1 + parents) of most pages. */
const parentsLogs = Float64Array.from({ length: 256 }, (_, parents) => Math.log1p(parents))
/** So that pages without a parent have a share too. */
const shareMin = 0.1
/** Sites that count as having had links before any was crawled. */
const sitesPresumed = 3
/** Crawled pages from which on draws count fully. */
const spreadPages = 200
const goldenRatio = (1 + Math.sqrt(5)) / 2
const drawMin = 2 ** -32

/** r of a page. The fraction is rounded to 0 for some pages from 100 million on, and a draw of 0 would make the score infinite. */
export function drawOf(page: number): number {
  return Math.max(drawMin, ((page + 1) * goldenRatio) % 1)
}

class RankCorrection {
  readonly #weights: CorrectionWeights
  /** How many pages were found to link to each waiting page; no more than `parentsMax`. */
  readonly #parents = new GrowingUint16()
  /** Of each page: the cash it has received, and b. */
  readonly #cash = new GrowingFloat32()
  readonly #largest = new GrowingFloat32()
  /** Cash that the page visited last passes along each link. */
  #share = 0
  /** Pages found and pages crawled, by site. */
  readonly #found = new GrowingUint32(16)
  readonly #crawled = new GrowingUint32(16)
  readonly #directories: DirectoryCoverage
  /** Weighted logarithm of the coverage of each site; 0 for a site found since the last update. */
  readonly #coverage = new GrowingFloat64(16)
  #curiosity = 0
  #spread = 0
  /** Sites of which a page was found, sites of which one was crawled, and those of them whose first page had links. */
  #siteCount = 0
  #sitesCrawled = 0
  #sitesLinking = 0
  /** Links to waiting pages, and those of them within a site. */
  #links = 0
  #linksInSite = 0
  /** Site of the page visited last. */
  #parentSite = 0
  #services: StrategyServices | undefined

  constructor(weights: CorrectionWeights) {
    this.#weights = weights
    this.#directories = new DirectoryCoverage({ coverage: weights.directory, mean: weights.directoryMean })
  }

  start(services: StrategyServices): void {
    this.#services = services
    this.#directories.start(services)
  }

  discovered(page: number): void {
    this.#parents.ensure(page)
    this.#cash.ensure(page)
    this.#largest.ensure(page)
    const site = this.#services!.siteOf(page)
    if (site === noSite) return
    this.#directories.discovered(page)
    this.#found.ensure(site)
    this.#crawled.ensure(site)
    this.#coverage.ensure(site)
    if (this.#found.array[site]++ === 0) this.#siteCount++
  }

  visited(page: number, linkCount: number): void {
    const site = this.#services!.siteOf(page)
    this.#parentSite = site
    this.#share = (1 + this.#cash.array[page]) / linkCount
    this.#directories.visited(page)
    if (this.#crawled.array[site]++ > 0) return
    this.#sitesCrawled++
    if (linkCount > 0) this.#sitesLinking++
  }

  /** The page visited last links to this page. Returns false if it is crawled. */
  linked(page: number): boolean {
    const isInSite = this.#services!.siteOf(page) === this.#parentSite
    if (isInSite) this.#directories.linked(page, this.#parentSite)
    if (this.#services!.isCrawled(page)) return false
    if (this.#parents.array[page] < parentsMax) this.#parents.array[page]++
    this.#cash.array[page] += this.#share
    if (this.#largest.array[page] < this.#share) this.#largest.array[page] = this.#share
    this.#links++
    if (isInSite) this.#linksInSite++
    return true
  }

  /** `rank`: x of the page. */
  corrected(page: number, rank: number): number {
    const site = this.#services!.siteOf(page)
    if (site === noSite) return rank
    const parents = this.#parents.array[page]
    const weights = this.#weights
    const logarithm =
      weights.parents * (parents < parentsLogs.length ? parentsLogs[parents] : Math.log1p(parents)) +
      weights.several * Math.log(rank / (shareMin + this.#largest.array[page])) +
      weights.cash * Math.log1p(this.#cash.array[page]) +
      this.#coverage.array[site] +
      this.#directories.correction(page) +
      this.#curiosity / (1 + this.#crawled.array[site]) -
      this.#spread * Math.log(drawOf(page))
    return rank * Math.exp(Math.max(-correctionMax, Math.min(correctionMax, logarithm)))
  }

  update(crawled: Uint32Array, rankOf: (page: number) => number): void {
    const sitesPerPage = this.#siteCount / Math.max(1, this.#services!.known())
    const linking = (this.#sitesLinking + sitesPresumed) / (this.#sitesCrawled + sitesPresumed)
    this.#curiosity = this.#weights.curiosity * ((1 - sitesPerPage) * linking) ** 2
    const leaving = (this.#links - this.#linksInSite) / (1 + this.#links)
    const weight = this.#weights.coverage * (1 - leaving * (1 - sitesPerPage)) ** 2
    this.#spread = this.#weights.spread * Math.min(1, this.#services!.crawledCount() / spreadPages)
    const coverageOf = (site: number): number =>
      logCoverage(this.#found.array[site], this.#crawled.array[site])
    for (let site = 0; site < this.#found.length; site++)
      this.#coverage.array[site] = weight * coverageOf(site)
    this.#directories.update(coverageOf, crawled, rankOf)
  }

  transfer(state: StateCodec): void {
    state.section('rank correction', 3)
    this.#directories.transfer(state)
    state.growing(this.#parents)
    state.growing(this.#cash)
    state.growing(this.#largest)
    state.growing(this.#found)
    state.growing(this.#crawled)
    state.growing(this.#coverage)
    this.#curiosity = state.number(this.#curiosity)
    this.#spread = state.number(this.#spread)
    this.#siteCount = state.number(this.#siteCount)
    this.#sitesCrawled = state.number(this.#sitesCrawled)
    this.#sitesLinking = state.number(this.#sitesLinking)
    this.#links = state.number(this.#links)
    this.#linksInSite = state.number(this.#linksInSite)
  }
}
