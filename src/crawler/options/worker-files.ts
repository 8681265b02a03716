/**
 * Files of a crawl on a cluster that each worker reads from its own disk: secrets, and the user's code. The cluster stores their digests
 * only. A worker is given the paths of its copies, and refuses to work with others: all workers must send and decide the same.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unreadable } from '../../lib/files/byte-source.ts'
import { RankwardError } from '../../lib/errors.ts'
import { flagOf } from '../../lib/option-table.ts'
import type { CrawlSettings } from './crawl-options.ts'
import type { WorkerFile } from './option-row.ts'
import { crawlTable, optionSets } from './option-table.ts'

/** By option: paths on this machine. */
export type WorkerPaths = Readonly<Record<string, readonly string[] | undefined>>

/** By their names in the library. */
export const workerFiles: ReadonlyMap<string, WorkerFile> = new Map(
  optionSets.flatMap(({ workerFiles: files = {} }) => Object.entries(files)),
)

/** The settings with digests in place of the paths of such files. */
export function withDigests(settings: CrawlSettings): CrawlSettings {
  let made = settings
  for (const { paths, with: withPaths } of workerFiles.values()) {
    const given = paths(settings)
    if (given.length > 0) made = withPaths(made, given.map(digestOf))
  }
  return made
}

/** The settings with the paths of this worker in place of digests. USAGE if a file is missing, needless or another one. */
export function withWorkerPaths(settings: CrawlSettings, given: WorkerPaths): CrawlSettings {
  let made = settings
  for (const [name, { paths, with: withPaths }] of workerFiles) {
    const digests = paths(settings)
    const own = (given[name] ?? []).map((path) => resolve(path))
    if (digests.length !== own.length) throw wrongCount(name, digests.length, own.length)
    const other = own.find((path, i) => digestOf(path) !== digests[i])
    if (other !== undefined)
      throw new RankwardError(
        'USAGE',
        `${other} is not the file that the crawl was begun with (${crawlTable.shown(name)}): give this worker a copy of that one.`,
      )
    if (own.length > 0) made = withPaths(made, own)
  }
  return made
}

function wrongCount(name: string, wanted: number, given: number): RankwardError {
  const flag = flagOf(name)
  if (wanted === 0)
    return new RankwardError(
      'USAGE',
      `${flag} has no effect: the crawl was begun without ${crawlTable.shown(name)}.`,
    )
  const files = wanted === 1 ? 'a file' : `${wanted} files`
  const has = given === 0 ? '' : `, not ${given}`
  return new RankwardError(
    'USAGE',
    `The crawl was begun with ${files} for ${crawlTable.shown(name)}, which the cluster does not store: give this worker its own copy with ${flag} FILE${has}.`,
  )
}

function digestOf(path: string): string {
  try {
    return `sha256:${createHash('sha256').update(readFileSync(path)).digest('hex')}`
  } catch (error) {
    throw unreadable(path, error)
  }
}
