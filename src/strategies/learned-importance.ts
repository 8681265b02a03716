/**
 * Learned importance: the score of a waiting page is the PageRank that it is expected to have once more of
 * the web is known. Three estimates are multiplied:
 *
 * 1. PageRank of the known graph, always up to date with the links of the pages just crawled.
 * 2. What other orders say: OPIC, backlinks, and how much of the page's site is crawled (order-blend.ts).
 * 3. A model's forecast of how much the page still gains by links not seen yet (growth-model.ts,
 *    importance-measures.ts): pages whose site or kind of URL turned out important, pages that much of their
 *    site links to. The model learns from the crawl itself; while its forecasts are not right, they count for
 *    nothing. Half of a trusted forecast counts, since the model is fitted to the growth that the crawl's own
 *    choices have caused.
 *
 * Our own. One update for every 4% of growth of the crawl; without `every`, nothing depends on the size of
 * the web.
 */
import type { Strategy, StrategyServices } from '../engine/strategy.ts'
import { GrowthModel } from './growth-model.ts'
import { ImportanceMeasures, measureCount } from './importance-measures.ts'
import { KnownPageRank } from './known-pagerank.ts'
import { OrderBlend } from './order-blend.ts'

const updateGrowth = 0.04
/** Share of a forecast that counts if it is fully trusted. */
const forecastWeight = 0.5
/** PageRank that a page may leave unpassed at an update; each page owns 1. */
const restMaxDefault = 0.005

export interface LearnedImportanceOptions {
  readonly damping: number
  /** Default: at every 4% of growth. */
  readonly every?: number | undefined
  readonly restMax?: number | undefined
  /** The URL of a known page; undefined if the web has no URLs. */
  readonly url?: ((page: number) => string) | undefined
}

export function learnedImportance(options: LearnedImportanceOptions): Strategy {
  const { damping, every, restMax = restMaxDefault, url } = options
  const rank = new KnownPageRank(damping, { restMax })
  const measures = new ImportanceMeasures(rank, url)
  const blend = new OrderBlend(measures)
  const model = new GrowthModel(measureCount)
  const ownMeasures = new Float64Array(measureCount)
  let services: StrategyServices | undefined
  let trust = 0

  const score = (page: number): number => {
    const correction = blend.correction(page)
    if (trust === 0) return rank.unscaled(page) * Math.exp(correction)
    measures.measure(page, ownMeasures)
    return rank.unscaled(page) * Math.exp(correction + forecastWeight * trust * model.forecast(ownMeasures))
  }

  const study = (): void => {
    const crawled = services!.crawledCount()
    if (!model.isDue(crawled)) return
    model.learn(crawled, (page) => measures.logRank(page))
    trust = model.trust
    const waiting = new Uint32Array(services!.known())
    let count = 0
    for (let page = 0; page < waiting.length; page++) if (services!.isWaiting(page)) waiting[count++] = page
    model.sample(crawled, waiting.subarray(0, count), (page, into) => measures.measure(page, into))
  }

  return {
    name: 'learned-importance',
    get every() {
      return every ?? Math.max(1, Math.floor((services?.crawledCount() ?? 0) * updateGrowth))
    },
    start(given) {
      services = given
      rank.start(given)
      measures.start(given)
      blend.start(given)
    },
    discovered(page, parent) {
      rank.discovered(page)
      measures.discovered(page, parent)
      blend.discovered(page)
      return score(page)
    },
    visited(page, linkCount) {
      rank.visited(page)
      blend.visited(page, linkCount)
      measures.visited(page, linkCount)
      return rank.passOn(page, linkCount)
    },
    linked(page, share) {
      rank.receive(page, share)
      if (services!.isCrawled(page)) return 0
      measures.linked(page)
      blend.linked(page)
      return score(page)
    },
    score,
    masses: () => (page) => rank.unscaled(page),
    relinking: (page) => rank.relinking(page),
    rescore() {
      rank.update()
      measures.recount()
      blend.update()
      study()
    },
    transfer(state) {
      state.section('learned-importance', 2)
      rank.transfer(state)
      measures.transfer(state)
      model.transfer(state)
      trust = state.number(trust)
      blend.transfer(state)
    },
  }
}
