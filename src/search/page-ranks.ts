/** The PageRank of a crawl's pages among all known pages; `rankward export` writes it as page_rank. */
import { graphOfCrawl } from '../inspect/export/crawl-web.ts'
import { knownCrawl } from '../inspect/export/known-crawl.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { pageRank } from '../graph/pagerank.ts'

export interface PageRanks {
  of(page: number): number
  /** On a logarithmic scale, from 0 for the lowest to 1 for the highest; 0 if all are equal. */
  relative(page: number): number
}

export async function pageRanksOf(record: CrawlRecord, damping: number): Promise<PageRanks> {
  const crawl = await knownCrawl(record)
  const { scores } = await pageRank(graphOfCrawl(crawl).graph, { damping })
  let lowest = Infinity
  let highest = 0
  for (const score of scores) {
    if (score < lowest) lowest = score
    if (score > highest) highest = score
  }
  const of = (page: number): number => scores[crawl.numberOf(page)]
  const spread = Math.log(highest / lowest)
  return { of, relative: (page) => (spread > 0 ? Math.log(of(page) / lowest) / spread : 0) }
}
