/** What `corrected-pagerank` guarantees (S74): a page is never taken while another has more than e² times its known PageRank. */
import { expect, it } from 'vitest'
import { strategyOf } from '../src/engine/strategies/index.ts'
import type { Strategy } from '../src/engine/strategy.ts'
import { SyntheticWeb } from '../src/webgraph/synthetic/synthetic-web.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { simulatedCrawl, type CrawlSetting } from './simulated-crawl.ts'

/** The largest ratio, over all choices, of the known PageRank of a waiting page to that of the page taken. */
async function largestRatio(web: CrawlSetting): Promise<number> {
  let largest = 0
  let strategy: Strategy | undefined
  let rankOf: (page: number) => number = () => 0
  const waiting = new Set<number>()
  const onTaken = (taken: number): void => {
    waiting.delete(taken)
    let best = 0
    for (const page of waiting) best = Math.max(best, rankOf(page))
    largest = Math.max(largest, best / rankOf(taken))
  }
  await simulatedCrawl({ ...web, onTaken }, () => {
    strategy = strategyOf('corrected-pagerank', { damping: 0.85, webPages: 1000, seed: 1 })
    const discovered = strategy.discovered.bind(strategy)
    rankOf = strategy.masses!()
    strategy.discovered = (page, parent) => {
      waiting.add(page)
      return discovered(page, parent)
    }
    return strategy
  })
  return largest
}

const guaranteed = Math.E ** 2 * (1 + 1e-6)

it.each([1, 2, 3])('on a generated web (%s), corrections decide, within the bound', async (seed) => {
  const options = { pages: 1500, linksPerPage: 8, seed }
  const { graph, sites } = syntheticGraph(options)
  const synthetic = new SyntheticWeb(options)
  const urls = Array.from({ length: graph.pages }, (_, page) => synthetic.urlOf(page))
  const largest = await largestRatio({ lists: graph, seeds: [0], sites: [...sites.ofPage], urls })
  expect(largest).toBeGreaterThan(1.2)
  expect(largest).toBeLessThan(guaranteed)
})
