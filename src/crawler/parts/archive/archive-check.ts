/**
 * Checks the archive: every WARC file has its recorded length, its records follow one another and match their digests, and
 * the responses that the record names are at their places. Then the index of each file, whose lines follow from its
 * responses. One record is in memory at a time.
 */
import { plural } from '../../../lib/amounts.ts'
import { statSync, truncateSync } from 'node:fs'
import { join, relative } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { namesIn } from '../../../lib/files/output-files.ts'
import type { Progress } from '../../../lib/progress.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { parsedWarcName, recordedWarcs, warcNaming, type RecordedWarc } from '../../record/warc-name.ts'
import { isOwnWarc } from '../../../web/warc/warc-owner.ts'
import { sizeOfFile } from '../../../web/store/byte-ranges.ts'
import { indexPathOf } from '../../../web/warc/cdxj.ts'
import { readWarc } from '../../../web/warc/reader.ts'
import { ArchivedFiles } from '../../read/archived-file.ts'
import type { WarcRecord } from '../../../web/warc/warc-record.ts'
import type { VerifiedArchive } from '../archiving.ts'
import { captureLine, isCapture } from './capture-line.ts'
import { checkIndex } from './cdxj-check.ts'
import type { ExpectedPlaces, PlacesOfFile } from '../../read/verify/expected-places.ts'
import { reasonOf, type PartFindings } from '../../read/verify/findings.ts'
import { LineSet } from './line-set.ts'

interface ArchiveCheckOptions {
  readonly folder: CrawlFolder
  readonly files: readonly RecordedWarc[]
  /** Undefined if the record cannot be read: files are then compared with nothing but themselves. */
  readonly places: ExpectedPlaces | undefined
  /** True if a session has ended since the last group: then files end where the record says. */
  readonly hasEnded: boolean
  readonly progress: Progress
}

/** What a WARC file has. */
export interface WarcContent {
  readonly file: RecordedWarc
  /** Or its address in the archive elsewhere. */
  readonly path: string
  /** The path of its index, which stays in the crawl's folder. */
  readonly index: string
  /** The lines of its index. */
  readonly lines: LineSet
  /** Whether all lines are known: no record is damaged. */
  readonly isWhole: boolean
}

/** A damaged record does not say which files there are: then those in the folder are compared with themselves alone. */
export function verifyArchive(archive: VerifiedArchive): void {
  const { folder, record, isWhole, places, hasEnded, warcs, indexes, progress } = archive
  if (record === undefined) {
    const files = warcsOfWorkers(folder, places, warcs)
    checkArchive(warcs, undefined, { folder, files, places, hasEnded, progress })
    return
  }
  checkArchive(warcs, indexes, {
    folder,
    files: isWhole ? recordedWarcs(record, warcNaming(folder.file.options)) : warcsIn(folder),
    places: isWhole ? places : undefined,
    hasEnded: hasEnded && isWhole,
    progress,
  })
}

/** The files that the journals name, as they are in the archive of a crawl on a cluster. */
function warcsOfWorkers(folder: CrawlFolder, places: ExpectedPlaces, findings: PartFindings): RecordedWarc[] {
  const files = new ArchivedFiles(folder)
  return places.files.toSorted().flatMap((name) => {
    const length = sizeOfFile(files.pathOf(name))
    if (length !== undefined) return { name, thread: 0, serial: 0, length, indexBytes: 0 }
    findings.damaged(
      name,
      `${plural(places.of(name).count, 'recorded response')}: ${files.missing(name).message}`,
    )
    return []
  })
}

/** The WARC files in the folder, whole, if the record cannot say which there are. */
function warcsIn(folder: CrawlFolder): RecordedWarc[] {
  return namesIn(folder.warc).flatMap((name) => {
    const parsed = parsedWarcName(name, folder.file.options.warcNames)
    if (parsed === undefined || !parsed.kind.startsWith('warc')) return []
    const { thread, serial } = parsed
    return { name, thread, serial, length: statSync(join(folder.warc, name)).size, indexBytes: 0 }
  })
}

