/**
 * The probability that a waiting page is hot: a mixture of two forecasts, weighted by how well each has forecast
 * the pages fetched so far. One is by the classes of Cho et al., the other by a model
 * (link-model.ts) of everything that links say about a page. Both have the same weight at first. For
 * learned-topic.ts.
 */
import type { StrategyServices } from '../strategy.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { LinkClues } from './link-clues.ts'
import { type FirstWeight, LinkModel } from './link-model.ts'
import { GrowingUint16, GrowingUint32 } from '../../lib/growing-array.ts'

/**
 * Initial weights of the measures, in the order of `#measure`: about the mean weights at the end of crawls of several
 * webs (bench/topics.bench.ts). The constant is a little higher, and the number of links to a page counts nothing, since its
 * weight differs between webs.
 */
export const firstHotWeights: readonly FirstWeight[] = [
  -5.5, 1.8, 2.6, 1.2, 0.7, 1.2, 0.2, 0.7, 1.6, 1.5, 0, 1.4,
].map((mean, i) => ({ mean, variance: i === 0 ? 1 : 0.05 }))
const clueVariance = 1

/** How fast the weights of the two forecasts follow the difference of their logarithmic losses, and its limit. */
const trustRate = 0.3
const leadMax = 12

/** Limits relevance to 0 … 1: a scorer may return any number. */
const tamed = (relevance: number): number => Math.sqrt(Math.min(1, Math.max(0, relevance)))

export class HotExpectation {
  readonly #clues: LinkClues
  readonly #model: LinkModel
  readonly #classes = new HotClasses()
  readonly #yield = new HotYield()
  readonly #measures = new Float64Array(firstHotWeights.length)
  /** By how much the losses of the classes exceed those of the model, at most `leadMax` either way. */
  #lead = 0
  #services: StrategyServices | undefined

  constructor(clues: LinkClues, first: readonly FirstWeight[]) {
    this.#clues = clues
    this.#model = new LinkModel(first, clueVariance)
  }

  start(services: StrategyServices): void {
    this.#services = services
  }

  discovered(page: number): void {
    this.#yield.discovered(page)
  }

  /** The weights of the model. */
  get weights(): readonly number[] {
    return this.#model.means
  }

  of(page: number): number {
    const trust = 1 / (1 + Math.exp(-trustRate * this.#lead))
    const odds = trust * this.#oddsByModel(page) + (1 - trust) * this.#classes.oddsOf(this.#classOf(page))
    return 1 / (1 + Math.exp(-odds))
  }

  /** Learns from a fetched page. Pages without in-links say nothing about links. */
  learn(page: number, isHot: boolean): void {
    const clues = this.#clues
    if (clues.parents.array[page] > 0) {
      const number = this.#classOf(page)
      const lead =
        this.#lead + loss(this.#classes.oddsOf(number), isHot) - loss(this.#oddsByModel(page), isHot)
      this.#lead = Math.max(-leadMax, Math.min(leadMax, lead))
      this.#classes.tried(number, isHot)
      this.#model.learnTruth(this.#measures, clues.clues.array, clues.start(page), clues.end(page), isHot)
    }
    this.#yield.tried(this.#services!.siteOf(page), clues.firstParent.array[page], isHot)
  }

  transfer(state: StateCodec): void {
    state.section('hot expectation', 1)
    this.#model.transfer(state)
    this.#classes.transfer(state)
    this.#yield.transfer(state)
    this.#lead = state.number(this.#lead)
  }

  #classOf(page: number): number {
    const { mentions, distance } = this.#clues
    return this.#classes.of(mentions.array[page] > 0, distance.array[page])
  }

  #oddsByModel(page: number): number {
    const clues = this.#clues
    this.#measure(page)
    return this.#model.estimate(this.#measures, clues.clues.array, clues.start(page), clues.end(page))
  }

