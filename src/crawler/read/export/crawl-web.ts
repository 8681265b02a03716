/**
 * Reads a crawl folder as a stored web: its known pages with their URLs, and the links of fetched pages.
 * Pages outside the crawl and links to them are left out. So a real crawl can be simulated again.
 */
import type { Graph } from '../../../webgraph/graph.ts'
import { graphSink, type KeepOptions } from '../../../webgraph/list-sink.ts'
import { UrlListBuilder } from '../../../webgraph/url-list.ts'
import { webOf, type LinkCounts, type Web } from '../../../webgraph/web.ts'
import { silent, type Progress } from '../../../lib/progress.ts'
import { outsideUrl } from '../../world/page-table.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { knownCrawl, type KnownCrawl } from '../model/known-crawl.ts'

/** Reads the crawl in this folder, which may be running. */
export async function readCrawlWeb(
  path: string,
  keep: KeepOptions = {},
  progress: Progress = silent,
): Promise<Web> {
  const record = await CrawlFolder.open(path).readRecord()
  try {
    const crawl = await knownCrawl(record)
    const urls = new UrlListBuilder()
    for (const { url } of record.foundPages()) {
      if (url === outsideUrl) continue
      urls.pushString(url)
      progress(urls.length, crawl.count)
    }
    return webOf({ ...graphOfCrawl(crawl, keep), urls: urls.finish() })
  } finally {
    record.close()
  }
}

/** The links among known pages, by number. */
export function graphOfCrawl(
  crawl: KnownCrawl,
  keep: KeepOptions = {},
): { readonly graph: Graph; readonly counts: LinkCounts } {
  const sink = graphSink(crawl.count, crawl.linksInside, keep)
  const list = new Uint32Array(crawl.degreeMax)
  for (let number = 0; number < crawl.count; number++) {
    sink.take(list, 0, crawl.linksOf(crawl.pageOf(number), list))
  }
  return { graph: sink.finish(), counts: sink.counts }
}
