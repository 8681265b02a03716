/** The graph formats. Readers are chosen by content, writers by file extension. */
import { RankwardError } from '../../lib/errors.ts'
import { callback, checkOptions, flag, ofKind, type OptionChecks } from '../../lib/option-checks.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { anyText } from '../../lib/value-kinds.ts'
import type { Web } from '../web.ts'
import { bvBasename, bvFiles, bvWriter, readBv } from './bv-format.ts'
import { openBytes } from '../../lib/files/byte-source.ts'
import { edgeListReader, edgeListWriter, firstLine } from './edge-list.ts'
import { printable } from './edge-parser.ts'
import type { GraphReader, GraphWriter, ReadOptions } from './format.ts'
import { readCached } from './graph-cache.ts'
import { hostLinksReader } from './host-links.ts'
import { rankwardReader } from './rankward-reader.ts'
import { rankwardWriter } from './rankward-writer.ts'
import { readUrlList } from './url-list-reader.ts'

/** Tried in this order. BV has no magic number; it is recognised first, by its properties file. */
const readers: readonly GraphReader[] = [rankwardReader, hostLinksReader, edgeListReader]
const writers: readonly GraphWriter[] = [edgeListWriter, bvWriter, rankwardWriter]

export interface ReadGraphOptions extends Omit<ReadOptions, 'urls' | 'urlsPath'> {
  /** A separate URL list: line i is the URL of node i; or Common Crawl's vertices. */
  readonly urls?: string | undefined
  /**
   * Whether to keep the compact form of a large text file in the user's folder for caches, and to read that the
   * next time (docs/reference/graph-files.md). Default: false.
   */
  readonly cache?: boolean | undefined
}

const checks: OptionChecks<ReadGraphOptions> = {
  urls: ofKind(anyText('the path of a URL list')),
  cache: flag,
  keepSelf: flag,
  keepRepeats: flag,
  progress: callback,
}

/** Reads a stored web in any known format. */
export async function readGraph(path: string, options: ReadGraphOptions = {}): Promise<Web> {
  checkOptions('readGraph', options, checks)
  const { urls: urlsPath, cache = false, ...others } = options
  const basename = bvBasename(path)
  if (basename !== undefined) return readBv(basename, await withUrls(others, urlsPath))
  const source = await openBytes(path)
  const reader = readers.find((candidate) => candidate.recognises(source))
  if (reader === undefined) {
    const shown = printable(Buffer.from(firstLine(source.head).slice(0, 60), 'latin1'))
    throw new RankwardError(
      'UNKNOWN_FORMAT',
      `${path} is not in a known graph format (it begins with "${shown}"). Known formats: edge lists, WebGraph/BV (.graph with .properties), Rankward graphs (.rwg); edge lists may be gzipped.`,
    )
  }
  const read = async (): Promise<Web> => reader.read(source, await withUrls(others, urlsPath))
  return cache && reader !== rankwardReader ? readCached(path, urlsPath, others, read) : read()
}

async function withUrls(
  options: Omit<ReadOptions, 'urls' | 'urlsPath'>,
  urlsPath: string | undefined,
): Promise<ReadOptions> {
  const urls = urlsPath === undefined ? undefined : await readUrlList(urlsPath)
  return { ...options, urls, urlsPath }
}

/** The writer for this file name; refuses unknown extensions. */
export function writerFor(path: string): GraphWriter {
  const writer = writers.find(({ endings }) => endings.some((ending) => path.endsWith(ending)))
  if (writer !== undefined) return writer
  const known = writers.flatMap(({ endings }) => endings).join(', ')
  throw new RankwardError('UNKNOWN_FORMAT', `${path} has an unknown extension. Use one of ${known}.`)
}

/** The files that `writeGraph` creates for this name. */
export function graphFiles(path: string): string[] {
  return writerFor(path) === bvWriter ? bvFiles(path) : [path]
}

export async function writeGraph(web: Web, path: string, progress: Progress = silent): Promise<void> {
  await writerFor(path).write(web, path, progress)
}
