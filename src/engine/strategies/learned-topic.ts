/**
 * A crawl that learns which links lead to hot pages. The score of a waiting page is the probability that it is hot
 * (hot-expectation.ts: a mixture of the classes of Cho et al. and of a model), plus half the promise of the pages
 * that it is expected to lead to (page-finds.ts). Every fetched page trains both.
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
import type { FirstWeight } from './link-model.ts'
import { PageFinds } from './page-finds.ts'

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