  #measure(page: number): void {
    const clues = this.#clues
    const measures = this.#measures
    const parents = clues.parents.array[page]
    const seen = Math.max(1, parents)
    const distance = clues.distance.array[page]
    measures[0] = 1
    measures[1] = clues.anchor.array[page]
    measures[2] = Math.min(1, clues.mentions.array[page])
    measures[3] = tamed(clues.relevance.array[page])
    measures[4] = tamed(clues.relevanceSum.array[page] / seen)
    measures[5] = clues.hotParents.array[page] / seen
    measures[6] = distance === 1 ? 1 : 0
    measures[7] = distance === 2 ? 1 : 0
    measures[8] = Math.sqrt(this.#yield.ofSite(this.#services!.siteOf(page)))
    measures[9] = Math.sqrt(this.#yield.ofChildren(clues.firstParent.array[page]))
    measures[10] = Math.log1p(parents)
    measures[11] = 1 / (1 + clues.depth.array[page])
  }
}

/** The logarithmic loss of a forecast given as log-odds. */
function loss(odds: number, truth: boolean): number {
  return Math.log1p(Math.exp(truth ? -odds : odds))
}

/**
 * The queues of Cho et al. as a forecast: whether a link mentions the topic, and whether the page is one or two
 * links away from a hot page, make six classes. The share of hot pages in each class is counted during the crawl,
 * so the order of the classes is that of `hot-queue` on some webs and that of `near-hot` on others. For
 * learned-topic.ts.
 */

/** Shares before any page is fetched, which count as `caution` pages. First without mention: far, two links, one link away. */
const firstShares = [0.003, 0.02, 0.05, 0.15, 0.2, 0.3]
const caution = 8

export class HotClasses {
  readonly #tried = new Float64Array(firstShares.length)
  readonly #hot = new Float64Array(firstShares.length)

  /** The class of a page. `distance`: number of links from the nearest hot page. */
  of(isMentioned: boolean, distance: number): number {
    return (isMentioned ? 3 : 0) + Math.max(0, 3 - Math.max(1, distance))
  }

  /** The log-odds that a page of this class is hot. */
  oddsOf(number: number): number {
    const hot = this.#hot[number] + caution * firstShares[number]
    const cold = this.#tried[number] - this.#hot[number] + caution * (1 - firstShares[number])
    return Math.log(hot / cold)
  }

  tried(number: number, isHot: boolean): void {
    this.#tried[number]++
    if (isHot) this.#hot[number]++
  }

  transfer(state: StateCodec): void {
    state.section('hot classes', 1)
    state.fixed(this.#tried)
    state.fixed(this.#hot)
  }
}

/**
 * The share of fetched pages that are hot: per site, among the children of a page, and overall. For
 * learned-topic.ts.
 */

const countMax = 0xffff
/** Shares are smoothed towards the mean of the crawl, which counts as this many pages. */
const yieldCaution = 4

class HotYield {
  readonly #childrenTried = new GrowingUint16()
  readonly #childrenHot = new GrowingUint16()
  readonly #siteTried = new GrowingUint32()
  readonly #siteHot = new GrowingUint32()
  #tried = 0
  #hot = 0

  discovered(page: number): void {
    this.#childrenTried.ensure(page)
    this.#childrenHot.ensure(page)
  }

  /** Counts a fetched page of this site; `parent` has the first link to it. */
  tried(site: number, parent: number, isHot: boolean): void {
    this.#ensureSite(site)
    this.#siteTried.array[site]++
    if (this.#childrenTried.array[parent] < countMax) this.#childrenTried.array[parent]++
    this.#tried++
    if (!isHot) return
    this.#siteHot.array[site]++
    if (this.#childrenHot.array[parent] < countMax) this.#childrenHot.array[parent]++
    this.#hot++
  }

  /** The estimated share of the site's pages that are hot. */
  ofSite(site: number): number {
    this.#ensureSite(site)
    return this.#of(this.#siteHot.array[site], this.#siteTried.array[site])
  }

  /** The estimated share of hot pages among those first linked by this page. */
  ofChildren(parent: number): number {
    return this.#of(this.#childrenHot.array[parent], this.#childrenTried.array[parent])
  }

  transfer(state: StateCodec): void {
    state.growing(this.#childrenTried)
    state.growing(this.#childrenHot)
    state.growing(this.#siteTried)
    state.growing(this.#siteHot)
    this.#tried = state.number(this.#tried)
    this.#hot = state.number(this.#hot)
  }

  #of(hot: number, tried: number): number {
    const mean = (this.#hot + 0.1) / (this.#tried + 1)
    return (hot + yieldCaution * mean) / (tried + yieldCaution)
  }

  #ensureSite(site: number): void {
    this.#siteTried.ensure(site)
    this.#siteHot.ensure(site)
  }
}
