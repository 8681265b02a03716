/**
 * A crawl as its readers see it: that of one folder, or all shards of a crawl on a cluster as one. A folder with the copies of all
 * shards (`shards/NNN/`) is read as a crawl's folder is, wherever the archive can be read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import { namesIn } from '../../lib/files/output-files.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { SegmentFiles } from '../record/segment-files.ts'
import type { ExportSource } from './export/export-source.ts'

/** What readers of pages need of a record. */
export type PagesRecord = Pick<
  CrawlRecord,
  'known' | 'groups' | 'found' | 'outcome' | 'versions' | 'pages' | 'outcomes'
>

/** The end of a crawl's log: it differs if something was recorded since. */
export interface LogEnd {
  readonly segment: number
  readonly bytes: number
}

/** Whether this folder has copies of shards instead of a crawl. */
export function isOfShards(path: string): boolean {
  return !existsSync(join(path, 'crawl.json')) && existsSync(join(path, 'shards'))
}

export class WholeCrawl {
  /** As given. */
  readonly path: string
  /** With the settings and the archive; of a crawl on a cluster, that of its first shard. */
  readonly folder: CrawlFolder
  readonly folders: readonly CrawlFolder[]

  private constructor(path: string, folders: readonly CrawlFolder[]) {
    this.path = path
    this.folders = folders
    this.folder = folders[0]
  }

  /** That of a folder which is open. */
  static of(folder: CrawlFolder): WholeCrawl {
    return new WholeCrawl(folder.path, [folder])
  }

  /** Throws `NO_CRAWL` if the folder has no crawl, or not all of its shards. */
  static open(path: string): WholeCrawl {
    if (!isOfShards(path)) return WholeCrawl.of(CrawlFolder.open(path))
    const folders = namesIn(join(path, 'shards'))
      .filter((name) => existsSync(join(path, 'shards', name, 'crawl.json')))
      .toSorted()
      .map((name) => CrawlFolder.open(join(path, 'shards', name)))
    if (folders.length === 0) return WholeCrawl.of(CrawlFolder.open(path))
    const { shards } = folders[0].file.shard!
    if (folders.length === shards) return new WholeCrawl(path, folders)
    throw new RankwardError(
      'NO_CRAWL',
      `${path} has ${folders.length} of the ${shards} shards of a crawl on a cluster. Give --cluster and --name instead: the shards are then copied from the cluster.`,
    )
  }

  /** Whether it is that of a cluster. A single shard is not a whole crawl. */
  get isShared(): boolean {
    return this.folders.length > 1 || this.folder.path !== this.path
  }

  get logEnd(): LogEnd {
    const ends = this.folders.map((folder) => new SegmentFiles(folder.log).end())
    // Numbers of segments never decrease, and their bytes only with a new segment: every new group changes the sums.
    const sum = (name: keyof LogEnd): number => ends.reduce((all, end) => all + end[name], 0)
    return { segment: sum('segment'), bytes: sum('bytes') }
  }

  async read(): Promise<ReadCrawl> {
    const records: CrawlRecord[] = []
    const close = (): void => records.forEach((record) => record.close())
    try {
      for (const folder of this.folders) records.push(await folder.readRecord())
      const { crawlSource, shardsSource } = await import('./export/export-source.ts')
      if (!this.isShared)
        return { record: records[0], source: () => crawlSource(this.folder, records[0]), close }
      const source = await shardsSource(records.map((record, i) => ({ record, folder: this.folders[i] })))
      const { JoinedRecord } = await import('./joined-record.ts')
      return { record: new JoinedRecord(source), source: () => Promise.resolve(source), close }
    } catch (error) {
      close()
      throw error
    }
  }
}

export interface ReadCrawl {
  readonly record: PagesRecord
  /** Replays the facts: states and links of all pages. */
  source(): Promise<ExportSource>
  close(): void
}
