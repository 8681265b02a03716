/**
 * Learns during the crawl which links lead to hot pages. The features of a waiting page are the words of its
 * anchors and of its URL, the relevance of the pages that link to it and the share of them that is hot, its
 * distance from a hot page, and the share of hot pages on its site and among its siblings. A linear model
 * (link-model.ts) turns them into a probability and is trained on every fetched page. Before the first
 * training example, the order is similar to that of Cho et al.: links that mention the topic and links of hot
 * pages first.
 *
 * Our own, in the line of Rennie and McCallum, "Using Reinforcement Learning to Spider the Web Efficiently",
 * 1999, and of Chakrabarti, Punera and Subramanyam, "Accelerated Focused Crawling through Online Relevance
 * Feedback", 2002.
 */
import { emptyReading, type Reading } from '../engine/reading.ts'
import { noParent, type Strategy, type StrategyServices } from '../engine/strategy.ts'
import { assert } from '../lib/assert.ts'
import { GrowingFloat64, GrowingUint16, GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import { LinkModel } from './link-model.ts'

/**
 * Maximum number of clues kept per page: those of its first link, and of further anchors while there is room.
 */
const slots = 24
const countMax = 0xffff
/** Distances from hot pages are capped here. */
const farAway = 4
/** Yields are smoothed toward the mean of the crawl with this many pseudo-observations. */
const caution = 4

/** Clamps the score to 0..1, since a scorer may return any number. */
const tamed = (relevance: number): number => Math.sqrt(Math.min(1, Math.max(0, relevance)))

/** Initial weights of the measures, in the order of `measure`. */
const firstWeights = [-3, 1.5, 2, 1.5, 1, 2, 1, 0.5, 2, 2, 0.3, 2]
/** Maximum weight of a hot page as a training example: rare hot pages count more than other pages. */
const hotWeightMax = 3

export function learnedTopic({ every }: { every: number }): Strategy {
  const model = new LinkModel(firstWeights)
  const clues = new GrowingUint16()
  const clueCounts = new GrowingUint8()
  /** The best anchor, the most relevant parent, and the sum over parents. */
  const anchor = new GrowingFloat64()
  const relevance = new GrowingFloat64()
  const relevanceSum = new GrowingFloat64()
  const mentions = new GrowingUint16()
  const parents = new GrowingUint16()
  const hotParents = new GrowingUint16()
  /** Links from the nearest hot page, at most farAway. */
  const distance = new GrowingUint8()
  const firstParent = new GrowingUint32()
  /** Links from a seed. */
  const depth = new GrowingUint16()
  /**
   * For the children of a page and the pages of a site: number crawled, and number of those that were hot.
   */
  const childrenTried = new GrowingUint16()
  const childrenHot = new GrowingUint16()
  const siteTried = new GrowingUint32()
  const siteHot = new GrowingUint32()
  const arrays = [clueCounts, anchor, relevance, relevanceSum, mentions, parents, hotParents, distance]
  const moreArrays = [firstParent, depth, childrenTried, childrenHot]
  let tried = 0
  let hot = 0
  let reading: Reading = emptyReading
  let link = 0
  let parent = 0
  let services: StrategyServices | undefined
  const measures = new Float64Array(firstWeights.length)

  const yieldOf = (hotOnes: number, all: number): number => {
    const mean = (hot + 0.1) / (tried + 1)
    return (hotOnes + caution * mean) / (all + caution)
  }

  const measure = (page: number): void => {
    const site = services!.siteOf(page)
    const seen = Math.max(1, parents.array[page])
    const away = distance.array[page]
    const from = firstParent.array[page]
    siteTried.ensure(site)
    siteHot.ensure(site)
    measures[0] = 1
    measures[1] = anchor.array[page]
    measures[2] = Math.min(1, mentions.array[page])
    measures[3] = tamed(relevance.array[page])
    measures[4] = tamed(relevanceSum.array[page] / seen)
    measures[5] = hotParents.array[page] / seen
    measures[6] = away === 1 ? 1 : 0
    measures[7] = away === 2 ? 1 : 0
    measures[8] = Math.sqrt(yieldOf(siteHot.array[site], siteTried.array[site]))
    measures[9] = Math.sqrt(yieldOf(childrenHot.array[from], childrenTried.array[from]))
    measures[10] = Math.log1p(parents.array[page])
    measures[11] = 1 / (1 + depth.array[page])
  }

  const estimate = (page: number): number => {
    measure(page)
    const start = page * slots
    return model.estimate(measures, clues.array, start, start + clueCounts.array[page])
  }

  const addClues = (page: number, from: number, to: number): void => {
    const start = page * slots
    let count = clueCounts.array[page]
    for (let at = from; at < to && count < slots; at++) {
      const clue = reading.clues[at]
      let known = false
      for (let i = start; i < start + count; i++) known ||= clues.array[i] === clue
      if (!known) clues.array[start + count++] = clue
    }
    clueCounts.array[page] = count
  }

  const learn = (page: number, isHot: boolean): void => {
    measure(page)
    const start = page * slots
    const rarity = (tried + 1) / (hot + 1)
    const weight = isHot ? Math.min(hotWeightMax, Math.sqrt(rarity)) : 1
    if (parents.array[page] > 0)
      model.learn(measures, clues.array, start, start + clueCounts.array[page], isHot, weight)
    const site = services!.siteOf(page)
    const from = firstParent.array[page]
    siteTried.array[site]++
    if (childrenTried.array[from] < countMax) childrenTried.array[from]++
    tried++
    if (!isHot) return
    siteHot.array[site]++
    if (childrenHot.array[from] < countMax) childrenHot.array[from]++
    hot++
  }

  return {
    name: 'learned-topic',
    /** Rescoring all waiting pages costs no more than a few dozen links per crawled page. */
    get every() {
      return Math.max(every, Math.ceil((services?.known() ?? 0) / 64))
    },
    start(given) {
      services = given
    },
    discovered(page, from) {
      for (const array of arrays) array.ensure(page)
      for (const array of moreArrays) array.ensure(page)
      clues.ensure((page + 1) * slots)
      distance.array[page] = farAway
      firstParent.array[page] = from === noParent ? page : from
      if (from !== noParent) depth.array[page] = Math.min(countMax, depth.array[from] + 1)
      return 0
    },
    read(page, read) {
      reading = read
      link = 0
      parent = page
      learn(page, read.isHot)
      if (read.isHot) distance.array[page] = 0
    },
    visited: () => 1,
    linked(page) {
      assert(services !== undefined, 'links must not be reported before the crawl starts')
      const i = link++
      if (!services.isWaiting(page)) return 0
      if (parents.array[page] < countMax) parents.array[page]++
      relevanceSum.array[page] += reading.relevance
      if (reading.relevance > relevance.array[page]) relevance.array[page] = reading.relevance
      if (reading.isHot && hotParents.array[page] < countMax) hotParents.array[page]++
      distance.array[page] = Math.min(distance.array[page], distance.array[parent] + 1)
      if (i < reading.ends.length) {
        if (reading.similarity[i] > anchor.array[page]) anchor.array[page] = reading.similarity[i]
        if (mentions.array[page] < countMax) mentions.array[page] += reading.mentions[i]
        addClues(page, i === 0 ? 0 : reading.ends[i - 1], reading.ends[i])
      }
      return estimate(page)
    },
    score: estimate,
    rescore() {},
    transfer(state) {
      state.section('learned-topic', 1)
      model.transfer(state)
      state.growing(clues)
      for (const array of arrays) state.growing(array)
      for (const array of moreArrays) state.growing(array)
      state.growing(siteTried)
      state.growing(siteHot)
      tried = state.number(tried)
      hot = state.number(hot)
    },
  }
}
