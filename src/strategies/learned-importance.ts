/**
 * Learned importance: the score of a waiting page is the PageRank that it is expected to have once more of
 * the web is known. PageRank of the known graph is always up to date with the links of the pages just
 * crawled, and a model forecasts how much each page still gains by links not seen yet
 * (growth-model.ts, importance-measures.ts): pages whose site or kind of URL turned out important, pages that
 * much of their site links to. The model learns from the crawl itself; while its forecasts are not right, they
 * count for nothing, and the order is that of PageRank.
 *
 * Sites of which little is known are explored: the first page of a site counts e^0.4 times as much, the
 * second e^0.2 times, and so on. Where most sites have a single page this teaches nothing, so the exponent is
 * multiplied by (1 - s)², s being the number of known sites per known page.
 *
 * Our own. One update for every 4% of growth of the crawl; without `every`, nothing depends on the size of
 * the web.
 */
import type { Strategy, StrategyServices } from '../engine/strategy.ts'
import { GrowthModel } from './growth-model.ts'
import { ImportanceMeasures, measureCount } from './importance-measures.ts'
import { KnownPageRank } from './known-pagerank.ts'

const updateGrowth = 0.04
const exploration = 0.4
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
  const model = new GrowthModel(measureCount)
  const ownMeasures = new Float64Array(measureCount)
  let services: StrategyServices | undefined
  let trust = 0
  let curiosity = 0

  const score = (page: number): number => {
    const novelty = curiosity / (1 + measures.crawledOfSite(page))
    if (trust === 0) return rank.unscaled(page) * Math.exp(novelty)
    measures.measure(page, ownMeasures)
    return Math.exp(ownMeasures[0] + trust * model.forecast(ownMeasures) + novelty)
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
    },
    discovered(page, parent) {
      rank.discovered(page)
      measures.discovered(page, parent)
      return score(page)
    },
    visited(page, linkCount) {
      rank.visited(page)
      measures.visited(page, linkCount)
      return rank.passOn(page, linkCount)
    },
    linked(page, share) {
      rank.receive(page, share)
      if (services!.isCrawled(page)) return 0
      measures.linked(page)
      return score(page)
    },
    score,
    masses: () => (page) => rank.unscaled(page),
    relinking: (page) => rank.relinking(page),
    rescore() {
      rank.update()
      measures.recount()
      curiosity = exploration * (1 - measures.sitesPerPage) ** 2
      study()
    },
    transfer(state) {
      state.section('learned-importance', 1)
      rank.transfer(state)
      measures.transfer(state)
      model.transfer(state)
      trust = state.number(trust)
      curiosity = state.number(curiosity)
    },
  }
}
