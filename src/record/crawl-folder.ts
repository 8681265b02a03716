/**
 * A crawl's folder.
 *
 *   crawl.json               the options, and the totals of the last session; written before all other files
 *   record/                  facts, URLs and outcomes (src/record)
 *   warc/                    the archived responses, and an index beside each file
 *   trust.tsv, historical-scores.tsv   scores by URL, if the crawl was given any
 *
 * A folder is ours if it holds a crawl.json of ours. Only files that this crawl wrote are read, cut or
 * removed: crawl.json names the score files with their digests, the record names the WARC files, and each
 * WARC file names its crawl. A new crawl takes an empty folder, or one whose crawl holds no pages.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, digestOfFile, type FileRecord } from '../files/file-record.ts'
import { foreignFolder, namesIn } from '../files/output-files.ts'
import { makeFolder } from '../files/make-folder.ts'
import { partialPath } from '../files/whole-file.ts'
import { RankwardError } from '../lib/errors.ts'
import { CrawlRecord } from './crawl-record.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'
import type { WarcEnd } from './group.ts'
import { logIn, recordIsEmpty, removeRecord, snapshotsIn } from './record-folder.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { version } from '../options/version.ts'
import { unrecordedFiles, warcNames } from './warc-tails.ts'

/** 1: a LevelDB, as version 0.1 wrote it. */
const format = 2

export interface CrawlFile {
  readonly rankward: string
  readonly format: number
  /** A UUID, which each WARC file names too. */
  readonly id: string
  readonly startedAt: string
  readonly endedAt?: string | undefined
  /** A later crawl into this folder may remove this one. */
  readonly replaceable?: true | undefined
  /** The score files that the crawl wrote, with their digests. */
  readonly files: FileRecord
  readonly options: CrawlSettings
  /** After the last session; absent while the first is under way. */
  readonly totals?: CrawlTotals | undefined
}

export type UrlScores = ReadonlyMap<string, number>
type ScoreName = 'trust' | 'historical-scores'
const scoreFiles = ['trust.tsv', 'historical-scores.tsv'] as const

export interface NewCrawl {
  readonly options: CrawlSettings
  readonly trust?: UrlScores | undefined
  readonly historicalScores?: UrlScores | undefined
  readonly replaceable?: boolean | undefined
}

export class CrawlFolder {
  readonly path: string
  #file: CrawlFile

  private constructor(path: string, file: CrawlFile) {
    this.path = path
    this.#file = file
  }

  /** A new crawl in this folder. Throws as `check` does. */
  static async create(path: string, crawl: NewCrawl): Promise<CrawlFolder> {
    const earlier = await CrawlFolder.#earlier(path)
    const given = { trust: crawl.trust, 'historical-scores': crawl.historicalScores }
    const texts = Object.entries(given).flatMap(([name, scores]) =>
      scores === undefined ? [] : [[`${name}.tsv`, scoresText(scores)] as const],
    )
    const folder = new CrawlFolder(path, {
      rankward: version,
      format,
      id: randomUUID(),
      startedAt: new Date().toISOString(),
      ...(crawl.replaceable === true ? { replaceable: true } : {}),
      files: Object.fromEntries(texts.map(([name, text]) => [name, digestOf(text)])),
      options: crawl.options,
    })
    if (earlier !== undefined) earlier.#clear()
    attempt(path, () => {
      makeFolder(path)
      folder.#write()
      for (const name of leftovers(path)) rmSync(join(path, name))
      for (const [name, text] of texts) writeFileSync(join(path, name), text, { flag: 'wx' })
      makeFolder(folder.warc)
    })
    return folder
  }

  /**
   * Throws unless a new crawl may begin in this folder: `CRAWL_EXISTS`, or `FOREIGN_FILES`. Changes nothing.
   */
  static async check(path: string): Promise<void> {
    await CrawlFolder.#earlier(path)
  }

