/**
 * The links in files of other crawlers and archives as a web to simulate: WARC and WAT files, with the links of each page,
 * and `crawl.log` of Heritrix, with the link by which each page was found. Pages are numbered in the order of first occurrence.
 */
import { EdgeRuns } from '../formats/edge-runs.ts'
import { graphSink, type KeepOptions } from '../list-sink.ts'
import { UrlListBuilder } from '../url-list.ts'
import { webOf, type Web } from '../web.ts'
import { RankwardError } from '../../lib/errors.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { callback, checkOptions, flag, type OptionChecks } from '../../lib/option-checks.ts'
import type { Progress } from '../../lib/progress.ts'
import { defaultRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { ImportCounts } from './imported-page.ts'
import { importedPages } from './imported-pages.ts'

export interface LinkGraphOptions extends KeepOptions {
  readonly progress?: Progress | undefined
}

export interface LinkGraph {
  readonly web: Web
  /** Pages in the files; the web also has those that they link to. */
  readonly pages: number
  /** Lines or records that could not be read, and where the first one is. */
  readonly bad: number
  readonly firstBad?: string | undefined
}

const checks: OptionChecks<LinkGraphOptions> = { keepSelf: flag, keepRepeats: flag, progress: callback }

/** Memory is that of the web: its URLs, 12 to 18 bytes per page and 8 per link while it is read. */
export async function readLinkGraph(
  paths: readonly string[],
  options: LinkGraphOptions = {},
): Promise<LinkGraph> {
  checkOptions('readLinkGraph', options, checks)
  const counts = new ImportCounts()
  const pages = new NumberedUrls()
  const runs = new EdgeRuns()
  for (const path of paths) {
    for await (const page of importedPages(path, { wantsLinks: true, counts, progress: options.progress })) {
      // Heritrix gives URLs that it did not request a status of 0 or less.
      if (page.status !== undefined && page.status <= 0) continue
      const from = pages.numberOf(page.url)
      if (from === unseen) continue
      const via = page.via === undefined ? unseen : pages.numberOf(page.via)
      if (via !== unseen) runs.push(via, from)
      for (const link of page.links ?? []) {
        const to = pages.numberOf(link)
        if (to !== unseen) runs.push(from, to)
      }
    }
  }
  if (pages.count === 0)
    throw new RankwardError('UNKNOWN_FORMAT', `${paths.join(', ')}: there is no page with links.`)
  const sink = graphSink(pages.count, runs.links, options)
  runs.eachList(pages.count, undefined, sink.take)
  const { bad, firstBad } = counts
  return {
    web: webOf({ graph: sink.finish(), urls: pages.finish(), counts: sink.counts }),
    pages: counts.pages,
    bad,
    ...(firstBad === undefined ? {} : { firstBad }),
  }
}

class NumberedUrls {
  readonly #table = new FingerprintTable()
  readonly #urls = new UrlListBuilder()
  readonly #words = new Uint32Array(2)

  get count(): number {
    return this.#table.count
  }

  /** The number of this URL; `unseen` if it is not a web page. */
  numberOf(text: string): number {
    const url = canonicalUrl(text, undefined, defaultRules)
    if (url === undefined) return unseen
    fingerprint(url, this.#words, 0)
    const [low, high] = this.#words
    const known = this.#table.find(low, high)
    if (known !== unseen) return known
    this.#urls.pushString(url)
    return this.#table.add(low, high)
  }

  finish(): ReturnType<UrlListBuilder['finish']> {
    return this.#urls.finish()
  }
}
