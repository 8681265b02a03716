/**
 * The WARC files of a killed crawl. Files started after the last group of the record are not part of the
 * crawl and are removed; the last one of each thread is truncated when its thread continues it.
 *
 * A file is removed only if its content proves that this crawl wrote it: the warcinfo of each WARC file names
 * the crawl, and an index names its WARC file in its first line.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { foreignFolder, namesIn } from '../files/output-files.ts'
import type { WarcNames } from '../options/archive-options.ts'
import { parsedWarcName, warcName, type WarcNaming } from './warc-name.ts'
import type { WarcEnd } from './group.ts'

/** More than a warcinfo record, or the first line of an index. */
const headBytes = 1 << 16

/** Part of the warcinfo of each WARC file: the crawl, and the collection that it is part of. */
export function warcinfoOf(crawlId: string, collection?: string): Readonly<Record<string, string>> {
  const crawl = `urn:uuid:${crawlId}`
  return collection === undefined ? { isPartOf: crawl } : { isPartOf: collection, 'crawl-id': crawl }
}

/** The names of all WARC files up to these ends. */
export function warcNamesOf(ends: ReadonlyMap<number, WarcEnd>, naming: WarcNaming): string[] {
  return [...ends].flatMap(([thread, { serial, length }]) =>
    Array.from({ length: length > 0 ? serial + 1 : serial }, (_, i) =>
      warcName({ thread, serial: i }, naming),
    ),
  )
}

/**
 * The files of this crawl in `folder` that are not in the record. Throws `FOREIGN_FILES` if one of these, or a file that the crawl
 * would truncate and continue, has another origin.
 */
export function unrecordedFiles(
  folder: string,
  ends: ReadonlyMap<number, WarcEnd>,
  crawlId: string,
  naming?: WarcNames,
): string[] {
  const names = namesIn(folder)
  const own: string[] = []
  const foreign: string[] = []
  for (const name of names) {
    const parsed = parsedWarcName(name, naming)
    if (parsed === undefined) continue
    const { stem, thread, serial, kind } = parsed
    const end = ends.get(thread)
    const isContinued = end !== undefined && serial === end.serial && end.length > 0
    const isKnown = isContinued || (end !== undefined && serial < end.serial)
    // An index that was being rewritten when the process was killed; the old one is still in place.
    const isLeft = !isKnown || kind === 'cdxj.part'
    if (!isLeft && !isContinued) continue
    const head = headOf(join(folder, name))
    const isOwn =
      head !== undefined && (kind.startsWith('warc') ? isWarcOf(head, crawlId) : isIndexOf(head, stem))
    if (!isOwn) foreign.push(name)
    else if (isLeft) own.push(join(folder, name))
  }
  if (foreign.length === 0) return own
  throw foreignFolder(folder, foreign, 'Move them away: the crawl needs these names.')
}

/** Whether this WARC file belongs to the crawl, as its warcinfo states. */
export function isOwnWarc(path: string, crawlId: string): boolean {
  const head = headOf(path)
  return head !== undefined && isWarcOf(head, crawlId)
}

/** Undefined if it is not a file. */
function headOf(path: string): Buffer | undefined {
  if (!statSync(path).isFile()) return undefined
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headBytes)
    return bytes.subarray(0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

/** An empty file was created and never written. */
function isWarcOf(head: Buffer, crawlId: string): boolean {
  if (head.length === 0) return true
  const text = inflated(head).toString('latin1')
  return (
    text.startsWith('WARC/1.1\r\n') &&
    ['isPartOf', 'crawl-id'].some((name) => text.includes(`\r\n${name}: urn:uuid:${crawlId}\r\n`))
  )
}

/** The bytes may end anywhere: returns as much as can be decompressed. */
function inflated(head: Buffer): Buffer {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 24 })
  } catch {
    return Buffer.alloc(0)
  }
}

function isIndexOf(head: Buffer, stem: string): boolean {
  const [first] = head.toString('utf8').split('\n', 1)
  return (
    first === '' || first.includes(`"filename":"${stem}.warc`) || first.includes(`"filename": "${stem}.warc`)
  )
}
