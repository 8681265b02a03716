/**
 * Host-level link graphs of web archives: one `year|source host|target host<TAB>count` per line (UK Web
 * Archive). Each host is a page; pages are numbered in order of first occurrence. Host names keep their
 * spelling; counts are ignored.
 */
import { RankwardError } from '../../lib/errors.ts'
import { graphSink } from '../list-sink.ts'
import { UrlListBuilder } from '../url-list.ts'
import { webOf } from '../web.ts'
import { firstLine } from './edge-list.ts'
import { printable } from './edge-parser.ts'
import { EdgeRuns } from './edge-runs.ts'
import type { GraphReader } from './format.ts'
import { readLines } from '../../lib/files/lines.ts'

const line = /^\d{4}\|([^|\t]+)\|([^|\t]+)\t\d+\s*$/

export const hostLinksReader: GraphReader = {
  name: 'host link graph',
  recognises: (source) => line.test(firstLine(source.head)),
  async read(source, options) {
    const runs = new EdgeRuns()
    const urls = new UrlListBuilder()
    const pageOfHost = new Map<string, number>()
    const pageOf = (host: string): number => {
      let page = pageOfHost.get(host)
      if (page === undefined) {
        pageOfHost.set(host, (page = pageOfHost.size))
        urls.pushString(`http://${host}/`)
      }
      return page
    }
    let number = 0
    for await (const bytes of readLines(source, options.progress)) {
      number++
      const match = line.exec(Buffer.from(bytes).toString('utf8'))
      if (match === null) {
        throw new RankwardError(
          'BAD_EDGE_LIST',
          `${source.path}:${number}: expected "year|source|target<TAB>count" (read "${printable(bytes.subarray(0, 80))}").`,
        )
      }
      runs.push(pageOf(match[1]), pageOf(match[2]))
    }
    const sink = graphSink(urls.length, runs.links, options)
    runs.eachList(urls.length, undefined, sink.take)
    return webOf({ graph: sink.finish(), urls: urls.finish(), counts: sink.counts })
  },
}
