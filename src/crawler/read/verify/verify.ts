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
import { join, relative } from 'node:path'
import { plural } from '../../../lib/amounts.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { callback, checkOptions, flag, type OptionChecks } from '../../../lib/option-checks.ts'
import { silent, type Progress } from '../../../lib/progress.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { warcNaming } from '../../record/warc-name.ts'
import { WriterLock } from '../../record/writer-lock.ts'
import { archivePlace } from '../archived-file.ts'
import { isOfShards, WholeCrawl } from '../whole-crawl.ts'
import type { ExportStage } from '../export/export.ts'
import { checkCrawlFile, checkTotals } from './crawl-file-check.ts'
import { archiving, derivedFiles, partChecks } from '../../parts/all-parts.ts'
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
  if (isOfShards(path)) return verifyShards(WholeCrawl.open(path), options)
  const verification = new Verification(path, options)
  const lock = options.repair === true ? lockOf(path) : undefined
  try {
    return await verification.run()
  } finally {
    lock?.release()
  }
}

/** Copies of all shards of a crawl on a cluster, one by one, and then the files of all workers in the archive. */
async function verifyShards(whole: WholeCrawl, options: VerifyOptions): Promise<VerifyResult> {
  if (options.repair === true)
    throw new RankwardError(
      'USAGE',
      `${whole.path} has copies of the journals of a cluster, which are not repaired: delete it, and they are copied again.`,
    )
  const { folder, folders, path } = whole
  const places = new ExpectedPlaces(warcNaming(folder.file.options))
  const results: VerifyResult[] = []
  for (const shard of folders) results.push(await new Verification(shard.path, options, places).run())
  const findings = new PartFindings('warc')
  if (archivePlace(folder.file.options) === undefined)
    findings.notes.push(
      'The WARC files are on the machines of the workers, and were not checked: a crawl with --archive has them in one place.',
    )
  else {
    const stage = options.stage?.('Reading the archive') ?? { progress: silent, end() {} }
    const files = { warcs: findings, indexes: new PartFindings('cdxj'), progress: stage.progress }
    await archiving
      ?.verify({ folder, record: undefined, isWhole: true, places, hasEnded: false, ...files })
      .finally(() => stage.end())
  }
  const parts = checkedNames.map((name): VerifiedPart => {
    if (name === 'warc') return findings.result()
    const each = results.map(({ parts: ofShard }) => ofShard.find((part) => part.name === name)!)
    const sum = (of: (part: VerifiedPart) => number): number => each.reduce((all, part) => all + of(part), 0)
    return {
      name,
      files: sum((part) => part.files),
      bytes: sum((part) => part.bytes),
      checked: each.every(({ checked }) => checked === '') ? '' : plural(folders.length, 'shard'),
      damages: each.flatMap(({ damages }, i) =>
        damages.map((damage) => ({ ...damage, file: relative(path, join(folders[i].path, damage.file)) })),
      ),
      damageCount: sum((part) => part.damageCount),
      notes: [...new Set(each.flatMap(({ notes }) => notes))],
    }
  })
  return {
    folder: path,
    state: parts.every(({ damageCount }) => damageCount === 0) ? 'good' : 'damaged',
    pid: undefined,
    groups: results.reduce((sum, { groups }) => sum + groups, 0),
    parts,
  }
}

/** Undefined if the crawl has no record. */
function lockOf(path: string): WriterLock | undefined {
  const record = join(path, 'record')
  return existsSync(record) ? WriterLock.take(record) : undefined
}

type Parts = Readonly<Record<VerifiedPartName, PartFindings>>
const checkedNames: readonly VerifiedPartName[] = [...partNames, ...derivedFiles.map(({ name }) => name)]

interface CheckedCrawl extends CheckedRecord {
  readonly folder: CrawlFolder
  /** What crawl.json says can be relied on. */
  readonly isTrusted: boolean
  readonly hasEnded: boolean
  /** The totals in crawl.json can be compared with the record. */
  readonly isCounted: boolean
  readonly places: ExpectedPlaces
  readonly checks: Awaited<ReturnType<typeof partChecks>>
}

class Verification {
  readonly #path: string
  readonly #options: VerifyOptions
  readonly #parts = Object.fromEntries(checkedNames.map((name) => [name, new PartFindings(name)])) as Parts
  readonly #places: ExpectedPlaces | undefined
  #pid: number | undefined

  /** `places`: of all shards, of which this is one. */
  constructor(path: string, options: VerifyOptions, places?: ExpectedPlaces) {
    this.#path = path
    this.#options = options
    this.#places = places
  }

  async run(): Promise<VerifyResult> {
    const opened = this.#opened()
    if (opened === undefined) return this.#result(0)
    const crawl = await this.#read(opened)
    try {
      await checkSnapshots(this.#parts.snapshots, crawl.folder, crawl.isWhole)
      await this.#checkArchive(crawl)
      this.#finishParts(crawl)
      await this.#checkDerived(crawl)
      if (this.#options.repair === true && crawl.isTrusted) await this.#repair()
      return this.#result(crawl.record.groups)
    } finally {
      crawl.record.close()
    }
  }

  async #read({ folder, damage }: ReturnType<typeof CrawlFolder.inspect>): Promise<CheckedCrawl> {
    this.#pid = this.#options.repair === true ? undefined : WriterLock.runningIn(folder.record)
    const isTrusted = checkCrawlFile(this.#parts['crawl.json'], folder, damage)
    const hasEnded = this.#pid === undefined && isTrusted && folder.file.endedAt !== undefined
    const places = this.#places ?? new ExpectedPlaces(warcNaming(folder.file.options))
    const checks = await partChecks({ folder, places })
    const checked = await this.#staged('Reading the record', (progress) =>
      checkRecord(this.#parts.record, { folder, hasEnded, progress, checks, places }),
    )
    const isCounted = checked.isWhole && damage === undefined && this.#pid === undefined
    return { ...checked, folder, isTrusted, hasEnded, isCounted, places, checks }
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

  async #checkArchive({ folder, record, isWhole, places, hasEnded }: CheckedCrawl): Promise<void> {
    const { warc: warcs, cdxj: indexes } = this.#parts
    if (folder.file.shard === undefined)
      await this.#staged('Reading the archive', (progress) =>
        archiving?.verify({ folder, record, isWhole, places, hasEnded, warcs, indexes, progress }),
      )
    else if (this.#places === undefined)
      warcs.notes.push('The archive of a shard is in the folder of its worker; it was not checked.')
  }

  /** What is known when the whole record has been read. */
  #finishParts({ folder, record, hasEnded, isWhole, isCounted, checks }: CheckedCrawl): void {
    const crawl = { record, hasEnded, isRunning: this.#pid !== undefined }
    for (const check of isWhole ? checks : [])
      if (check.name !== undefined) check.finish?.(this.#parts[check.name], crawl)
    if (isCounted) checkTotals(this.#parts['crawl.json'], folder, record)
  }

  async #checkDerived({ folder, record, isWhole, isTrusted }: CheckedCrawl): Promise<void> {
    const canRebuild = isWhole && isTrusted && this.#parts.warc.isGood
    for (const { name, check } of derivedFiles)
      if (check !== undefined)
        await this.#staged(`Reading the ${name}`, (progress) =>
          check(this.#parts[name], folder, { groups: record.groups, canRebuild, progress }),
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