/** `indexes`: undefined if they are not checked. */
function checkArchive(
  warcs: PartFindings,
  indexes: PartFindings | undefined,
  options: ArchiveCheckOptions,
): void {
  const { folder, files, progress } = options
  const total = files.reduce((sum, { length }) => sum + length, 0)
  let done = 0
  let responses = 0
  let lines = 0
  for (const file of files) {
    const content = checkWarc(warcs, file, {
      ...options,
      progress: (bytes) => progress(done + bytes, total, file.name),
    })
    done += file.length
    responses += content.lines.count
    if (indexes !== undefined)
      lines += checkIndex(indexes, content, { folder, isClosed: options.hasEnded || !isCurrent(file, files) })
  }
  if (files.length === 0) return
  warcs.checked = plural(responses, 'response')
  if (indexes !== undefined) indexes.checked = plural(lines, 'line')
}

function isCurrent(file: RecordedWarc, files: readonly RecordedWarc[]): boolean {
  return !files.some(({ thread, serial }) => thread === file.thread && serial > file.serial)
}

function checkWarc(findings: PartFindings, file: RecordedWarc, options: ArchiveCheckOptions): WarcContent {
  const { folder, places } = options
  const local = join(folder.warc, file.name)
  const name = relative(folder.path, local)
  const path = new ArchivedFiles(folder).pathOf(file.name)
  const expected = places?.of(file.name)
  const lines = new LineSet()
  const bytes = sizeOfFile(path)
  if (bytes === undefined) {
    findings.damaged(name, `It is missing, with ${plural(expected?.count ?? 0, 'recorded response')}.`)
    return { file, path, index: indexPathOf(local), lines, isWhole: false }
  }
  findings.files++
  findings.bytes += bytes
  const { isWhole, problems } = scan(path, file, expected, lines, options.progress)
  for (const problem of problems) findings.damaged(name, problem)
  if (bytes < file.length)
    findings.damaged(name, `It ends at byte ${bytes}; the crawl recorded ${file.length} bytes.`)
  if (bytes > file.length) checkTail(findings, name, bytes - file.length, { path, file, ...options })
  if (expected !== undefined && expected.missing > 0)
    findings.damaged(name, `${plural(expected.missing, 'recorded response')} cannot be read from it.`)
  return { file, path, index: indexPathOf(local), lines, isWhole: isWhole && bytes >= file.length }
}

/** Bytes after the last record that counts: a killed crawl leaves them, and its resume cuts them off. */
function checkTail(
  findings: PartFindings,
  name: string,
  bytes: number,
  { path, file, folder, hasEnded, places }: ArchiveCheckOptions & { path: string; file: RecordedWarc },
): void {
  if (!hasEnded || places === undefined) {
    findings.notes.push(`${name} has ${plural(bytes, 'byte')} that are not recorded yet.`)
    return
  }
  findings.damaged(
    name,
    `${plural(bytes, 'byte')} that the crawl did not record follow its last record.`,
    isOwnWarc(path, folder.file.id) ? () => Promise.resolve(truncateSync(path, file.length)) : undefined,
  )
}

interface Scan {
  readonly isWhole: boolean
  readonly problems: readonly string[]
}

/** Reads all records. After damage, it goes on at the next place that the record names. */
function scan(
  path: string,
  { name, length }: RecordedWarc,
  expected: PlacesOfFile | undefined,
  lines: LineSet,
  progress: Progress,
): Scan {
  const problems: string[] = []
  let start: number | undefined = 0
  let at = 0
  while (start !== undefined) {
    at = start
    try {
      for (const record of readWarc(path, { start, end: length })) {
        const problem = problemOf(record, name, expected, lines)
        if (problem !== undefined) problems.push(`The record at byte ${record.offset} ${problem}.`)
        at = record.offset + record.length
        progress(at)
      }
      start = undefined
    } catch (error) {
      if (!(error instanceof RankwardError)) throw error
      problems.push(reasonOf(error))
      start = expected?.nextAfter(at)
    }
  }
  expected?.end()
  return { isWhole: problems.length === 0, problems }
}

function problemOf(
  record: WarcRecord,
  filename: string,
  expected: PlacesOfFile | undefined,
  lines: LineSet,
): string | undefined {
  if (record.offset === 0 && record.type !== 'warcinfo') return 'should be a warcinfo'
  const [digest] = record.digestProblems()
  if (digest !== undefined) return `is damaged: ${digest}`
  if (!isCapture(record)) return undefined
  const line = captureLine(record, filename)
  if (line === undefined) return 'is not a response that a crawl archives'
  lines.add(line.slice(0, -1))
  const { offset, length, id, targetUri = '' } = record
  return expected?.found({
    offset,
    length,
    id,
    url: targetUri,
    date: record.field('WARC-Date') ?? '',
    payloadDigest: record.field('WARC-Payload-Digest'),
  })
}
