/** Archiving: what the part that archives responses does for a crawl and for its readers. Without it, a crawl keeps no responses. */
import type { Progress } from '../../lib/progress.ts'
import type { Archive, ArchiveBroken } from '../fetch/archive.ts'
import type { CrawlOptions } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { ExpectedPlaces } from '../read/verify/expected-places.ts'
import type { PartFindings } from '../read/verify/findings.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { WarcEnd } from '../record/group.ts'
import type { ThreadSettings } from '../world/messages.ts'

export interface Archiving {
  /** The module that is loaded in fetch threads, an `ArchiveModule`. */
  readonly writer: URL
  /** Whether a crawl with these settings archives responses. */
  isUsed(settings: CrawlSettings): boolean
  /** The options of a crawl that has no folder of its own, and whose responses are archived unless it says no. */
  onByDefault(options: CrawlOptions): CrawlOptions
  /** Words about the archive of a crawl with these settings; more lines may follow. */
  plan(settings: CrawlSettings): readonly string[]
  /** The settings of each fetch thread's archive, as plain data. */
  threads(crawl: ArchivedCrawl): (thread: number) => unknown
  /** The files of this crawl that are not in its record, which ends there. Throws `FOREIGN_FILES` if one has another origin. */
  unrecorded(folder: CrawlFolder, ends: ReadonlyMap<number, WarcEnd>): Promise<readonly string[]>
  /** Throws if the archive of a new crawl with these settings cannot be reached, or is that of another crawl. */
  checkNew(settings: CrawlSettings, crawlId: string): Promise<void>
  /** Makes the archive with these settings that of this crawl. */
  claim(settings: CrawlSettings, crawlId: string): Promise<void>
  /** Sends the files of a worker to the archive; undefined if the crawl has none. */
  sending(worker: ArchivingWorker): Promise<ArchiveSending | undefined>
  /** Compares the archived responses with the record. */
  verify(crawl: VerifiedArchive): Promise<void>
  /** Writes the recorded responses as one file; returns the number of pages in it. */
  exportTo(path: string, crawl: ExportedArchive): Promise<number>
}

export interface ArchiveModule {
  makeArchive(archive: unknown, settings: ThreadSettings, onBroken: (broken: ArchiveBroken) => void): Archive
}

export interface ArchivedCrawl {
  readonly settings: CrawlSettings
  readonly crawlId: string
  readonly folder: string
  /** The ends of the files of an earlier session, which are continued. */
  readonly ends: ReadonlyMap<number, WarcEnd>
  /** The worker that writes the files, in a crawl on several machines. */
  readonly worker: string | undefined
}

export interface ArchivingWorker extends Omit<ArchivedCrawl, 'folder' | 'ends'> {
  /** The folder of the worker, and that of its WARC files. */
  readonly folder: string
  readonly warc: string
  readonly worker: string
  /** One line about an archive that does not respond, or does again. */
  readonly onNotice: (line: string) => void
}

/** Sends closed files to the archive of the crawl. */
export interface ArchiveSending {
  /** False while local files that the archive does not have fill the quota. */
  readonly hasRoom: boolean
  /** All files are closed: sends the rest, as long as the archive responds. */
  finish(): Promise<ArchivedFiles>
  /** Ends at once. */
  stop(): Promise<void>
}

/** What the archive got, and lacks. */
export interface ArchivedFiles {
  readonly place: string
  /** Sent by this session. */
  readonly sent: number
  readonly unsent: number
}

export interface VerifiedArchive {
  readonly folder: CrawlFolder
  /** Up to the last group that could be read. `isWhole`: that is the last one. Undefined for the workers' files of all shards. */
  readonly record: CrawlRecord | undefined
  readonly isWhole: boolean
  readonly places: ExpectedPlaces
  /** True if a session has ended since the last group: then files end where the record says. */
  readonly hasEnded: boolean
  readonly warcs: PartFindings
  readonly indexes: PartFindings
  readonly progress: Progress
}

export interface ExportedArchive {
  /** Of a crawl on a cluster: that of any shard. */
  readonly folder: CrawlFolder
  /** Several: of all shards of a crawl on a cluster. */
  readonly records: readonly CrawlRecord[]
  /** Include the visible text of pages, for full-text search. */
  readonly hasText: boolean
}
