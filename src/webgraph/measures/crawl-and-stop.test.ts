import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { crawls } from './arbitrary-crawl.cases.ts'
import { crawlAndStop, crawlAndStopWithThreshold } from './crawl-and-stop.ts'
import { randomImportance } from './random-importance.cases.ts'
import { parseHotRule, type HotMetrics } from './hot-rule.ts'
import { checkpoints } from './percent.ts'
import { atTens, sevenPages } from './seven-pages.cases.ts'

const metricsOf = (pagerank: Float64Array): HotMetrics => ({
  pagerank: () => pagerank,
  backlinks: () => sevenPages.backlinks,
  forwardLinks: () => sevenPages.forwardLinks,
})

describe('Crawl & Stop', () => {
  it('has the shares of the worked case', () => {
    const { order, pagerank } = sevenPages
    expect(atTens(crawlAndStop(order, pagerank))).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
  })

  it('is the share of k pages that are at least as important as the k-th, for every k', () => {
    fc.assert(
      fc.property(crawls(150), ({ order, importance }) => {
        const rounded = importance.map(roundScore)
        const ranked = rounded.toSorted((a, b) => b - a)
        const expected = checkpoints(importance.length).map((k) => {
          const hot = order.subarray(0, k).filter((page) => rounded[page] >= ranked[k - 1])
          return hot.length / Math.max(1, k)
        })
        expect(crawlAndStop(order, importance)).toEqual(expected)
      }),
      seeded(200),
    )
  })

  it('is 1 throughout for the ideal crawler and where all pages are equally important', () => {
    const ones = Array.from({ length: 100 }, () => 1)
    expect(crawlAndStop(Uint32Array.of(2, 1, 0), Float64Array.of(1, 2, 3))).toEqual(ones)
    expect(crawlAndStop(Uint32Array.of(2, 1, 0), Float64Array.of(0.1 + 0.2, 0.3, 0.3))).toEqual(ones)
    expect(crawlAndStop(Uint32Array.of(0), Float64Array.of(1))).toEqual(ones)
  })

  it('counts the pages that a crawl did not reach as not found', () => {
    const curve = crawlAndStop(Uint32Array.of(1), Float64Array.of(1, 4, 3, 2))
    expect([curve[24], curve[49], curve[74], curve[99]]).toEqual([1, 1 / 2, 1 / 3, 1 / 4])
  })

  it('is 0 throughout for a web without pages', () => {
    expect(crawlAndStop(new Uint32Array(0), new Float64Array(0))).toEqual(randomImportance(0).curve)
  })
})

describe('Crawl & Stop with Threshold', () => {
  const metrics = metricsOf(sevenPages.pagerank)

  it('has the shares of the worked case', () => {
    const byBacklinks = crawlAndStopWithThreshold(
      sevenPages.order,
      parseHotRule('backlinks>=3').hotPages(metrics),
    )
    expect(byBacklinks).toMatchObject({ rule: 'backlinks>=3', threshold: 3, hot: 1 })
    expect(atTens(byBacklinks.pst)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    const byPageRank = crawlAndStopWithThreshold(
      sevenPages.order,
      parseHotRule('pagerank>=1.2').hotPages(metrics),
    )
    expect(byPageRank).toMatchObject({ rule: 'pagerank>=1.2', threshold: 1.2, hot: 2 })
    expect(atTens(byPageRank.pst)).toEqual([0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1])
  })

  it('is the share of the hot pages crawled by then, for whole crawls and for those that stopped early', () => {
    fc.assert(
      fc.property(crawls(150), ({ order, importance }) => {
        const hot = parseHotRule('top 10%').hotPages(metricsOf(importance))
        const expected = checkpoints(importance.length).map(
          (k) => order.subarray(0, k).filter((page) => hot.pages.has(page)).length / Math.max(1, hot.count),
        )
        expect(crawlAndStopWithThreshold(order, hot).pst).toEqual(expected)
      }),
      seeded(200),
    )
  })

  it('is k/N where every page is hot and 0 where none is', () => {
    const all = parseHotRule('backlinks>=0').hotPages(metrics)
    expect(crawlAndStopWithThreshold(sevenPages.order, all).pst).toEqual(randomImportance(7).curve)
    const none = parseHotRule('backlinks>3').hotPages(metrics)
    expect(crawlAndStopWithThreshold(sevenPages.order, none)).toMatchObject({
      hot: 0,
      pst: randomImportance(0).curve,
    })
  })
})
