/**
 * Wraps any strategy and demotes pages of sites that look like spam. Sites whose spam mass
 * exceeds the limit wait until no other page does; sites with less than a third of the trust at that limit
 * are demoted further, and those with less than a ninth furthest. Within each step, pages keep the order of
 * the strategy. Spam mass is recomputed with the strategy's scores, or every K pages; a site found since then
 * is not demoted.
 *
 * No page is refused. An honest site far from the seeds may be demoted for a while: each link from a trusted
 * site moves it up.
 */
import type { Strategy, StrategyServices } from '../strategy.ts'
import { noSite } from '../world.ts'
import { GrowingUint32, GrowingFloat64 } from '../../lib/growing-array.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { MassOptions } from './mass.ts'

interface SpamDemotionOptions extends MassOptions {
  readonly every: number
  /** The highest spam mass that is not demoted, from 0 to 1. */
  readonly massMax: number
}

const steps = 3
const trustFallsBy = 3
/** In a crawl that fetches pages again, demoted pages weigh this much less for each step. */
const demotion = 2 ** -10

export function spamDemoted(inner: Strategy, options: SpamDemotionOptions): Strategy {
  const spam = new SiteSpam(options.damping)
  /** Pages crawled since spam mass was computed. */
  const crawled = new GrowingUint32(64)
  let crawledCount = 0
  let services: StrategyServices | undefined

  /** How far a page is demoted: 0 for not at all. */
  const stepOf = (page: number): number => {
    const site = services!.siteOf(page)
    if (site === noSite) return 0
    const trusted = 1 - spam.mass(site)
    let step = 0
    for (let least = 1 - options.massMax; step < steps && trusted < least; least /= trustFallsBy) step++
    return step
  }

  const placed = (page: number, score: number): number => {
    const step = stepOf(page)
    return step === 0 ? score : heldBack(score, step)
  }

  const transfer = (state: StateCodec): void => {
    state.section('spam demotion', 1)
    inner.transfer?.(state)
    spam.transfer(state)
    const pages = state.array(crawled.array.subarray(0, crawledCount))
    if (!state.isReading) return
    crawled.replace(pages, pages.length)
    crawledCount = pages.length
  }

  const demoted: Strategy = {
    ...inner,
    start(given) {
      services = given
      void given.links
      inner.start?.(given)
    },
    discovered(page, parent) {
      const site = services!.siteOf(page)
      if (site !== noSite) spam.found(site)
      return placed(page, inner.discovered(page, parent))
    },
    seeded(seeds) {
      inner.seeded?.(seeds)
      seeds.forEach((seed, i) => spam.trust(services!.siteOf(seed), options.trust?.(i) ?? 1))
    },
    visited(page, linkCount) {
      crawled.ensure(crawledCount)
      crawled.array[crawledCount++] = page
      return inner.visited(page, linkCount)
    },
    linked: (page, share) => placed(page, inner.linked(page, share)),
    score: (page) => placed(page, inner.score(page)),
    masses() {
      const massOf = inner.masses?.() ?? (() => 1)
      return (page) => massOf(page) * demotion ** stepOf(page)
    },
    shown: (page) => inner.shown?.(page) ?? inner.score(page),
    rescore() {
      if (inner.every !== undefined || inner.batchSize !== undefined) inner.rescore?.()
      for (let i = 0; i < crawledCount; i++) spam.add(crawled.array[i], services!)
      crawledCount = 0
      spam.update()
    },
    ...(inner.transfer === undefined ? {} : { transfer }),
  }
  // Copied above as the number that it was at that moment; it may be a getter.
  if (inner.batchSize === undefined)
    Object.defineProperty(demoted, 'every', { get: () => inner.every ?? options.every, enumerable: true })
  return demoted
}

/** Demoted scores are clamped to this range. */
const scoreMax = 2 ** 48
const scoreMin = 2 ** -48

/**
 * Below everything that is not demoted, and above the next step; within a step, in the order of the rounded
 * scores.
 */
export function heldBack(score: number, step: number): number {
  return -(2 ** (200 * step)) / positive(roundScore(score))
}

/** Maps scores to positive numbers in the same order. */
function positive(score: number): number {
  if (score === 0) return scoreMin / 2
  const size = Math.min(scoreMax, Math.max(scoreMin, Math.abs(score)))
  return score > 0 ? size : (scoreMin * scoreMin) / 4 / size
}

/**
 * Spam mass of sites in the known graph. The weight of an edge between two sites, or from a site to itself,
 * is the number of links on crawled pages. p is PageRank on that graph with jumps to every site, t with jumps
 * only to the sites of the trusted seeds:
 *
 *   p(s) = 1    + d · Σ p(r) · links(r, s) / links(r)        spam mass of s = 1 - t(s) / p(s)
 *   t(s) = w(s) + d · Σ t(r) · links(r, s) / links(r)        w sums to the number of sites and is 0 without
 *   seeds
 *
 * Gyöngyi, Berkhin, Garcia-Molina and Pedersen, "Link Spam Detection Based on Mass Estimation", 2006, who
 * also used the host graph. On the page graph it is useless: one hijacked link on a popular page gives a farm
 * more trust than most honest pages have. On the site graph, that link is one of thousands of its site, and a
 * farm counts as one node regardless of its number of pages.
 *
 * Each pair of linked sites takes 16 bytes and a slot in a table; when the table is full, further pairs are
 * ignored.
 */

