/**
 * Checks the record: every group is there, in order, and all of it can be decoded. The groups are read once; whatever else
 * follows from them (places in the archive, items) is collected on the way.
 */
import { plural } from '../../../lib/amounts.ts'
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { readFacts } from '../../../engine/fact-reader.ts'
import { ByteReader } from '../../../lib/byte-reader.ts'
import { RankwardError } from '../../../lib/errors.ts'
import type { Progress } from '../../../lib/progress.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { CrawlRecord, looksOf, outcomesOf } from '../../record/crawl-record.ts'
import { decodeFound } from '../../record/found-record.ts'
import type { StoredGroup } from '../../record/group-log.ts'
import { readRecord, type GroupBytes } from '../../record/group.ts'
import { RecordIndex } from '../../record/record-index.ts'
import { isCompacted, SegmentFiles } from '../../record/segment-files.ts'
import type { PartCheck } from '../../parts/shown.ts'
import type { ExpectedPlaces } from './expected-places.ts'
import { reasonOf, type PartFindings } from './findings.ts'

export interface CheckedRecord {
  /** Up to the last group that could be read. The caller closes it. */
  readonly record: CrawlRecord
  /** Whether all groups could be read. */
  readonly isWhole: boolean
}

interface RecordCheckOptions {
  readonly folder: CrawlFolder
  /** True if a session has ended since the last group. */
  readonly hasEnded: boolean
  readonly progress: Progress
  /** Of parts. */
  readonly checks: readonly PartCheck[]
  readonly places: ExpectedPlaces
}

export async function checkRecord(
  findings: PartFindings,
  options: RecordCheckOptions,
): Promise<CheckedRecord> {
  const { folder, progress } = options
  const files = new SegmentFiles(folder.log, folder.groupsMin)
  const paths = files.numbers().map((segment) => files.path(segment))
  findings.files = paths.length
  findings.bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const record = new CrawlRecord(files, new RecordIndex())
  const reader = new GroupReader(record, options)
  let last: StoredGroup | undefined
  let bytes = 0
  try {
    for await (const group of files.groups(0)) {
      reader.read(record.take(group))
      last = group
      bytes += group.bytes.length
      progress(bytes, undefined, plural(group.number, 'group'))
    }
  } catch (error) {
    if (isCompacted(error)) throw error
    const isOurs =
      error instanceof RankwardError || error instanceof RangeError || error instanceof SyntaxError
    if (!isOurs) throw error
    findings.damaged(relative(folder.path, folder.log), reasonOf(error))
  }
  const isWhole = findings.isGood
  if (isWhole && options.hasEnded && last !== undefined) checkEnd(findings, folder, files, last)
  findings.checked = `${plural(record.groups, 'group')}, ${plural(record.known, 'page')}`
  options.places.sort()
  return { record, isWhole }
}

/** After the last group of a session that ended, a segment has nothing more. A killed one may have a torn group. */
function checkEnd(findings: PartFindings, folder: CrawlFolder, files: SegmentFiles, last: StoredGroup): void {
  if (last.starts !== undefined) return
  const path = files.path(last.segment)
  const more = statSync(path).size - last.offset - last.bytes.length
  if (more > 0)
    findings.damaged(
      relative(folder.path, path),
      `${plural(more, 'byte')} that the crawl did not write follow its last group. No command reads them.`,
    )
}

/** Decodes everything in a group. Throws a RangeError if that fails. */
class GroupReader {
  readonly #record: CrawlRecord
  readonly #options: Pick<RecordCheckOptions, 'checks' | 'places'>

  constructor(record: CrawlRecord, options: Pick<RecordCheckOptions, 'checks' | 'places'>) {
    this.#record = record
    this.#options = options
  }

  read(group: GroupBytes): void {
    const { siteNames } = this.#record
    const found = new ByteReader(group.section('found'))
    while (!found.isAtEnd) decodeFound(readRecord(found), (site) => siteNames[site])
    for (const [page, { startMs, warc }] of [...outcomesOf(group), ...looksOf(group)])
      if (warc !== undefined)
        this.#options.places.add({ url: this.#record.found(page).url, startMs, place: warc })
    const robots = new ByteReader(group.section('robots'))
    while (!robots.isAtEnd) {
      robots.text()
      JSON.parse(readRecord(robots).rest().toString())
    }
    for (const check of this.#options.checks) check.read?.(group)
    readFacts(group.section('facts'), {})
  }
}
