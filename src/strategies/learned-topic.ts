/**
 * A crawl that learns which links lead to hot pages. Features of a waiting page (link-clues.ts): the words of
 * its anchors and URL, the relevance of the pages that link to it and how many are hot, its distance from a
 * hot page, and the share of hot pages on its site and among its siblings (hot-yield.ts). A linear model
 * (link-model.ts) turns them into a probability; every fetched page trains it. The initial weights give an
 * order similar to that of Cho et al.: links that mention the topic and links on hot pages first.
 *
 * Our own, in the tradition of Rennie and McCallum, "Using Reinforcement Learning to Spider the Web
 * Efficiently", 1999, and Chakrabarti, Punera and Subramanyam, "Accelerated Focused Crawling through Online
 * Relevance Feedback", 2002.
 */
import { emptyReading, type Reading } from '../engine/reading.ts'
import type { Strategy, StrategyServices } from '../engine/strategy.ts'
import { assert } from '../lib/assert.ts'
import type { StateCodec } from '../lib/state.ts'
import { HotYield } from './hot-yield.ts'
import { LinkClues } from './link-clues.ts'
import { LinkModel } from './link-model.ts'

/** Initial weights of the measures, in the order of `#measure`. */
const firstWeights = [-3, 1.5, 2, 1.5, 1, 2, 1, 0.5, 2, 2, 0.3, 2]
/** The weight of a hot page in training rises if hot pages are rare, up to this factor. */
const hotWeightMax = 3

/** Limits relevance to 0 … 1: a scorer may return any number. */
const tamed = (relevance: number): number => Math.sqrt(Math.min(1, Math.max(0, relevance)))

export function learnedTopic({ every }: { every: number }): Strategy {
  const expectation = new HotExpectation()
  let services: StrategyServices | undefined
  /** The page fetched last, its reading, and the number of its links processed. */
  let parent = 0
  let reading: Reading = emptyReading
  let link = 0
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
      expectation.discovered(page, from)
      return 0
    },
    read(page, read) {
      reading = read
      link = 0
      parent = page
      expectation.learn(page, read.isHot)
    },
    visited: () => 1,
    linked(page) {
      assert(services !== undefined, 'a link was reported before the crawl started')
      const i = link++
      if (!services.isWaiting(page)) return 0
      expectation.clues.linked(page, parent, reading, i)
      return expectation.of(page)
    },
    score: (page) => expectation.of(page),
    rescore() {},
    transfer(state) {
      state.section('learned-topic', 2)
      expectation.transfer(state)
    },
  }
}

/** The probability that a waiting page is hot. */
class HotExpectation {
  readonly clues = new LinkClues()
  readonly #model = new LinkModel(firstWeights)
  readonly #yield = new HotYield()
  readonly #measures = new Float64Array(firstWeights.length)
  #services: StrategyServices | undefined

  start(services: StrategyServices): void {
    this.#services = services
  }

  discovered(page: number, parent: number): void {
    this.clues.discovered(page, parent)
    this.#yield.discovered(page)
  }

  of(page: number): number {
    this.#measure(page)
    const { clues } = this
    return this.#model.estimate(this.#measures, clues.clues.array, clues.start(page), clues.end(page))
  }

  /** Trains the model on a fetched page. Pages without in-links are not training data for links. */
  learn(page: number, isHot: boolean): void {
    const { clues } = this
    if (clues.parents.array[page] > 0) {
      this.#measure(page)
      const weight = isHot ? Math.min(hotWeightMax, Math.sqrt(this.#yield.rarity)) : 1
      const words = clues.clues.array
      this.#model.learn(this.#measures, words, clues.start(page), clues.end(page), isHot, weight)
    }
    this.#yield.tried(this.#services!.siteOf(page), clues.firstParent.array[page], isHot)
    if (isHot) clues.foundHot(page)
  }

  transfer(state: StateCodec): void {
    this.#model.transfer(state)
    this.clues.transfer(state)
    this.#yield.transfer(state)
  }

  #measure(page: number): void {
    const { clues } = this
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
