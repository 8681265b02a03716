/**
 * Checks the files of a crawl against each other.
 *
 *   crawl.json ─▶ how many groups the record has had
 *   record ─▶ places and lengths of WARC files, lengths of indexes, items, counts
 *   WARC files ─▶ lines of the indexes, texts of the search index
 *
 * Everything is read once, from front to back. A running crawl is checked as of its last complete group. Repairing
 * rebuilds what follows from the rest, and nothing else; the record and the responses follow from nothing.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { callback, checkOptions, flag, type OptionChecks } from '../../../lib/option-checks.ts'
import { silent, type Progress } from '../../../lib/progress.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { WriterLock } from '../../record/writer-lock.ts'
import type { ExportStage } from '../export/export.ts'
import { checkCrawlFile, checkTotals } from './crawl-file-check.ts'
import { allParts, archiving, derivedFiles } from '../../parts/all-parts.ts'
import { ExpectedPlaces } from './expected-places.ts'
import { PartFindings, partNames, reasonOf, type VerifiedPart, type VerifiedPartName } from './findings.ts'
import { checkRecord, type CheckedRecord } from './record-check.ts'
import { checkSnapshots } from './snapshot-check.ts'

export interface VerifyOptions {
  /** Rebuild damaged files that follow from the rest. The crawl must not be running. */
  readonly repair?: boolean | undefined
  /** A piece of work begins; `end` is called when it is done. */
  readonly stage?: ((label: string) => ExportStage) | undefined
}

const checks: OptionChecks<VerifyOptions> = { repair: flag, stage: callback }

export interface VerifyResult {
  readonly folder: string
  /**
   * `good`: no damage; `repaired`: all of it was repaired; `repairable`: `repair` can repair all of it; `damaged`: some of it
   * cannot be repaired.
   */
  readonly state: 'good' | 'repaired' | 'repairable' | 'damaged'
  /** The process that runs the crawl; undefined if none does. */
  readonly pid: number | undefined
  /** The last group of the record that was read. */
  readonly groups: number
  readonly parts: readonly VerifiedPart[]
}

export async function verify(path: string, options: VerifyOptions = {}): Promise<VerifyResult> {
  checkOptions('verify', options, checks)
  const verification = new Verification(path, options)
  const lock = options.repair === true ? lockOf(path) : undefined
  try {
    return await verification.run()
  } finally {
    lock?.release()
  }
}

/** Undefined if the crawl has no record. */
function lockOf(path: string): WriterLock | undefined {
  const record = join(path, 'record')
  return existsSync(record) ? WriterLock.take(record) : undefined
}

type Parts = Readonly<Record<VerifiedPartName, PartFindings>>
const checkedNames: readonly VerifiedPartName[] = [...partNames, ...derivedFiles.map(({ name }) => name)]

class Verification {
  readonly #path: string
  readonly #options: VerifyOptions
  readonly #parts = Object.fromEntries(checkedNames.map((name) => [name, new PartFindings(name)])) as Parts
  #pid: number | undefined

  constructor(path: string, options: VerifyOptions) {
    this.#path = path
    this.#options = options
  }

  async run(): Promise<VerifyResult> {
    const opened = this.#opened()
    if (opened === undefined) return this.#result(0)
    const { folder, damage } = opened
    this.#pid = this.#options.repair === true ? undefined : WriterLock.runningIn(folder.record)
    const isTrusted = checkCrawlFile(this.#parts['crawl.json'], folder, damage)
    const hasEnded = this.#pid === undefined && isTrusted && folder.file.endedAt !== undefined
    const places = new ExpectedPlaces()
    const checks = allParts.flatMap(({ shows }) =>
      shows?.verify === undefined ? [] : { name: shows.files?.name, ...shows.verify({ folder, places }) },
    )
    const checked = await this.#staged('Reading the record', (progress) =>
      checkRecord(this.#parts.record, { folder, hasEnded, progress, checks, places }),
    )
    const { record, isWhole } = checked
    try {
      await checkSnapshots(this.#parts.snapshots, folder, isWhole)
      if (folder.file.shard === undefined) await this.#checkArchive(folder, { ...checked, places }, hasEnded)
      else
        this.#parts.warc.notes.push(
          'The archive of a shard is in the folder of its worker; it was not checked.',
        )
      const crawl = { record, hasEnded, isRunning: this.#pid !== undefined }
      for (const check of checks)
        if (isWhole && check.name !== undefined) check.finish?.(this.#parts[check.name], crawl)
      if (isWhole && damage === undefined && this.#pid === undefined)
        checkTotals(this.#parts['crawl.json'], folder, record)
      const canRebuild = isWhole && isTrusted && this.#parts.warc.isGood
      for (const { name, check } of derivedFiles)
        if (check !== undefined)
          await this.#staged(`Reading the ${name}`, (progress) =>
            check(this.#parts[name], folder, { groups: record.groups, canRebuild, progress }),
          )
      if (this.#options.repair === true && isTrusted) await this.#repair()
      return this.#result(record.groups)
    } finally {
      record.close()
    }
  }

  /** Undefined if crawl.json cannot be read: nothing else says what the other files should be. */
  #opened(): ReturnType<typeof CrawlFolder.inspect> | undefined {
    try {
      return CrawlFolder.inspect(this.#path)
    } catch (error) {
      const isCrawl = existsSync(join(this.#path, 'record'))
      if (!isCrawl || !(error instanceof RankwardError) || error.code !== 'NO_CRAWL') throw error
      const part = this.#parts['crawl.json']
      part.damaged(
        'crawl.json',
        existsSync(join(this.#path, 'crawl.json')) ? reasonOf(error) : 'It is missing.',
      )
      part.notes.push('Without crawl.json, the other files cannot be checked.')
      return undefined
    }
  }

  async #checkArchive(
    folder: CrawlFolder,
    { record, isWhole, places }: CheckedRecord & { readonly places: ExpectedPlaces },
    hasEnded: boolean,
  ): Promise<void> {
    const { warc: warcs, cdxj: indexes } = this.#parts
    await this.#staged('Reading the archive', (progress) =>
      archiving?.verify({ folder, record, isWhole, places, hasEnded, warcs, indexes, progress }),
    )
  }

  async #repair(): Promise<void> {
    for (const name of checkedNames) await this.#staged('Repairing', () => this.#parts[name].repair())
  }

  async #staged<Result>(
    label: string,
    work: (progress: Progress) => Result | Promise<Result>,
  ): Promise<Result> {
    const stage = this.#options.stage?.(label) ?? { progress: silent, end() {} }
    try {
      return await work(stage.progress)
    } finally {
      stage.end()
    }
  }

  #result(groups: number): VerifyResult {
    const parts = checkedNames.map((name) => this.#parts[name].result())
    const damages = parts.flatMap((part) => part.damages)
    const hasLost = Object.values(this.#parts).some((part) => part.hasLost)
    const isOpen = damages.some(({ repaired }) => !repaired)
    const state = hasLost ? 'damaged' : isOpen ? 'repairable' : damages.length > 0 ? 'repaired' : 'good'
    return { folder: this.#path, state, pid: this.#pid, groups, parts }
  }
}
