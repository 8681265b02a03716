/**
 * A crawl that learns which links lead to hot pages. The score of a waiting page is the probability that it is hot
 * (hot-expectation.ts: a mixture of the classes of Cho et al. and of a model), plus half the promise of the pages
 * that it is expected to lead to. Every fetched page trains both.
 *
 * Where the estimates say little, popular pages and pages found early are the better choice, as in backlink-count and
 * breadth-first. The crawl cannot learn this, since it chooses the pages that it learns from. So the score is multiplied
 * by a fixed factor, (1 + links)^0.3 · e^(0.3 · age); the page found last has age 0, the first has 1.
 *
 * Differences smaller than the error of such estimates do not count: scores are rounded to steps of 35%, and pages of
 * the same step are fetched in order of discovery.
 *
 * Our own, in the tradition of Rennie and McCallum, "Using Reinforcement Learning to Spider the Web
 * Efficiently", 1999, and Chakrabarti, Punera and Subramanyam, "Accelerated Focused Crawling through Online
 * Relevance Feedback", 2002.
 */
import { emptyReading, type Reading } from '../reading.ts'
import type { Strategy, StrategyServices } from '../strategy.ts'
import { assert } from '../../lib/assert.ts'
import { firstHotWeights, HotExpectation } from './hot-expectation.ts'
import { LinkClues } from './link-clues.ts'
import { type FirstWeight, LinkModel } from './link-model.ts'
import type { StateCodec } from '../../lib/state.ts'

/** A page that another one leads to needs two fetches. */
const promiseShare = 0.5
const linksWeight = 0.3
const ageWeight = 0.3
/** Scores are rounded to powers of e^step. */
const step = 0.3

export interface LearnedTopicOptions {
  readonly every: number
  /** For experiments: the initial weights of the model, and a function that receives the weights after each page. */
  readonly first?: readonly FirstWeight[] | undefined
  readonly onLearned?: ((weights: readonly number[]) => void) | undefined
}

export function learnedTopic({ every, first = firstHotWeights, onLearned }: LearnedTopicOptions): Strategy {
  const clues = new LinkClues()
  const expectation = new HotExpectation(clues, first)
  const finds = new PageFinds(clues)
  let services: StrategyServices | undefined
  /** The page fetched last, its reading, and the number of its links processed. */
  let parent = 0
  let reading: Reading = emptyReading
  let link = 0

  const worth = (page: number, hot: number): number => {
    const known = services!.known()
    const value = Math.log(hot + promiseShare * finds.worthOf(page, hot, known))
    const popularity = linksWeight * Math.log1p(clues.parents.array[page]) + ageWeight * (1 - page / known)
    return Math.exp(step * Math.round((value + popularity) / step))
  }

  return {
    name: 'learned-topic',
    /** Limits the cost of rescoring all waiting pages to a few dozen links per crawled page. */
    get every() {
      return Math.max(every, Math.ceil((services?.known() ?? 0) / 64))
    },
    start(given) {
      services = given
      expectation.start(given)
    },
    discovered(page, from) {
      clues.discovered(page, from)
      expectation.discovered(page)
      return 0
    },
    read(page, read) {
      reading = read
      link = 0
      parent = page
      finds.fetched(page, read.isHot, services!.known())
      expectation.learn(page, read.isHot)
      if (read.isHot) clues.foundHot(page)
      if (onLearned !== undefined) onLearned(expectation.weights)
    },
    visited: () => 1,
    linked(page) {
      assert(services !== undefined, 'a link was reported before the crawl started')
      const i = link++
      if (!services.isWaiting(page)) return 0
      const isNew = clues.parents.array[page] === 0
      clues.linked(page, parent, reading, i)
      const hot = expectation.of(page)
      if (isNew) finds.found(hot)
      return worth(page, hot)
    },
    score: (page) => worth(page, expectation.of(page)),
    rescore() {},
    transfer(state) {
      state.section('learned-topic', 3)
      clues.transfer(state)
      expectation.transfer(state)
      finds.transfer(state)
    },
  }
}

/**
 * The expected value of the pages that a waiting page leads to. A model forecasts how many new pages it links to. The
 * *promise* of a new page is the amount by which its probability of being hot exceeds the recent share of hot pages:
 * pages below that share need not be fetched soon. For learned-topic.ts.
 *
 * Promise is averaged over the last hundred or so fetched pages, separately for hot parents and others.
 */

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

class PageFinds {
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
