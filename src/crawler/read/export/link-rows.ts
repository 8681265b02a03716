/** The links of fetched pages, by page number, in discovery order. */
import { silent, type Progress } from '../../../lib/progress.ts'
import type { KnownCrawl } from '../model/known-crawl.ts'
import type { Batch, Column } from './table.ts'

export const linkColumns: readonly Column[] = [
  { name: 'from', type: 'int', isFull: true },
  { name: 'to', type: 'int', isFull: true },
]

export function* linkBatches(
  crawl: KnownCrawl,
  batchRows: number,
  progress: Progress = silent,
): Generator<Batch> {
  const list = new Uint32Array(crawl.degreeMax)
  const from = new Uint32Array(batchRows)
  const to = new Uint32Array(batchRows)
  let filled = 0
  for (let number = 0; number < crawl.count; number++) {
    const count = crawl.linksOf(crawl.pageOf(number), list)
    for (let i = 0; i < count; i++) {
      from[filled] = number
      to[filled++] = list[i]
      if (filled < batchRows) continue
      yield [from, to]
      filled = 0
      progress(number, crawl.count)
    }
  }
  if (filled > 0) yield [from.subarray(0, filled), to.subarray(0, filled)]
}
