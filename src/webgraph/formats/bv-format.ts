/**
 * WebGraph's BV format (bv/) as a graph format. Three files share a basename; any of them identifies the
 * graph.
 */
import { existsSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import { graphSink, type GraphSink } from '../list-sink.ts'
import { webOf, type Web } from '../web.ts'
import { readBvLists, readBvProperties } from './bv/bv-reader.ts'
import { writeBvGraph } from './bv/bv-writer.ts'
import type { GraphWriter, ReadOptions } from './format.ts'

const endings = /\.(graph|properties|offsets)$/

/** The basename of the BV graph at this path, or undefined if there is none. */
export function bvBasename(path: string): string | undefined {
  if (endings.test(path)) return path.replace(endings, '')
  return existsSync(`${path}.properties`) && existsSync(`${path}.graph`) ? path : undefined
}

export async function readBv(basename: string, options: ReadOptions): Promise<Web> {
  const { nodes, arcs } = await readBvProperties(basename)
  const { urls, progress } = options
  if (urls !== undefined && urls.length !== nodes) {
    throw new RankwardError(
      'BAD_URL_LIST',
      `${options.urlsPath ?? 'The URL list'} has ${urls.length} lines, but ${basename}.properties says ${nodes} nodes. Line i must be the URL of node i, counting from 0.`,
    )
  }
  // Created with the first list, after the reader has checked the properties.
  let sink: GraphSink | undefined
  await readBvLists(basename, {
    take: (list, from, to) => (sink ??= graphSink(nodes, arcs, options)).take(list, from, to),
    ...(progress === undefined ? {} : { progress: (done: number) => progress(done, nodes) }),
  })
  sink ??= graphSink(nodes, arcs, options)
  return webOf({ graph: sink.finish(), urls, counts: sink.counts })
}

/** The files of the BV graph that `bvWriter` writes under this name. */
export function bvFiles(path: string): string[] {
  const basename = path.replace(endings, '')
  return ['graph', 'offsets', 'properties'].map((extension) => `${basename}.${extension}`)
}

export const bvWriter: GraphWriter = {
  name: 'WebGraph (BV)',
  endings: ['.graph'],
  write: async (web, path, progress) => {
    const { pages } = web.graph
    await writeBvGraph(web.graph, path.replace(endings, ''), { progress: (done) => progress(done, pages) })
  },
}
