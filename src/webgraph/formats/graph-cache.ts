/**
 * The compact form of graphs that were read from text. It lies in the user's folder for caches, under a
 * name that contains a digest of the text's folder, and one of the text, of its URL list and of the options. So a changed file is
 * read anew, and a damaged cache (its format has checksums) is replaced. If the folder cannot be written, there is no
 * cache: it saves time and nothing else.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, isAbsolute } from 'node:path'
import { openBytes } from '../../lib/files/byte-source.ts'
import { silent } from '../../lib/progress.ts'
import { csrLinksMax, toCsr } from '../csr-graph.ts'
import type { KeepOptions } from '../list-sink.ts'
import { webOf, type Web } from '../web.ts'
import { rankwardReader } from './rankward-reader.ts'
import { rankwardWriter } from './rankward-writer.ts'
import { homedir } from 'node:os'

const digestAndExtension = /\.[0-9a-f]{40}\.rwg$/
/** Changes when the same text would be read differently. */
const version = 1
/** Smaller files are read in less time than a person notices. */
const bytesMin = 4 * 1024 * 1024

/** The web that this text describes: from the cache, or by `read`, which then fills the cache. */
export async function readCached(
  path: string,
  urlsPath: string | undefined,
  { keepSelf = false, keepRepeats = false }: KeepOptions,
  read: () => Promise<Web>,
): Promise<Web> {
  const texts = urlsPath === undefined ? [path] : [path, urlsPath]
  if (!(await areLarge(texts))) return read()
  const digest = await digestOf(texts, JSON.stringify({ version, keepSelf, keepRepeats }))
  const folder = createHash('sha1')
    .update(resolve(dirname(path)))
    .digest('hex')
    .slice(0, 12)
  const place = join(cacheFolder(), 'graphs', `${basename(path)}.${folder}.${digest}.rwg`)
  const cached = await readCompact(place)
  if (cached !== undefined) return cached
  const web = await read()
  await writeCompact(web, place).catch(() => {})
  return web
}

/** Whether all are files, and together large enough. Others, such as pipes, can be read only once. */
async function areLarge(paths: readonly string[]): Promise<boolean> {
  try {
    const found = await Promise.all(paths.map((path) => stat(path)))
    return found.every((file) => file.isFile()) && found.reduce((sum, { size }) => sum + size, 0) >= bytesMin
  } catch {
    return false
  }
}

async function digestOf(paths: readonly string[], options: string): Promise<string> {
  const hash = createHash('sha1').update(options)
  for (const path of paths) {
    hash.update(`\n${(await stat(path)).size}\n`)
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}

async function readCompact(place: string): Promise<Web | undefined> {
  try {
    const web = await rankwardReader.read(await openBytes(place), { progress: silent })
    const { graph } = web
    // As the text is read: the plain form if possible, which strategies traverse faster.
    return graph.links > csrLinksMax ? web : webOf({ ...web, graph: toCsr(graph) })
  } catch {
    return undefined
  }
}

async function writeCompact(web: Web, place: string): Promise<void> {
  const folder = dirname(place)
  await mkdir(folder, { recursive: true })
  await rm(place, { force: true })
  await rankwardWriter.write(web, place, silent)
  const name = basename(place)
  const file = name.replace(digestAndExtension, '')
  for (const other of await readdir(folder)) {
    const isOlder =
      other !== name && digestAndExtension.test(other) && other.replace(digestAndExtension, '') === file
    if (isOlder) await rm(join(folder, other), { force: true })
  }
}

/** Where files go that only save time and may be deleted at any moment: the folder that the system has for them. */

export function cacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = environment
  // The XDG specification ignores relative paths.
  if (given !== undefined && isAbsolute(given)) return join(given, 'rankward')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'rankward')
  if (platform === 'win32') return join(local ?? join(homedir(), 'AppData', 'Local'), 'rankward', 'Cache')
  return join(homedir(), '.cache', 'rankward')
}
