/**
 * SNAP edge lists: one `from<TAB>to` per line, any ids below 2^32, `#` comments. Common Crawl's web-graph
 * edges are the same without comments.
 *
 * The set of pages: with a header `# Nodes: N` that covers all ids, or with a URL list, pages 0 to N - 1;
 * otherwise the ids that occur. So a page without any link needs a header or a URL list.
 */
import { createGzip } from 'node:zlib'
import { RankwardError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/progress.ts'
import { graphSink } from '../list-sink.ts'
import { idOf, lowerBound, webOf, type Web } from '../web.ts'
import type { ByteSource } from '../../lib/files/byte-source.ts'
import { EdgeParser } from './edge-parser.ts'
import { EdgeRuns } from './edge-runs.ts'
import type { GraphReader, GraphWriter, ReadOptions } from './format.ts'
import { writeText } from '../../lib/files/whole-file.ts'

export const edgeListReader: GraphReader = {
  name: 'edge list',
  recognises(source) {
    const line = firstLine(source.head)
    // An empty file, or one with comments only, is the edge list of an empty web.
    return line === '' || /^\s*[-+]?\d/.test(line) || /^\S+$/.test(line)
  },
  read: readEdgeList,
}

/** The first line that is neither blank nor a comment. */
export function firstLine(head: Buffer): string {
  const text = head.toString('latin1')
  return text.split('\n').find((line) => line.trim() !== '' && !/^\s*[#%]/.test(line)) ?? ''
}

async function readEdgeList(source: ByteSource, options: ReadOptions): Promise<Web> {
  const runs = new EdgeRuns()
  const parser = new EdgeParser(source.path, runs)
  for await (const chunk of source.chunks(options.progress)) parser.feed(chunk)
  parser.finish()

  const pagesByNumber = pagesOf(source.path, runs, parser.nodesInHeader, options)
  const ids = pagesByNumber === undefined ? runs.distinctIds() : undefined
  // Ids 0, 1, 2 … are already page numbers.
  const dense = ids === undefined || ids.length === 0 || ids[ids.length - 1] === ids.length - 1
  const pages = pagesByNumber ?? ids!.length
  const sink = graphSink(pages, runs.links, options)
  runs.eachList(pages, dense ? undefined : pageLookup(ids, runs.idMax), sink.take)
  return webOf({
    graph: sink.finish(),
    ids: dense ? undefined : ids,
    urls: options.urls,
    counts: sink.counts,
  })
}

/** The number of pages if pages are 0 to N - 1; undefined if they are the ids that occur. */
function pagesOf(
  path: string,
  runs: EdgeRuns,
  inHeader: number | undefined,
  options: ReadOptions,
): number | undefined {
  if (options.urls === undefined)
    return inHeader !== undefined && inHeader > runs.idMax ? inHeader : undefined
  const lines = options.urls.length
  const pages = inHeader ?? runs.idMax + 1
  if (lines === pages && runs.idMax < lines) return lines
  const counted =
    inHeader === undefined || runs.idMax >= inHeader
      ? `the largest id in ${path} is ${runs.idMax}, so ${runs.idMax + 1} lines were expected`
      : `the header of ${path} says ${inHeader} nodes`
  const advice =
    inHeader === undefined && lines > pages
      ? ` If the last pages have no links, put "# Nodes: ${lines}" at the head of the edge list.`
      : ' Line i must be the URL of node i, counting from 0.'
  throw new RankwardError(
    'BAD_URL_LIST',
    `${options.urlsPath ?? 'The URL list'} has ${lines} lines, but ${counted}.${advice}`,
  )
}

/** Maps ids to page numbers: by table, or by binary search if ids are too sparse. */
function pageLookup(ids: Uint32Array, idMax: number): (id: number) => number {
  if (idMax > 8 * ids.length + 1e6) return (id) => lowerBound(ids, id)
  const table = new Uint32Array(idMax + 1)
  ids.forEach((id, page) => {
    table[id] = page
  })
  return (id) => table[id]
}

export const edgeListWriter: GraphWriter = {
  name: 'SNAP edge list',
  endings: ['.tsv', '.tsv.gz', '.txt', '.txt.gz'],
  write: async (web, path, progress) =>
    writeText(path, edgeLines(web, progress), path.endsWith('.gz') ? createGzip() : undefined),
}

function* edgeLines(web: Web, progress: Progress): Generator<string> {
  const { graph } = web
  const cursor = graph.cursor()
  const header = web.ids === undefined ? `# Nodes: ${graph.pages} Edges: ${graph.links}\n` : ''
  let text = `${header}# FromNodeId\tToNodeId\n`
  for (let page = 0; page < graph.pages; page++) {
    const from = `${idOf(web, page)}\t`
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) text += `${from}${idOf(web, cursor.targets[i])}\n`
    if (text.length < 1 << 16) continue
    yield text
    text = ''
    progress(page, graph.pages)
  }
  yield text
}
