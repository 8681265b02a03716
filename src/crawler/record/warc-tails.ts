/**
 * The WARC files of a killed crawl. Files started after the last group of the record are not part of the
 * crawl and are removed; the last one of each thread is truncated when its thread continues it.
 *
 * A file is removed only if its content proves that this crawl wrote it: the warcinfo of each WARC file names
 * the crawl, and an index names its WARC file in its first line.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { constants, inflateRawSync } from 'node:zlib'
import { foreignFolder, namesIn } from '../../lib/files/output-files.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { WarcNames } from '../parts/archive/options.ts'
import { parsedWarcName, warcName, type WarcNaming } from './warc-name.ts'
import type { WarcEnd } from './group.ts'
import type { FinishedWarc } from './record-index.ts'

/** A gzip member without flags. */
const memberStart = Buffer.from([0x1f, 0x8b, 8, 0])
const memberHeaderBytes = 10
/** More than a warcinfo record, or the first line of an index. */
const headBytes = 1 << 16

/** Part of the warcinfo of each WARC file: the crawl, and the collection that it is part of. */
export function warcinfoOf(crawlId: string, collection?: string): Readonly<Record<string, string>> {
  const crawl = `urn:uuid:${crawlId}`
  return collection === undefined ? { isPartOf: crawl } : { isPartOf: collection, 'crawl-id': crawl }
}

/** What a record says about the WARC files. */
export interface ArchiveEnds {
  readonly warcEnds: ReadonlyMap<number, WarcEnd>
  readonly finishedWarcs: readonly FinishedWarc[]
}

/** A WARC file of a crawl, up to the last record that counts. */
export interface RecordedWarc extends WarcEnd {
  readonly thread: number
  readonly name: string
}

/** All WARC files of a crawl, by name. */
export function recordedWarcs(record: ArchiveEnds, naming: WarcNaming): RecordedWarc[] {
  const current = [...record.warcEnds].map(([thread, end]) => ({ thread, ...end }))
  return [...record.finishedWarcs, ...current]
    .filter(({ length }) => length > 0)
    .map((file) => ({ ...file, name: warcName(file, naming) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
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
  const damaged: string[] = []
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
    const isWarc = kind.startsWith('warc')
    const isOwn = head !== undefined && (isWarc ? isWarcOf(head, crawlId) : isIndexOf(head, stem))
    if (isOwn && isLeft) own.push(join(folder, name))
    if (isOwn) continue
    // A file that the record names is not foreign because some of its bytes have changed.
    const isDamaged = isContinued && head !== undefined && (isWarc ? hasRecords(head) : hasLines(head, stem))
    if (isDamaged) damaged.push(name)
    else foreign.push(name)
  }
  if (foreign.length > 0) throw foreignFolder(folder, foreign, 'Move them away: the crawl needs these names.')
  if (damaged.length > 0) throw damagedFiles(folder, damaged)
  return own
}

function damagedFiles(folder: string, names: readonly string[]): RankwardError {
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return new RankwardError(
    'BAD_WARC',
    `${names.join(', ')} in ${folder} ${are} damaged: the crawl's record names ${them}, and the first bytes have changed. \`rankward verify DIR\` says what is lost, and rebuilds indexes with --repair.`,
  )
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

/** Whether a WARC record begins anywhere in these bytes: in a file without its first record. */
function hasRecords(head: Buffer): boolean {
  if (head.includes('WARC/1.1\r\n')) return true
  for (let at = head.indexOf(memberStart, 1); at >= 0; at = head.indexOf(memberStart, at + 1)) {
    if (inflated(head.subarray(at)).toString('latin1', 0, 10) === 'WARC/1.1\r\n') return true
  }
  return false
}

/**
 * The first member, without its header; damage after it changes nothing. The bytes may end anywhere: returns as much as
 * can be decompressed.
 */
function inflated(head: Buffer): Buffer {
  if (!head.subarray(0, memberStart.length).equals(memberStart)) return head
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 24 }
    return inflateRawSync(head.subarray(memberHeaderBytes), options)
  } catch {
    return Buffer.alloc(0)
  }
}

function isIndexOf(head: Buffer, stem: string): boolean {
  const [first] = head.toString('utf8').split('\n', 1)
  return first === '' || isLineOf(first, stem)
}

/** Whether something of a line of the index is left in these bytes. */
function hasLines(head: Buffer, stem: string): boolean {
  return head.includes(`${stem}.warc`)
}

function isLineOf(line: string, stem: string): boolean {
  return line.includes(`"filename":"${stem}.warc`) || line.includes(`"filename": "${stem}.warc`)
}
