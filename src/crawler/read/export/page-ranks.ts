/** The PageRank of a crawl's pages among all known pages; `rankward export` writes it as page_rank. */
import { pageRank } from '../../../webgraph/pagerank/pagerank.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { graphOfCrawl } from './crawl-web.ts'
import { knownCrawl, type KnownCrawl } from '../model/known-crawl.ts'

interface CrawlRanks {
  /** Of all pages; the sum is 1. */
  readonly scores: Float64Array
  of(page: number): number
}

export async function crawlRanks(record: CrawlRecord, damping: number): Promise<CrawlRanks> {
  return ranksOf(await knownCrawl(record), damping)
}

export async function ranksOf(crawl: KnownCrawl, damping: number): Promise<CrawlRanks> {
  const { scores } = await pageRank(graphOfCrawl(crawl).graph, { damping })
  return { scores, of: (page) => scores[crawl.numberOf(page)] }
}
