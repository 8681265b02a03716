/**
 * What is known of a waiting page that may tell how important it will turn out to be, as numbers: its
 * PageRank in the known graph, how many pages link to it and from where, the form of its URL, and what the
 * crawled pages of its site and of its kind of URL are like. For learned-importance.ts.
 */
import { noParent, type StrategyServices } from '../engine/strategy.ts'
import { noSite } from '../engine/world.ts'
import { fingerprint } from '../lib/fingerprint.ts'
import { GrowingFloat32, GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import type { KnownPageRank } from './known-pagerank.ts'
import { PageGroups } from './page-group.ts'
import { urlForm } from './url-kind.ts'

/** Number of measures. */
export const measureCount = 19

const depthMax = 127
const hasQueryBit = 128
const levelMax = 255
/** The age of pages that were found among the first few says little. */
const ageStart = 5

export class ImportanceMeasures {
  readonly #rank: KnownPageRank
  readonly #url: ((page: number) => string) | undefined
  readonly #everything = new PageGroups()
  readonly #sites = new PageGroups()
  readonly #kinds = new PageGroups()
  /** The kind of each page; the numbers of kinds by fingerprint of site and form. Without URLs, a site is a kind. */
  readonly #kindOf = new GrowingUint32()
  #numbers = new Map<number, number>()
  readonly #words = new Uint32Array(2)
  /** Depth of the URL, with a bit for a query. */
  readonly #form = new GrowingUint8()
  readonly #parents = new GrowingUint32()
  readonly #parentsOfSite = new GrowingUint32()
  /** Sum over the parents of the logarithm of their number of links. */
  readonly #parentLinks = new GrowingFloat32()
  readonly #foundAt = new GrowingUint32()
  /** Links from a seed, along the links by which pages were found. */
  readonly #level = new GrowingUint8()
  #siteCount = 0
  /** Site and logarithm of the number of links of the page whose links are being read. */
  #parentSite = 0
  #logLinks = 0
  #services: StrategyServices | undefined

  constructor(rank: KnownPageRank, url: ((page: number) => string) | undefined) {
    this.#rank = rank
    this.#url = url
  }

  start(services: StrategyServices): void {
    this.#services = services
  }

  discovered(page: number, parent: number): void {
    this.#kindOf.ensure(page)
    this.#form.ensure(page)
    this.#parents.ensure(page)
    this.#parentsOfSite.ensure(page)
    this.#parentLinks.ensure(page)
    this.#foundAt.ensure(page)
    this.#level.ensure(page)
    this.#foundAt.array[page] = this.#services!.crawledCount()
    const levels = this.#level.array
    levels[page] = parent === noParent ? 0 : Math.min(levelMax, levels[parent] + 1)
    const site = this.#services!.siteOf(page)
    if (site === noSite) return
    if (site >= this.#sites.count || this.#sites.found.array[site] === 0) this.#siteCount++
    const kind = this.#kind(page, site)
    this.#kindOf.array[page] = kind
    this.#everything.add(0)
    this.#sites.add(site)
    this.#kinds.add(kind)
  }

  visited(page: number, linkCount: number): void {
    const site = this.#services!.siteOf(page)
    this.#parentSite = site
    this.#logLinks = Math.log(linkCount)
    const logRank = this.logRank(page)
    const logLinks = Math.log(1 + linkCount)
    this.#everything.addCrawled(0, logRank, logLinks)
    this.#sites.addCrawled(site, logRank, logLinks)
    this.#kinds.addCrawled(this.#kindOf.array[page], logRank, logLinks)
  }

  /** The page visited last links to this page. */
  linked(page: number): void {
    this.#parents.array[page]++
    if (this.#services!.siteOf(page) === this.#parentSite) this.#parentsOfSite.array[page]++
    this.#parentLinks.array[page] += this.#logLinks
  }

  logRank(page: number): number {
    return Math.log(Math.max(1, this.#rank.unscaled(page)))
  }

  /** Computes the means of all groups anew, from the PageRank of now. */
  recount(): void {
    const services = this.#services!
    for (const groups of [this.#everything, this.#sites, this.#kinds]) groups.clearRanks()
    const known = services.known()
    for (let page = 0; page < known; page++) {
      const site = services.siteOf(page)
      if (site === noSite) continue
      const logRank = this.logRank(page)
      const isCrawled = services.isCrawled(page)
      this.#everything.recount(0, logRank, isCrawled)
      this.#sites.recount(site, logRank, isCrawled)
      this.#kinds.recount(this.#kindOf.array[page], logRank, isCrawled)
    }
  }

  /** Known sites per known page, from 0 to 1. */
  get sitesPerPage(): number {
    return this.#siteCount / Math.max(1, this.#services!.known())
  }

  /** Sites have smaller numbers than this. */
  get siteNumbers(): number {
    return this.#sites.count
  }

  crawledOfSite(site: number): number {
    return this.#sites.crawled.array[site]
  }

  /** Number of known pages, crawled or not. */
  foundOfSite(site: number): number {
    return this.#sites.found.array[site]
  }

  /** Number of pages that were found to link to a waiting page. */
  parents(page: number): number {
    return this.#parents.array[page]
  }

  /** Writes the measures of a page; the first is the logarithm of its PageRank. */
  measure(page: number, measures: Float64Array): void {
    const site = this.#services!.siteOf(page)
    const kind = this.#kindOf.array[page]
    const parents = this.#parents.array[page]
    const parentsOfSite = this.#parentsOfSite.array[page]
    const form = this.#form.array[page]
    const crawled = this.#sites.crawled.array[site]
    const logRank = this.logRank(page)
    measures[0] = logRank
    measures[1] = Math.log(1 + parents)
    measures[2] = Math.log(1 + parents - parentsOfSite)
    measures[3] = parents === 1 ? 1 : 0
    measures[4] = parents === 0 ? 0 : Math.log((Math.exp(logRank) - 1 + 1e-9) / parents)
    measures[5] = parents === 0 ? 0 : this.#parentLinks.array[page] / parents
    measures[6] = crawled === 0 ? 0 : parentsOfSite / crawled
    measures[7] = form & depthMax
    measures[8] = form >= hasQueryBit ? 1 : 0
    measures[9] = this.#url !== undefined && (form & depthMax) === 0 ? 1 : 0
    measures[10] = Math.log(1 + this.#level.array[page])
    measures[11] = Math.log(
      (this.#services!.crawledCount() + ageStart) / (this.#foundAt.array[page] + ageStart),
    )
    measures[12] = Math.log(1 + this.#sites.found.array[site] - crawled)
    measures[13] = Math.log(1 + crawled)
    this.#measureGroups(site, kind, measures)
  }

  #measureGroups(site: number, kind: number, measures: Float64Array): void {
    const crawledRank = this.#everything.crawledRank(0, 0)
    const ofSite = this.#sites.crawledRank(site, crawledRank)
    measures[14] = ofSite - crawledRank
    measures[15] = this.#kinds.crawledRank(kind, ofSite) - ofSite
    const knownRank = this.#everything.knownRank(0, 0)
    const knownOfSite = this.#sites.knownRank(site, knownRank)
    measures[16] = knownOfSite - knownRank
    measures[17] = this.#kinds.knownRank(kind, knownOfSite) - knownOfSite
    const links = this.#everything.linkCount(0, 0)
    measures[18] = this.#kinds.linkCount(kind, this.#sites.linkCount(site, links)) - links
  }

  transfer(state: StateCodec): void {
    state.growing(this.#kindOf)
    state.growing(this.#form)
    state.growing(this.#parents)
    state.growing(this.#parentsOfSite)
    state.growing(this.#parentLinks)
    state.growing(this.#foundAt)
    state.growing(this.#level)
    this.#everything.transfer(state)
    this.#sites.transfer(state)
    this.#kinds.transfer(state)
    this.#siteCount = state.number(this.#siteCount)
    const fingerprints = state.array(Float64Array.from(this.#numbers.keys()))
    if (state.isReading) this.#numbers = new Map(Array.from(fingerprints, (print, number) => [print, number]))
  }

  #kind(page: number, site: number): number {
    if (this.#url === undefined) return site
    const { kind, depth, hasQuery } = urlForm(this.#url(page))
    this.#form.array[page] = Math.min(depth, depthMax) | (hasQuery ? hasQueryBit : 0)
    fingerprint(`${site} ${kind}`, this.#words, 0)
    const print = (this.#words[1] >>> 11) * 0x1_0000_0000 + this.#words[0]
    let number = this.#numbers.get(print)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(print, number)
    }
    return number
  }
}
