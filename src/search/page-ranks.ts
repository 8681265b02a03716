/** The PageRank of a crawl's pages among all known pages; `rankward export` writes it as page_rank. */
import { graphOfCrawl } from '../inspect/export/crawl-web.ts'
import { knownCrawl } from '../inspect/export/known-crawl.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { pageRank } from '../graph/pagerank.ts'
import type { RankRange } from './relative-rank.ts'

export interface PageRanks extends RankRange {
  of(page: number): number
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
  return { of: (page) => scores[crawl.numberOf(page)], lowest, highest }
}