  /** The crawl without pages that a new one replaces; undefined for an empty folder. */
  static async #earlier(path: string): Promise<CrawlFolder | undefined> {
    const found = namesIn(path)
    if (!found.includes('crawl.json')) {
      const torn = leftovers(path)
      const foreign = found.filter((name) => !torn.includes(name))
      if (foreign.length === 0) return undefined
      throw foreignFolder(path, foreign, 'Choose another folder with --out.')
    }
    let file
    try {
      file = parsed(path, readFileSync(join(path, 'crawl.json'), 'utf8'))
    } catch {
      throw foreignFolder(path, ['crawl.json'], 'Choose another folder with --out.')
    }
    checkFormat(path, file)
    const folder = new CrawlFolder(path, file)
    if (await folder.#holdsPages()) {
      throw new RankwardError(
        'CRAWL_EXISTS',
        `This folder holds a crawl: rankward resume ${path} goes on with it. A new crawl needs another --out.`,
      )
    }
    folder.#ownFiles()
    return folder
  }

  /** A killed crawl has no totals: then its record decides. Throws while another process runs it. */
  async #holdsPages(): Promise<boolean> {
    const { replaceable, totals } = this.#file
    if (replaceable !== true && totals !== undefined) return totals.pages !== 0
    const isEmpty = await recordIsEmpty(this.record)
    return replaceable !== true && !isEmpty
  }

  /**
   * The files of this crawl beside crawl.json and the record. Throws for one in their place that the crawl
   * did not write.
   */
  #ownFiles(): string[] {
    const { id, files } = this.#file
    const found = scoreFiles.filter((name) => existsSync(join(this.path, name)))
    const isOwn = (name: string): boolean =>
      files[name] !== undefined && digestOfFile(join(this.path, name)) === files[name]
    const foreign = found.filter((name) => !isOwn(name))
    if (foreign.length > 0) {
      throw foreignFolder(this.path, foreign, 'Move them away, or choose another folder with --out.')
    }
    const scores = found.map((name) => join(this.path, name))
    return [...scores, ...unrecordedFiles(this.warc, new Map(), id)]
  }

  /** Removes what this crawl wrote, except crawl.json: it stays until the next one replaces it. */
  #clear(): void {
    const own = this.#ownFiles()
    attempt(this.path, () => {
      removeRecord(this.record)
      for (const path of own) rmSync(path)
    })
  }

  static open(path: string): CrawlFolder {
    let text
    try {
      text = readFileSync(join(path, 'crawl.json'), 'utf8')
    } catch (error) {
      throw new RankwardError(
        'NO_CRAWL',
        `${path} holds no crawl: there is no crawl.json in it. \`rankward crawl URL --out ${path}\` begins one.`,
        { cause: error },
      )
    }
    const file = parsed(path, text)
    checkFormat(path, file)
    return new CrawlFolder(path, file)
  }

  get file(): CrawlFile {
    return this.#file
  }

  /** Where the record is (src/record). */
  get record(): string {
    return join(this.path, 'record')
  }

  get log(): string {
    return logIn(this.record)
  }

  get snapshots(): string {
    return snapshotsIn(this.record)
  }

  /** The record as of its last durable group, also while another process runs the crawl. */
  readRecord(): Promise<CrawlRecord> {
    return CrawlRecord.open(this.log)
  }

  get warc(): string {
    return join(this.path, 'warc')
  }

  /** The WARC files up to these ends, as the record has them. */
  warcFiles(ends: ReadonlyMap<number, WarcEnd>): string[] {
    return warcNames(ends, this.#file.options.warcLevel > 0)
      .filter((name) => existsSync(join(this.warc, name)))
      .toSorted()
  }

  /** Removes the WARC files that a killed session began and the record does not know. */
  dropUnrecorded(ends: ReadonlyMap<number, WarcEnd>): void {
    makeFolder(this.warc)
    for (const path of unrecordedFiles(this.warc, ends, this.#file.id)) rmSync(path)
  }

  update(part: Partial<CrawlFile>): void {
    this.#file = { ...this.#file, ...part }
    attempt(this.path, () => this.#write())
  }

  /** Scores by URL that the crawl was given. Throws if their file is missing or was changed. */
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

  /** Whole or not at all. */
  #write(): void {
    const path = join(this.path, 'crawl.json')
    const { headers, proxy } = this.#file.options
    // Headers and proxies may have passwords in them.
    const mode = headers.length > 0 || proxy !== undefined ? 0o600 : 0o666
    const partial = partialPath(path)
    try {
      writeFileSync(partial, `${JSON.stringify(this.#file, undefined, 2)}\n`, { mode, flag: 'wx' })
      renameSync(partial, path)
    } catch (error) {
      rmSync(partial, { force: true })
      throw error
    }
  }
}

/** Partial files of crawl.json that a kill left behind. They are empty, or begin as every crawl.json does. */
function leftovers(path: string): string[] {
  return namesIn(path).filter((name) => {
    if (!/^\.crawl\.json\.[0-9a-f]+\.partial$/.test(name)) return false
    const text = readFileSync(join(path, name), 'utf8')
    return text === '' || text.startsWith('{\n  "rankward": ')
  })
}

function scoresText(scores: UrlScores): string {
  return [...scores].map(([url, score]) => `${url}\t${score}\n`).join('')
}

function parsed(path: string, text: string): CrawlFile {
  let file
  try {
    file = JSON.parse(text) as Partial<CrawlFile> | null
  } catch (error) {
    throw new RankwardError('NO_CRAWL', `crawl.json in ${path} is damaged: it is no JSON.`, { cause: error })
  }
  if (
    typeof file?.rankward !== 'string' ||
    typeof file.format !== 'number' ||
    typeof file.options !== 'object'
  ) {
    throw new RankwardError('NO_CRAWL', `crawl.json in ${path} is not that of a crawl: it has no options.`)
  }
  return file as CrawlFile
}

function checkFormat(path: string, file: CrawlFile): void {
  if (file.format === format) return
  throw new RankwardError(
    'NO_CRAWL',
    `The crawl in ${path} was made by Rankward ${file.rankward} in format ${file.format}; this is ${version}, which reads format ${format}.`,
  )
}

function attempt(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RankwardError(
      'FILE_UNWRITABLE',
      `The crawl's folder ${path} cannot be written (${reason}). Check its permissions and the room on the disk, or choose another.`,
      { cause: error },
    )
  }
}
