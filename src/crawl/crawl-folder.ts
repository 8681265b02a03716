/**
 * A crawl's folder.
 *
 *   crawl.json               what was asked for, and what it has come to
 *   journal/                 facts, URLs and outcomes
 *   warc/                    what came, and an index beside each file
 *   trust.tsv, historical-scores.tsv   where they were given
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../graph/formats/make-folder.ts'
import { RankwardError } from '../lib/errors.ts'
import { CrawlRecord } from '../record/crawl-record.ts'
import type { CrawlTotals } from './options.ts'
import type { CrawlSettings } from './settings.ts'
import { version } from './version.ts'

/** 1: a LevelDB, as version 0.1 wrote it. */
const format = 2

export interface CrawlFile {
  readonly rankward: string
  readonly format: number
  readonly startedAt: string
  readonly endedAt?: string | undefined
  readonly options: CrawlSettings
  /** After the last session; absent while the first is under way. */
  readonly totals?: CrawlTotals | undefined
}

export type UrlScores = ReadonlyMap<string, number>

export class CrawlFolder {
  readonly path: string
  #file: CrawlFile

  private constructor(path: string, file: CrawlFile) {
    this.path = path
    this.#file = file
  }

  /** A new crawl in this folder, which must hold none. */
  static create(path: string, options: CrawlSettings): CrawlFolder {
    if (CrawlFolder.isTaken(path)) {
      throw new RankwardError(
        'CRAWL_EXISTS',
        `${path} holds a crawl: \`rankward resume ${path}\` goes on with it. A new crawl needs another folder (--out).`,
      )
    }
    const file = { rankward: version, format, startedAt: new Date().toISOString(), options }
    const folder = new CrawlFolder(path, file)
    attempt(path, () => {
      // Of a crawl that got nothing.
      for (const part of [folder.record, folder.warc]) rmSync(part, { recursive: true, force: true })
      makeFolder(folder.warc)
      folder.#write()
    })
    return folder
  }

  /** Does this folder hold a crawl? One that has ended without a page is none. */
  static isTaken(path: string): boolean {
    if (!existsSync(join(path, 'crawl.json'))) return false
    try {
      return CrawlFolder.open(path).file.totals?.pages !== 0
    } catch {
      // Whatever it is, it is not to be written over.
      return true
    }
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
    if (file.format !== format) {
      throw new RankwardError(
        'NO_CRAWL',
        `The crawl in ${path} has format ${file.format}, written by Rankward ${file.rankward}; this version (${version}) reads format ${format} only. Read it with the version that wrote it, or crawl again into another folder.`,
      )
    }
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
    return join(this.record, 'log')
  }

  get snapshots(): string {
    return join(this.record, 'snapshots')
  }

  /** The record as of its last durable group, also while another process runs the crawl. */
  readRecord(): Promise<CrawlRecord> {
    return CrawlRecord.open(this.log)
  }

  get warc(): string {
    return join(this.path, 'warc')
  }

  warcFiles(): string[] {
    if (!existsSync(this.warc)) return []
    return readdirSync(this.warc)
      .filter((name) => /\.warc(\.gz)?$/.test(name))
      .toSorted()
  }

  update(part: Partial<CrawlFile>): void {
    this.#file = { ...this.#file, ...part }
    attempt(this.path, () => this.#write())
  }

  /** Scores by URL that the crawl goes by, kept with it. */
  writeScores(name: 'trust' | 'historical-scores', scores: UrlScores): void {
    const lines = [...scores].map(([url, score]) => `${url}\t${score}\n`)
    attempt(this.path, () => writeFileSync(join(this.path, `${name}.tsv`), lines.join('')))
  }

  readScores(name: 'trust' | 'historical-scores'): UrlScores | undefined {
    const path = join(this.path, `${name}.tsv`)
    if (!existsSync(path)) return undefined
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
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
    writeFileSync(`${path}.part`, `${JSON.stringify(this.#file, undefined, 2)}\n`, { mode })
    renameSync(`${path}.part`, path)
  }
}

function parsed(path: string, text: string): CrawlFile {
  let file
  try {
    file = JSON.parse(text) as Partial<CrawlFile> | null
  } catch (error) {
    throw new RankwardError('NO_CRAWL', `crawl.json in ${path} is damaged: it is no JSON.`, { cause: error })
  }
  if (typeof file?.format !== 'number' || typeof file.options !== 'object') {
    throw new RankwardError('NO_CRAWL', `crawl.json in ${path} is not that of a crawl: it has no options.`)
  }
  return file as CrawlFile
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