const pairsMax = 8_000_000
/** Maximum number of distinct sites: two site numbers form one key. */
const sitesMax = 2 ** 26
/**
 * Each iteration reduces the error by a factor d and starts from the last solution, which is already close.
 */
const iterationsMax = 100
const changeMax = 1e-9

export class SiteSpam {
  readonly #damping: number
  readonly #pairs = new Map<number, number>()
  readonly #from = new GrowingUint32()
  readonly #to = new GrowingUint32()
  readonly #linksOfPair = new GrowingFloat64()
  readonly #linksOfSite = new GrowingFloat64()
  /** Number of known sites. */
  #sites = 0
  readonly #jumps = new GrowingFloat64()
  #jumpsInAll = 0
  readonly #rank = new GrowingFloat64()
  readonly #trusted = new GrowingFloat64()
  #next = new Float64Array(0)

  constructor(damping: number) {
    this.#damping = damping
  }

  /** A site was found. */
  found(site: number): void {
    if (site < this.#sites || site >= sitesMax) return
    this.#sites = site + 1
    for (const array of [this.#linksOfSite, this.#jumps, this.#rank, this.#trusted]) array.ensure(site)
  }

  trust(site: number, weight: number): void {
    this.#jumps.array[site] += weight
    this.#jumpsInAll += weight
  }

  /** Adds the links of a crawled page. */
  add(page: number, services: StrategyServices): void {
    const from = services.siteOf(page)
    if (from >= this.#sites) return
    const { links } = services
    links.seek(page)
    const { targets, start, end } = links
    for (let i = start; i < end; i++) {
      const to = services.siteOf(targets[i])
      if (to !== noSite && to < this.#sites) this.#addLink(from, to)
    }
  }

  #addLink(from: number, to: number): void {
    const key = from * sitesMax + to
    let pair = this.#pairs.get(key)
    if (pair === undefined) {
      pair = this.#pairs.size
      if (pair >= pairsMax) return
      this.#pairs.set(key, pair)
      this.#from.ensure(pair)
      this.#to.ensure(pair)
      this.#linksOfPair.ensure(pair)
      this.#from.array[pair] = from
      this.#to.array[pair] = to
    }
    this.#linksOfPair.array[pair]++
    this.#linksOfSite.array[from]++
  }

  /** Brings the masses up to date. */
  update(): void {
    const scale = this.#jumpsInAll === 0 ? 0 : this.#sites / this.#jumpsInAll
    if (this.#next.length < this.#sites) this.#next = new Float64Array(this.#rank.array.length)
    this.#solve(this.#rank, () => 1)
    this.#solve(this.#trusted, (site) => scale * this.#jumps.array[site])
  }

  #solve(solution: GrowingFloat64, own: (site: number) => number): void {
    const sites = this.#sites
    const x = solution.array
    const next = this.#next
    const from = this.#from.array
    const to = this.#to.array
    const links = this.#linksOfPair.array
    const ofSite = this.#linksOfSite.array
    for (let iteration = 0, change = Infinity; change > changeMax * sites; iteration++) {
      if (iteration === iterationsMax) break
      for (let site = 0; site < sites; site++) next[site] = own(site)
      for (let pair = 0; pair < this.#pairs.size; pair++) {
        const site = from[pair]
        next[to[pair]] += (this.#damping * x[site] * links[pair]) / ofSite[site]
      }
      change = 0
      for (let site = 0; site < sites; site++) {
        change += Math.abs(next[site] - x[site])
        x[site] = next[site]
      }
    }
  }

  /** As of the last `update`: at most 1, and below 0 close to the seeds; 0 for a site found since. */
  mass(site: number): number {
    const rank = this.#rank.array[site]
    return rank > 0 ? 1 - this.#trusted.array[site] / rank : 0
  }

  transfer(state: StateCodec): void {
    state.section('site spam', 1)
    this.#sites = state.number(this.#sites)
    this.#jumpsInAll = state.number(this.#jumpsInAll)
    state.appended(this.#from)
    state.appended(this.#to)
    state.growing(this.#linksOfPair)
    state.growing(this.#linksOfSite)
    state.growing(this.#jumps)
    state.growing(this.#rank)
    state.growing(this.#trusted)
    if (!state.isReading) return
    const from = this.#from.array
    const to = this.#to.array
    for (let pair = 0; pair < this.#from.length; pair++)
      this.#pairs.set(from[pair] * sitesMax + to[pair], pair)
  }
}
