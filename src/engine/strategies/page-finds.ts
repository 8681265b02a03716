/**
 * The expected value of the pages that a waiting page leads to. A model forecasts how many new pages it links to. The
 * *promise* of a new page is the amount by which its probability of being hot exceeds the recent share of hot pages:
 * pages below that share need not be fetched soon. For learned-topic.ts.
 *
 * Promise is averaged over the last hundred or so fetched pages, separately for hot parents and others.
 */
import type { StateCodec } from '../../lib/state.ts'
import type { LinkClues } from './link-clues.ts'
import { LinkModel } from './link-model.ts'

/** Initial weights of the measures: constant, in-links, distance from the seed, recency. */
const firstWeights = [
  { mean: 0.3, variance: 1 },
  { mean: 0.3, variance: 0.1 },
  { mean: 1, variance: 0.1 },
  { mean: -0.5, variance: 0.1 },
]
const clueVariance = 0.2
/** Share of the averages that is forgotten at each fetched page. */
const fading = 0.01
/** Promise per link before the first page, and how many links the averages of each kind of parent start with. */
const firstPromise = 0.01
const caution = 3

export class PageFinds {
  readonly #clues: LinkClues
  readonly #model = new LinkModel(firstWeights, clueVariance)
  readonly #measures = new Float64Array(firstWeights.length)
  /** Sums over the new links of parents that are not hot, and of hot ones. */
  readonly #promise = new Float64Array(2)
  readonly #links = new Float64Array(2)
  /** The share of hot pages among those fetched lately. */
  #hotShare = 0
  /** The page fetched last, -1 if none; 1 if it is hot; and how many new pages it has led to. */
  #parent = -1
  #parentKind = 0
  #found = 0

  constructor(clues: LinkClues) {
    this.#clues = clues
  }

  /** The expected promise behind a page that is hot with this probability; `known`: number of known pages. */
  worthOf(page: number, hot: number, known: number): number {
    this.#measure(page, known)
    const { clues } = this.#clues
    const forecast = this.#model.estimate(
      this.#measures,
      clues.array,
      this.#clues.start(page),
      this.#clues.end(page),
    )
    const cold = (this.#promise[0] + firstPromise) / (this.#links[0] + 1)
    const besideHot = (this.#promise[1] + caution * cold) / (this.#links[1] + caution)
    return Math.max(0, Math.expm1(forecast)) * (cold + (besideHot - cold) * hot)
  }

  /** A page was fetched: its links follow, and those of the page before are complete. */
  fetched(page: number, isHot: boolean, known: number): void {
    if (this.#parent >= 0) this.#learn(this.#parent, known)
    this.#hotShare += fading * ((isHot ? 1 : 0) - this.#hotShare)
    this.#parent = page
    this.#parentKind = isHot ? 1 : 0
    this.#found = 0
    this.#promise[this.#parentKind] *= 1 - fading
    this.#links[this.#parentKind] *= 1 - fading
  }

  /** The page fetched last led to a new page, which is hot with this probability. */
  found(hot: number): void {
    this.#found++
    this.#links[this.#parentKind]++
    this.#promise[this.#parentKind] += Math.max(0, hot - this.#hotShare)
  }

  transfer(state: StateCodec): void {
    state.section('page finds', 1)
    this.#model.transfer(state)
    state.fixed(this.#promise)
    state.fixed(this.#links)
    this.#hotShare = state.number(this.#hotShare)
    this.#parent = state.number(this.#parent)
    this.#parentKind = state.number(this.#parentKind)
    this.#found = state.number(this.#found)
  }

  #learn(page: number, known: number): void {
    this.#measure(page, known)
    const { clues } = this.#clues
    const from = this.#clues.start(page)
    this.#model.learnNumber(this.#measures, clues.array, from, this.#clues.end(page), Math.log1p(this.#found))
  }

  #measure(page: number, known: number): void {
    const { parents, depth } = this.#clues
    this.#measures[0] = 1
    this.#measures[1] = Math.log1p(parents.array[page])
    this.#measures[2] = 1 / (1 + depth.array[page])
    this.#measures[3] = page / known
  }
}
