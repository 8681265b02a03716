/**
 * A crawl's folder.
 *
 *   crawl.json               the options, and the totals of the last session; written before all other files
 *   record/                  facts, URLs and outcomes
 *   warc/                    the archived responses, and an index beside each file
 *   trust.tsv, historical-scores.tsv   scores by URL, if the crawl has any
 *   cookies.json, …          files of parts (`Part.files`)
 *
 * A folder is ours if it has a crawl.json of ours. Only files that this crawl wrote are read, truncated or
 * removed: crawl.json names the score files with their digests, the record names the WARC files, and each
 * WARC file names its crawl. A new crawl needs an empty folder, or one whose crawl has no pages.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, digestOfFile } from '../../lib/files/file-record.ts'
import { foreignFolder, namesIn } from '../../lib/files/output-files.ts'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { partialPath } from '../../lib/files/whole-file.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlRecord } from './crawl-record.ts'
import { beginsAsCrawlFile, crawlFileText, format, parsedCrawlFile, readCrawlFile } from './crawl-file.ts'
import type { CrawlFile, CrawlFilePart, ShardFile } from './crawl-file.ts'
import { logIn, recordIsEmpty, removeRecord, snapshotsIn } from './record-folder.ts'
import { SnapshotFiles } from './snapshot-files.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { version } from '../options/version.ts'
import { recordedWarcs, warcNaming, type ArchiveEnds } from './warc-name.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import { WriterLock } from './writer-lock.ts'

type UrlScores = ReadonlyMap<string, number>
type ScoreName = 'trust' | 'historical-scores'
const scoreFiles = ['trust.tsv', 'historical-scores.tsv'] as const

export interface NewCrawl {
  readonly options: CrawlSettings
  readonly trust?: UrlScores | undefined
  readonly historicalScores?: UrlScores | undefined
  readonly replaceable?: boolean | undefined
  /** For the folder of a shard: the id of the whole crawl. */
  readonly id?: string | undefined
  /** When the crawl began; now unless given. */
  readonly startedAt?: string | undefined
  readonly shard?: ShardFile | undefined
}

export class CrawlFolder {
  readonly path: string
  #file: CrawlFile

  private constructor(path: string, file: CrawlFile) {
    this.path = path
    this.#file = file
  }

  /** Creates a new crawl in this folder. Throws as `check` does. */
  static async create(path: string, crawl: NewCrawl): Promise<CrawlFolder> {
    const earlier = await CrawlFolder.#earlier(path)
    const given = { trust: crawl.trust, 'historical-scores': crawl.historicalScores }
    const texts = Object.entries(given).flatMap(([name, scores]) =>
      scores === undefined ? [] : [[`${name}.tsv`, scoresText(scores)] as const],
    )
    const folder = new CrawlFolder(path, {
      rankward: version,
      format,
      id: crawl.id ?? randomUUID(),
      startedAt: crawl.startedAt ?? new Date().toISOString(),
      ...(crawl.replaceable === true ? { replaceable: true } : {}),
      files: Object.fromEntries(texts.map(([name, text]) => [name, digestOf(text)])),
      options: crawl.options,
      ...(crawl.shard === undefined ? {} : { shard: crawl.shard }),
    })
    if (earlier !== undefined) await earlier.#clear()
    attempt(path, () => {
      makeFolder(path)
      folder.#write()
      for (const name of leftovers(path)) rmSync(join(path, name))
      for (const [name, text] of texts) writeFileSync(join(path, name), text, { flag: 'wx' })
      if (crawl.shard === undefined) makeFolder(folder.warc)
    })
    return folder
  }

  /**
   * Throws `CRAWL_EXISTS` or `FOREIGN_FILES` if a new crawl may not begin in this folder. Changes nothing.
   */
  static async check(path: string): Promise<void> {
    await CrawlFolder.#earlier(path)
  }

