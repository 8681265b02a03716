/**
 * The factor by which other orders change the known PageRank of a waiting page. PageRank of the known
 * graph overrates what has been crawled: a site of which much is crawled has received most of its links, a
 * site of which little is crawled has most of them still to come. The published orders err in other ways, so
 * a geometric mean of several is nearer to the truth than each of them. For learned-importance.ts.
 *
 *   x^0.8 · (1 + cash)^0.2        PageRank and OPIC
 *   · (1 + parents)^0.03          a little of the backlink count
 *   · coverage^(0.12 · u)         waiting pages of the site per crawled one, as in larger-sites-first
 *   · e^(curiosity / (1 + n))     n: crawled pages of the site
 *
 * Coverage is (1 + waiting) / (1 + crawled) at the last update, from e^-2 to e^2. It tells which links are still
 * to come as far as sites are units of the web: u = 1 - (1 - i)(1 - s), i being the share of links that stay
 * within a site, and s the known sites per known page. Curiosity is at most 0.4.
 * It is lower where new sites teach nothing: it is multiplied by (1 - s)² and by l², l being the share of sites
 * whose first crawled page had links.
 */
import type { StrategyServices } from '../engine/strategy.ts'
import { noSite } from '../engine/world.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import type { ImportanceMeasures } from './importance-measures.ts'

const cashWeight = 0.2
const parentsWeight = 0.03
const coverageWeight = 0.12
const coverageMax = 2
const curiosityMax = 0.4
/** Sites that count as having had links before any was crawled. */
const sitesPresumed = 3

export class OrderBlend {
  readonly #measures: ImportanceMeasures
  /** OPIC's cash of each waiting page. */
  readonly #cash = new GrowingFloat64()
  /** Weighted logarithm of the coverage of each site; 0 for a site found since the last update. */
  readonly #coverage = new GrowingFloat64(16)
  #curiosity = 0
  /** Sites of which a page was crawled, and those of them whose first page had links. */
  #sitesCrawled = 0
  #sitesLinking = 0
  /** Links to waiting pages, and those of them within a site. */
  #links = 0
  #linksInSite = 0
  /** Site of the page visited last, and what each of its links carries. */
  #parentSite = 0
  #cashShare = 0
  #services: StrategyServices | undefined

  constructor(measures: ImportanceMeasures) {
    this.#measures = measures
  }

  start(services: StrategyServices): void {
    this.#services = services
  }

  discovered(page: number): void {
    this.#cash.ensure(page)
    const site = this.#services!.siteOf(page)
    if (site !== noSite) this.#coverage.ensure(site)
  }

  /** To be called before the measures count the page as crawled. */
  visited(page: number, linkCount: number): void {
    const site = this.#services!.siteOf(page)
    this.#parentSite = site
    this.#cashShare = (1 + this.#cash.array[page]) / linkCount
    if (this.#measures.crawledOfSite(site) > 0) return
    this.#sitesCrawled++
    if (linkCount > 0) this.#sitesLinking++
  }

  /** The page visited last links to this waiting page. */
  linked(page: number): void {
    this.#cash.array[page] += this.#cashShare
    this.#links++
    if (this.#services!.siteOf(page) === this.#parentSite) this.#linksInSite++
  }

  /** The logarithm of the factor by which the score of a waiting page differs from its PageRank. */
  correction(page: number): number {
    const site = this.#services!.siteOf(page)
    if (site === noSite) return 0
    const measures = this.#measures
    return (
      cashWeight * (Math.log1p(this.#cash.array[page]) - measures.logRank(page)) +
      parentsWeight * Math.log1p(measures.parents(page)) +
      this.#coverage.array[site] +
      this.#curiosity / (1 + measures.crawledOfSite(site))
    )
  }

  update(): void {
    const measures = this.#measures
    const linking = (this.#sitesLinking + sitesPresumed) / (this.#sitesCrawled + sitesPresumed)
    this.#curiosity = curiosityMax * ((1 - measures.sitesPerPage) * linking) ** 2
    const leaving = (this.#links - this.#linksInSite) / (1 + this.#links)
    const weight = coverageWeight * (1 - leaving * (1 - measures.sitesPerPage))
    for (let site = 0; site < measures.siteNumbers; site++) {
      const crawled = measures.crawledOfSite(site)
      const coverage = Math.log((1 + measures.foundOfSite(site) - crawled) / (1 + crawled))
      this.#coverage.array[site] = weight * Math.max(-coverageMax, Math.min(coverageMax, coverage))
    }
  }

  transfer(state: StateCodec): void {
    state.growing(this.#cash)
    state.growing(this.#coverage)
    this.#curiosity = state.number(this.#curiosity)
    this.#sitesCrawled = state.number(this.#sitesCrawled)
    this.#sitesLinking = state.number(this.#sitesLinking)
    this.#links = state.number(this.#links)
    this.#linksInSite = state.number(this.#linksInSite)
  }
}
