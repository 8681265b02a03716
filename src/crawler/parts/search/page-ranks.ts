/** The PageRank of a crawl's pages, with its range. */
import { crawlRanks } from '../../read/export/page-ranks.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import type { RankRange } from './relative-rank.ts'

interface PageRanks extends RankRange {
  of(page: number): number
}

export async function pageRanksOf(record: CrawlRecord, damping: number): Promise<PageRanks> {
  const ranks = await crawlRanks(record, damping)
  let lowest = Infinity
  let highest = 0
  for (const score of ranks.scores) {
    if (score < lowest) lowest = score
    if (score > highest) highest = score
  }
  return { of: (page) => ranks.of(page), lowest, highest }
}