  /** The crawl without pages that a new one would replace; undefined for an empty folder. */
  static async #earlier(path: string): Promise<CrawlFolder | undefined> {
    const found = namesIn(path)
    if (!found.includes('crawl.json')) {
      const torn = leftovers(path)
      const foreign = found.filter((name) => !torn.includes(name))
      if (foreign.length === 0) return undefined
      throw foreignFolder(path, foreign, 'Choose another folder with --out.')
    }
    const text = readFileSync(join(path, 'crawl.json'), 'utf8')
    let file
    try {
      file = parsedCrawlFile(path, text)
    } catch (error) {
      if (beginsAsCrawlFile(text)) throw error
      throw foreignFolder(path, ['crawl.json'], 'Choose another folder with --out.')
    }
    const folder = new CrawlFolder(path, file)
    if (await folder.#holdsPages()) {
      throw new RankwardError(
        'CRAWL_EXISTS',
        `This folder holds a crawl: rankward resume ${path} continues it. A new crawl needs another --out.`,
      )
    }
    await folder.#ownFiles()
    return folder
  }

  /** A killed crawl has no totals, so the record is read. Throws if another process is running it. */
  async #holdsPages(): Promise<boolean> {
    const { replaceable, totals } = this.#file
    if (replaceable !== true && totals !== undefined) return totals.pages !== 0
    const isEmpty = await recordIsEmpty(this.record)
    return replaceable !== true && !isEmpty
  }

  /**
   * The files of this crawl besides crawl.json and the record. Throws if a file of that name is not by this
   * crawl.
   */
  async #ownFiles(): Promise<string[]> {
    const { files } = this.#file
    const found = scoreFiles.filter((name) => existsSync(join(this.path, name)))
    const isOwn = (name: string): boolean =>
      files[name] !== undefined && digestOfFile(join(this.path, name)) === files[name]
    const foreign = found.filter((name) => !isOwn(name))
    if (foreign.length > 0) {
      throw foreignFolder(this.path, foreign, 'Move them away, or choose another folder with --out.')
    }
    const scores = found.map((name) => join(this.path, name))
    return [...scores, ...(await this.#partFiles())]
  }

  async #partFiles(): Promise<string[]> {
    // Loaded late: reading a crawl does not need the parts.
    const { archiving, partFiles } = await import('../parts/all-parts.ts')
    const found = partFiles.filter(({ name }) => existsSync(join(this.path, name)))
    const foreign = found.filter(
      (file) => !file.isOwn(readFileSync(join(this.path, file.name), 'utf8'), this.#file.id),
    )
    if (foreign.length > 0) {
      const names = foreign.map(({ name }) => name)
      throw foreignFolder(this.path, names, 'Move it away, or choose another folder with --out.')
    }
    const archived = (await archiving?.unrecorded(this, new Map())) ?? []
    return [...found.map(({ name }) => join(this.path, name)), ...archived]
  }

  /** Removes the files of this crawl, except crawl.json, which the next crawl replaces. */
  async #clear(): Promise<void> {
    const own = await this.#ownFiles()
    attempt(this.path, () => {
      removeRecord(this.record)
      for (const path of own) rmSync(path)
    })
  }

  static open(path: string): CrawlFolder {
    return new CrawlFolder(path, parsedCrawlFile(path, textIn(path)))
  }

  /**
   * The folder, and the part of crawl.json that does not match its checksum. For `verify`; throws `NO_CRAWL` if the file
   * cannot be read at all.
   */
  static inspect(path: string): { readonly folder: CrawlFolder; readonly damage: CrawlFilePart | undefined } {
    const { file, damage } = readCrawlFile(path, textIn(path))
    return { folder: new CrawlFolder(path, file), damage }
  }

  get file(): CrawlFile {
    return this.#file
  }

  /** The folder of the record. */
  get record(): string {
    return join(this.path, 'record')
  }

  get log(): string {
    return logIn(this.record)
  }

  get snapshots(): string {
    return snapshotsIn(this.record)
  }

  /**
   * The number of a group that the record has had, by crawl.json or by a snapshot: both are written after their groups
   * are durable. Snapshots of a shard are on the servers of its cluster.
   */
  get groupsMin(): number {
    const { groups = 0, shard } = this.#file
    if (shard !== undefined) return groups
    return Math.max(groups, new SnapshotFiles(this.snapshots).newestPoint()?.group ?? 0)
  }

  /**
   * The record as of its last durable group, even if another process is running the crawl. Throws `FILE_UNREADABLE` if
   * it has lost groups.
   */
  async readRecord(): Promise<CrawlRecord> {
    // A search reads no record: loading its code takes longer than the search.
    return (await import('./crawl-record.ts')).CrawlRecord.open(this.log, this.groupsMin)
  }

  /** The shards of a worker share one archive: DIR/warc beside DIR/shards/NNN. */
  get warc(): string {
    return this.#file.shard === undefined ? join(this.path, 'warc') : join(this.path, '..', '..', 'warc')
  }

  /** The names of the WARC files, according to the record. */
  warcFiles(record: ArchiveEnds): string[] {
    return recordedWarcs(record, warcNaming(this.#file.options)).map(({ name }) => name)
  }

  /** Options of a new session. They are written with its first `update`: a session that cannot begin changes nothing. */
  use(options: CrawlSettings): void {
    this.#file = { ...this.#file, options }
  }

  update(part: Partial<CrawlFile>): void {
    this.#file = { ...this.#file, ...part }
    attempt(this.path, () => this.#write())
  }

  /** The crawl's scores by URL. Throws if their file is missing or was changed. */
  readScores(name: ScoreName): UrlScores | undefined {
    const file = `${name}.tsv`
    const digest = this.#file.files[file]
    if (digest === undefined) return undefined
    const path = join(this.path, file)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    if (text === undefined || digestOf(text) !== digest) {
      throw new RankwardError(
        'NO_CRAWL',
        `${path} ${text === undefined ? 'is missing' : 'is not the file that the crawl wrote'}. Restore it from a copy of the crawl's folder.`,
      )
    }
    const lines = text.split('\n').slice(0, -1)
    return new Map(
      lines.map((line) => {
        const tab = line.lastIndexOf('\t')
        return [line.slice(0, tab), Number(line.slice(tab + 1))]
      }),
    )
  }

  /** Atomic. */
  #write(): void {
    const path = join(this.path, 'crawl.json')
    const { options } = this.#file
    // Headers and proxies may contain passwords.
    const isProxied = 'proxy' in options && options.proxy !== undefined
    const mode = options.headers.length > 0 || isProxied ? 0o600 : 0o666
    const partial = partialPath(path)
    try {
      writeFileSync(partial, crawlFileText(this.#file), { mode, flag: 'wx' })
      renameSync(partial, path)
    } catch (error) {
      rmSync(partial, { force: true })
      throw error
    }
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(join(path, 'crawl.json'), 'utf8')
  } catch (error) {
    throw new RankwardError(
      'NO_CRAWL',
      `${path} holds no crawl: there is no crawl.json in it. \`rankward crawl URL --out ${path}\` begins one.`,
      { cause: error },
    )
  }
}

/** Partial files of crawl.json that a killed process left. They are empty, or begin like a crawl.json. */
function leftovers(path: string): string[] {
  return namesIn(path).filter((name) => {
    if (!/^\.crawl\.json\.[0-9a-f]+\.partial$/.test(name)) return false
    const text = readFileSync(join(path, name), 'utf8')
    return text === '' || beginsAsCrawlFile(text)
  })
}

function scoresText(scores: UrlScores): string {
  return [...scores].map(([url, score]) => `${url}\t${score}\n`).join('')
}

function attempt(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RankwardError(
      'FILE_UNWRITABLE',
      `The crawl's folder ${path} cannot be written (${reason}). Check its permissions and the free space, or choose another.`,
      { cause: error },
    )
  }
}

export interface CrawlState {
  readonly folder: CrawlFolder
  /** The process that runs the crawl; undefined if none does. */
  readonly pid: number | undefined
  /** Why the last session ended; undefined if the crawl runs or was interrupted. */
  readonly stoppedBecause: StopReason | undefined
}

/**
 * Whether a crawl runs, has ended or was interrupted: decided here for all that read its folder. A session takes the lock,
 * removes the totals of the one before from crawl.json, writes its own at its end, and then releases the lock.
 */
export function crawlState(path: string): CrawlState {
  // The lock comes first: a session that ends in between has its totals in crawl.json.
  const pid = WriterLock.runningIn(CrawlFolder.open(path).record)
  const folder = CrawlFolder.open(path)
  return { folder, pid, stoppedBecause: pid === undefined ? folder.file.totals?.stoppedBecause : undefined }
}
