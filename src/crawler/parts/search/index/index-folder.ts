/**
 * The folder of a crawl's search index.
 *
 *   index.json   the segments, the page table, and up to where of the record they reach; with a checksum
 *   *.segment    postings (segment.ts)
 *   *.stems      stems of a segment's terms (term-stems.ts)
 *   *.table      the page table (stored-table.ts)
 *   lock         the process that writes (src/crawler/record/writer-lock.ts)
 *
 * index.json is replaced atomically and names only complete files, so that a killed process leaves a usable
 * index. Names are never used again: a reader that opened the files of an older index.json reads on. Only
 * files that begin like ours, or that our index.json names, are removed.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder } from '../../../../lib/files/make-folder.ts'
import { namesIn } from '../../../../lib/files/output-files.ts'
import { partialPath } from '../../../../lib/files/whole-file.ts'
import { version } from '../../../options/version.ts'
import type { LogEnd, WholeCrawl } from '../../../read/whole-crawl.ts'
import { DamagedIndex, magic, type FileEnd } from './index-file.ts'
import type { SegmentEnd } from './segment.ts'
import type { TableEnd } from './stored-table.ts'

interface IndexFile extends FileEnd {
  readonly name: string
}

export interface SegmentFile extends IndexFile, SegmentEnd {
  /** By language. */
  readonly stems: Readonly<Record<string, IndexFile>>
}

export interface TableFile extends IndexFile, TableEnd {
  /** The last group of the record that it includes, and the end of the log when that was read. */
  readonly group: number
  readonly log: LogEnd
  readonly damping: number
}

export interface Manifest {
  readonly segments: readonly SegmentFile[]
  readonly table?: TableFile | undefined
  /** The names of the WARC files that documents and pages are in, by number. */
  readonly files: readonly string[]
}

/** What an index depends on besides the crawl: the words of a text follow from these. */
const writtenBy = `${version}, format 3, ICU ${process.versions['icu'] ?? 'none'}`
const marker = '{"rankwardSearchIndex":'
const manifestName = 'index.json'
const fileName = /^[0-9a-f]{16}\.(?:segment|table|[a-z]+\.stems)$/
const partialName = /^\.(?:[0-9a-f]{16}\.(?:segment|table|[a-z]+\.stems)|index\.json)\.[0-9a-f]+\.partial$/

/** Why there is no index to search; undefined: it has no pages. */
export interface NoIndex {
  readonly notice: string | undefined
}

export function indexFolderOf({ path, folder }: WholeCrawl): IndexFolder {
  return new IndexFolder(join(path, 'search-index'), folder.file.id)
}

export class IndexFolder {
  readonly path: string
  readonly #crawl: string

  /** `crawl`: the crawl's id. */
  constructor(path: string, crawl: string) {
    this.path = path
    this.#crawl = crawl
  }

  /**
   * Undefined if there is no index, or one of another crawl or version. Throws `DamagedIndex` if it is damaged.
   */
  read(): Manifest | undefined {
    const text = this.#text()
    if (text === undefined || !this.hasManifest) return undefined
    const end = text.lastIndexOf('\n', text.length - 2)
    const json = text.slice(0, end)
    if (end < 0 || text.slice(end + 1) !== `${sumOf(json)}\n`) throw new DamagedIndex('index.json is damaged')
    const stored = JSON.parse(json) as Manifest & { rankwardSearchIndex: string; crawl: string }
    const isOwn = stored.rankwardSearchIndex === writtenBy && stored.crawl === this.#crawl
    return isOwn && Array.isArray(stored.segments) ? stored : undefined
  }

  /** Files in the folder that are not ours prevent its use, unless there is an index.json of ours. */
  foreignFiles(): string[] {
    if (this.hasManifest) return []
    return namesIn(this.path).filter((name) => !this.#isOwn(name))
  }

  /** Whether index.json is ours. A damaged one is, if its beginning or the crawl in it is left. */
  get hasManifest(): boolean {
    const text = this.#text()
    if (text === undefined) return false
    return text.startsWith(marker) || marker.startsWith(text) || text.includes(`"crawl":"${this.#crawl}"`)
  }

  /** Whether there are files of an index, named by index.json or not. */
  get hasFiles(): boolean {
    return namesIn(this.path).some((name) => fileName.test(name) && this.#isOwn(name))
  }

  /** Creates the folder. Throws a `RankwardError` if it cannot be written. */
  create(): void {
    makeFolder(this.path)
  }

  /** Replaces index.json, durably, and removes the files that it does not name. */
  write(manifest: Manifest): void {
    const json = JSON.stringify({ rankwardSearchIndex: writtenBy, crawl: this.#crawl, ...manifest })
    const path = join(this.path, manifestName)
    const partial = partialPath(path)
    const file = openSync(partial, 'wx')
    try {
      writeSync(file, `${json}\n${sumOf(json)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    // Also the names of the files that it refers to.
    this.#sync()
    renameSync(partial, path)
    this.#sync()
    this.#removeExcept(manifest)
  }

  /** The path of a new file. */
  newFile(ending: string): { readonly name: string; readonly path: string } {
    const name = `${randomBytes(8).toString('hex')}.${ending}`
    return { name, path: join(this.path, name) }
  }

  pathOf({ name }: IndexFile): string {
    if (!fileName.test(name)) throw new DamagedIndex(`index.json names ${name}`)
    return join(this.path, name)
  }

  #text(): string | undefined {
    try {
      return readFileSync(join(this.path, manifestName), 'latin1')
    } catch {
      return undefined
    }
  }

  #removeExcept({ segments, table }: Manifest): void {
    const kept = new Set(
      [table, ...segments, ...segments.flatMap(({ stems }) => Object.values(stems))].map(
        (file) => file?.name,
      ),
    )
    for (const name of namesIn(this.path)) {
      if (kept.has(name) || name === manifestName || name === 'lock' || !this.#isOwn(name)) continue
      rmSync(join(this.path, name), { force: true })
    }
  }

  /** By name and first bytes. A partial file may be empty. */
  #isOwn(name: string): boolean {
    if (name === 'lock') return true
    const isPartial = partialName.test(name)
    if (!isPartial && !fileName.test(name)) return false
    const start = Buffer.alloc(magic.length)
    try {
      const file = openSync(join(this.path, name), 'r')
      const length = readSync(file, start)
      closeSync(file)
      const expected = name.startsWith('.index.json') ? Buffer.from(marker) : magic
      return expected.subarray(0, length).equals(start.subarray(0, length)) && (isPartial || length > 0)
    } catch {
      return false
    }
  }

  #sync(): void {
    const folder = openSync(this.path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }
}

function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0')
}
