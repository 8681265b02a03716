/** Where the WARC files of a crawl are: in its folder, or in its archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import { fileAt, shownPlace } from '../../web/store/store-address.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'

/** A crawl without the part that archives has no such settings. */
interface ArchiveSettings {
  readonly archive?: string | undefined
}

/** The archive with these settings of a crawl, as recorded. */
export function archivePlace(settings: object): string | undefined {
  return (settings as ArchiveSettings).archive
}

/** The worker that wrote a WARC file of a crawl on a cluster. */
function workerIn(name: string): string {
  const [, worker] =
    /^rankward-(.+)-\d+-\d+\.warc/.exec(name) ?? /-\d{14}-\d+-(.+?)(?:~\d+)?\.warc/.exec(name) ?? []
  return worker ?? 'that its name contains'
}

export class ArchivedFiles {
  readonly #folder: CrawlFolder
  readonly #place: string | undefined
  /** By name: a search reads thousands of pages of the same files. */
  readonly #paths = new Map<string, string>()

  constructor(folder: CrawlFolder) {
    this.#folder = folder
    this.#place = archivePlace(folder.file.options)
  }

  /** Whether workers on several machines write the files. */
  get isShared(): boolean {
    return this.#folder.file.shard !== undefined
  }

  /** The path or address of a file. Throws `NO_ARCHIVE` if it is on another machine. */
  pathOf(name: string): string {
    let path = this.#paths.get(name)
    if (path === undefined) this.#paths.set(name, (path = this.#find(name)))
    return path
  }

  #find(name: string): string {
    const local = join(this.#folder.warc, name)
    if (existsSync(local)) return local
    if (this.#place !== undefined) return fileAt(this.#place, name)
    if (this.#folder.file.shard === undefined) return local
    throw this.missing(name)
  }

  /** Why a file of a crawl on a cluster cannot be read here. */
  missing(name: string): RankwardError {
    const worker = workerIn(name)
    return new RankwardError(
      'NO_ARCHIVE',
      this.#place === undefined
        ? `${name} is on the machine of the worker ${worker}, in the folder warc/ of that worker. The pages of crawls with --archive can be read from any machine.`
        : `${name} is not in the archive ${shownPlace(this.#place)} yet: the worker ${worker} sends it when the file is full (--set warcSize) or the worker ends.`,
    )
  }
}
