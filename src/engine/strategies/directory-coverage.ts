/**
 * How much of a page's directory is crawled, compared with its site: a directory of which little is crawled has most of
 * its links still to come. And how important its crawled pages are: others will be like them. For corrected-pagerank.ts.
 *
 * A directory is what comes before the last slash of a URL, within a site; without URLs, the site. The correction of its pages is
 *
 *   0.3 · a^1.5 · (coverage of the directory - coverage of the site)
 *   + 0.15 · (mean of log x over its c crawled pages - mean over all crawled pages) · c / (c + 3)
 *
 * coverage being log((1 + waiting) / (1 + crawled)) at the last update, from -2 to 2. On a site with one directory, and
 * without URLs, that of the first line is 0.
 *
 * *a* tells whether directories are units of the web: the assortativity of links (Newman, "Mixing patterns in networks", 2003).
 * Of the links within a site, s stay within a directory; if targets were drawn in proportion to the links that their
 * directories receive, e of them would. a = (s - e) / (1 - e), 0 if that is negative. A menu that every page of a site has leads
 * everywhere from everywhere, so it lowers a as much as it should.
 *
 * Constant time per link and page; an update takes one step per directory and crawled page. 4 bytes per page.
 */
import type { StrategyServices } from '../strategy.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

const assortativityPower = 1.5
const coverageMax = 2
/** A directory counts as if this many more pages of it, with the mean of all, were crawled. */
const pagesPresumed = 3
/** A fingerprint. */
const words = new Uint32Array(2)

/** log((1 + waiting) / (1 + crawled)), limited. */
export function logCoverage(found: number, crawled: number): number {
  const coverage = Math.log((1 + found - crawled) / (1 + crawled))
  return Math.max(-coverageMax, Math.min(coverageMax, coverage))
}

export class DirectoryCoverage {
  /** 0.3 and 0.15 above. */
  readonly #weights: { readonly coverage: number; readonly mean: number }
  readonly #directories = new FingerprintTable()
  readonly #ofPage = new GrowingUint32()
  /** By directory: its site, pages found and crawled, and links from and to its pages, within the site. */
  readonly #site = new GrowingUint32(16)
  readonly #found = new GrowingUint32(16)
  readonly #crawled = new GrowingUint32(16)
  readonly #linksFrom = new GrowingUint32(16)
  readonly #linksTo = new GrowingUint32(16)
  /** 0 for a directory found since the last update. */
  readonly #correction = new GrowingFloat64(16)
  /** Links within each site, within all sites, and those of them within a directory. */
  readonly #linksOfSite = new GrowingUint32(16)
  #links = 0
  #linksWithin = 0
  /** The page visited last. */
  #parent = 0
  #services: StrategyServices | undefined

  constructor(weights: { readonly coverage: number; readonly mean: number }) {
    this.#weights = weights
  }

  start(services: StrategyServices): void {
    this.#services = services
  }

  discovered(page: number): void {
    const site = this.#services!.siteOf(page)
    const directory = this.#directoryOf(this.#services!.urlOf(page), site)
    this.#ofPage.ensure(page)
    this.#ofPage.array[page] = directory
    this.#found.array[directory]++
  }

  #directoryOf(url: string, site: number): number {
    fingerprint(`${site} ${url.slice(0, url.lastIndexOf('/') + 1)}`, words, 0)
    const [low, high] = words
    const known = this.#directories.find(low, high)
    if (known !== unseen) return known
    const directory = this.#directories.add(low, high)
    this.#site.ensure(directory)
    this.#found.ensure(directory)
    this.#crawled.ensure(directory)
    this.#linksFrom.ensure(directory)
    this.#linksTo.ensure(directory)
    this.#correction.ensure(directory)
    this.#linksOfSite.ensure(site)
    this.#site.array[directory] = site
    return directory
  }

  visited(page: number): void {
    this.#parent = page
    this.#crawled.array[this.#ofPage.array[page]]++
  }

  /** The page visited last links to this page, crawled or waiting, of the same site. */
  linked(page: number, site: number): void {
    if (page === this.#parent) return
    const from = this.#ofPage.array[this.#parent]
    const to = this.#ofPage.array[page]
    this.#linksFrom.array[from]++
    this.#linksTo.array[to]++
    this.#linksOfSite.array[site]++
    this.#links++
    if (from === to) this.#linksWithin++
  }

  /** The logarithm of the factor of a page. */
  correction(page: number): number {
    return this.#correction.array[this.#ofPage.array[page]]
  }

  /** `siteCoverage`: that of each site. `rankOf`: x of a page. */
  update(
    siteCoverage: (site: number) => number,
    crawled: Uint32Array,
    rankOf: (page: number) => number,
  ): void {
    const factor = this.#weights.coverage * this.#assortativity() ** assortativityPower
    const logSums = new Float64Array(this.#directories.count)
    let logSum = 0
    for (const page of crawled) {
      const log = Math.log(rankOf(page))
      logSum += log
      logSums[this.#ofPage.array[page]] += log
    }
    const mean = logSum / Math.max(1, crawled.length)
    for (let directory = 0; directory < this.#directories.count; directory++) {
      const coverage = logCoverage(this.#found.array[directory], this.#crawled.array[directory])
      const pages = this.#crawled.array[directory]
      this.#correction.array[directory] =
        factor * (coverage - siteCoverage(this.#site.array[directory])) +
        (this.#weights.mean * (logSums[directory] - mean * pages)) / (pages + pagesPresumed)
    }
  }

  #assortativity(): number {
    let expected = 0
    for (let directory = 0; directory < this.#directories.count; directory++) {
      const from = this.#linksFrom.array[directory]
      if (from === 0) continue
      const share = this.#linksTo.array[directory] / this.#linksOfSite.array[this.#site.array[directory]]
      expected += from * share
    }
    const surplus = this.#linksWithin - expected
    return surplus > 0 ? surplus / (this.#links - expected) : 0
  }

  transfer(state: StateCodec): void {
    state.section('directory coverage', 1)
    this.#directories.transfer(state)
    state.appended(this.#ofPage)
    state.appended(this.#site)
    state.growing(this.#found)
    state.growing(this.#crawled)
    state.growing(this.#linksFrom)
    state.growing(this.#linksTo)
    state.growing(this.#correction)
    state.growing(this.#linksOfSite)
    this.#links = state.number(this.#links)
    this.#linksWithin = state.number(this.#linksWithin)
  }
}
