/**
 * The WARC files of earlier sessions, before the crawl is continued. Files started after the last group of the record are not part of
 * the crawl and are removed; the last one of each thread is truncated when its thread continues it. Finished files must have what was
 * recorded.
 *
 * A file is removed only if its content proves that this crawl wrote it: the warcinfo of each WARC file names
 * the crawl, and an index names its WARC file in its first line.
 */
import { rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { makeFolder } from '../../../lib/files/make-folder.ts'
import { foreignFolder, namesIn } from '../../../lib/files/output-files.ts'
import { indexPathOf } from '../../../web/warc/cdxj.ts'
import { incompleteIndex, shortWarc } from '../../../web/warc/failure.ts'
import { hasRecords, headOf, isWarcOf } from '../../../web/warc/warc-owner.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { WarcEnd } from '../../record/group.ts'
import type { FinishedWarc } from '../../record/record-index.ts'
import type { OpenedCrawl, OpenedPart } from '../running-part.ts'
import { sentFilesOf, type SentFiles } from './sent-files.ts'
import { parsedWarcName, warcName, warcNaming } from '../../record/warc-name.ts'

/**
 * The files of this crawl in its folder `warc/` that are not in the record. Throws `FOREIGN_FILES` if one of these, or a file that the
 * crawl would truncate and continue, has another origin.
 */
export function unrecordedFiles(
  { warc: folder, file }: CrawlFolder,
  ends: ReadonlyMap<number, WarcEnd>,
): string[] {
  const own: string[] = []
  const damaged: string[] = []
  const foreign: string[] = []
  for (const name of namesIn(folder)) {
    const parsed = parsedWarcName(name, file.options.warcNames)
    if (parsed === undefined) continue
    const { isLeft, isContinued } = standingOf(parsed, ends.get(parsed.thread))
    if (!isLeft && !isContinued) continue
    const origin = originOf(headOf(join(folder, name)), parsed, file.id)
    if (origin === 'this crawl') {
      if (isLeft) own.push(join(folder, name))
    } else if (isContinued && origin === 'damaged') damaged.push(name)
    else foreign.push(name)
  }
  if (foreign.length > 0) throw foreignFolder(folder, foreign, 'Move them away: the crawl needs these names.')
  if (damaged.length > 0) throw damagedFiles(folder, damaged)
  return own
}

export async function open(crawl: OpenedCrawl): Promise<OpenedPart | undefined> {
  const { folder, record, settings, isResumed } = crawl
  // The worker sees to the files of its shards.
  if (folder.file.shard !== undefined) return undefined
  dropUnrecorded(folder, record.record.warcEnds)
  const { archive: place } = settings
  if (place !== undefined && !settings.warc)
    throw new RankwardError(
      'USAGE',
      'An archive needs WARC files: give a folder (out), and leave warc: false out, or leave archive out.',
    )
  if (place === undefined) {
    checkFinishedWarcs(folder, record.record.finishedWarcs)
    return undefined
  }
  if (!isResumed) await (await import('./archive-owner.ts')).isOwnArchive(place, folder.file.id)
  const sent = sentFilesOf(folder, place)
  checkFinishedWarcs(folder, record.record.finishedWarcs, sent)
  return (await import('./sending.ts')).sendDuring(place, crawl)
}

type ParsedName = NonNullable<ReturnType<typeof parsedWarcName>>

/** Whether the record does not have a file, and whether the crawl truncates and continues it. */
function standingOf(
  { serial, kind }: ParsedName,
  end: WarcEnd | undefined,
): { readonly isLeft: boolean; readonly isContinued: boolean } {
  // An index that was being rewritten when the process was killed; the old one is still in place.
  const isRewriting = kind === 'cdxj.part'
  if (end === undefined) return { isLeft: true, isContinued: false }
  const isContinued = serial === end.serial && end.length > 0
  return { isLeft: isRewriting || !(isContinued || serial < end.serial), isContinued }
}

/** A file that the record names is not foreign because some of its bytes have changed: then it is `damaged`. */
function originOf(
  head: Buffer | undefined,
  { stem, kind }: ParsedName,
  crawlId: string,
): 'this crawl' | 'damaged' | 'unknown' {
  if (head === undefined) return 'unknown'
  const isWarc = kind.startsWith('warc')
  if (isWarc ? isWarcOf(head, crawlId) : isIndexOf(head, stem)) return 'this crawl'
  return (isWarc ? hasRecords(head) : hasLines(head, stem)) ? 'damaged' : 'unknown'
}

/** Removes WARC files that a killed session started and did not record. */
export function dropUnrecorded(folder: CrawlFolder, ends: ReadonlyMap<number, WarcEnd>): void {
  makeFolder(folder.warc)
  for (const path of unrecordedFiles(folder, ends)) rmSync(path)
}

function damagedFiles(folder: string, names: readonly string[]): RankwardError {
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return new RankwardError(
    'BAD_WARC',
    `${names.join(', ')} in ${folder} ${are} damaged: the crawl's record names ${them}, and the first bytes have changed. \`rankward verify DIR\` says what is lost, and rebuilds indexes with --repair.`,
  )
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

/**
 * Throws `BAD_WARC` if a finished WARC file or its index has another length than recorded. Only lengths are compared;
 * `rankward verify` reads the files. The thread that continues a file checks that one.
 */
function checkFinishedWarcs(folder: CrawlFolder, finished: readonly FinishedWarc[], sent?: SentFiles): void {
  const naming = warcNaming(folder.file.options)
  for (const file of finished) {
    const path = join(folder.warc, warcName(file, naming))
    const length = bytesOf(path)
    const isElsewhere = length === 0 && sent?.has(basename(path), file.length) === true
    if (length !== file.length && !isElsewhere) throw shortWarc(path, length, file.length)
    const index = indexPathOf(path)
    const indexBytes = bytesOf(index)
    if (indexBytes !== file.indexBytes) throw incompleteIndex(index, indexBytes, file.indexBytes)
  }
}

/** 0 if the file is missing. */
function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
