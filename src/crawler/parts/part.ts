/**
 * A part: one optional feature of a crawl, in a folder of its own. Everything that the crawl does for it goes through this interface, so a
 * part can be deleted with its line in `index.ts`, and the rest still compiles and crawls (`test/parts.test.ts`).
 *
 * Commands load every `part.ts`, so that it is small: the code that only some of them need is behind `work` and behind imports of
 * its own.
 *
 *   secrets ─▶ work ─▶ remember ─▶ the record is replayed ─▶ open ─▶ the desk is made ─▶ begin ─▶ pages, turns, groups … ─▶ stop ─▶ close
 *
 * A part adds its types to those of the crawl by module augmentation (`declare module '../../options/crawl-options.ts'`).
 */
import type { BackOff } from '../../engine/politeness.ts'
import type { HttpSettings } from '../../web/http/http-settings.ts'
import type { Archiving } from './archiving.ts'
import type { Proxies } from '../desk/proxies.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { OptionSet } from '../options/option-row.ts'
import type { PartWork } from './running-part.ts'
import type { Shown } from './shown.ts'

/** Every member but the name is optional. */
export interface Part {
  readonly name: string
  /** Its rows of the option table: flags, config file, the library's checks, settings and the rules of later sessions follow from them. */
  readonly options?: OptionSet
  /** Whether a crawl with these settings uses it; by default, each does. */
  isUsed?(settings: CrawlSettings): boolean
  /** Whether a resumed crawl requests a page again that an earlier session refused with this error. */
  isReadmitted?(settings: CrawlSettings, error: string): boolean
  /** Its files in the crawl's folder. */
  readonly files?: readonly PartFile[]
  /**
   * Reads the user's files with secrets, before a session changes anything. `isGiven`: whether this session was given the option; a
   * resumed crawl has the others of its earlier sessions. Throws `BAD_SECRETS`.
   */
  secrets?(settings: CrawlSettings, isGiven: (option: string) => boolean): unknown
  /** Settings of the HTTP client. `secrets`: those of this part; undefined if they have not been read. */
  client?(settings: CrawlSettings, secrets: unknown): Partial<HttpSettings>
  /** The proxies that send all requests. Undefined: the crawl uses none. */
  proxies?(crawl: ProxiedCrawl): Proxies | undefined
  /** The module that reads pages for it, a `ReaderModule`; fetch threads load it only if they have settings for it. */
  readonly reader?: URL
  /** These settings, as plain data. Undefined: fetch threads do nothing for it. */
  thread?(settings: CrawlSettings): unknown
  /** Whether documents are made of pages. The archive has each right after the response that it was made of. */
  makesDocuments?(settings: CrawlSettings): boolean
  /** Whether results of pages come with bodies, headers and anchors. */
  bodies?(settings: CrawlSettings): boolean
  /** Whether it requests files of any host: on a cluster, workers then take turns at hosts. */
  asksElsewhere?(settings: CrawlSettings): boolean
  /** What it does in a crawl that uses it, loaded when the crawl is opened. */
  work?(): Promise<PartWork>
  /** Works on the files in the crawl's folder, beside the crawl, if the folder stays. Undefined: the crawl does not use it. */
  beside?(crawl: WrittenCrawl): WorkBeside | undefined
  readonly shows?: Shown | undefined
  /** Archives responses. At most one part does. */
  readonly archive?: Archiving
}

/** A file of a part in the crawl's folder. */
export interface PartFile {
  readonly name: string
  /** Whether this crawl wrote it. Other files are never replaced or removed. */
  isOwn(text: string, crawlId: string): boolean
  /** For `verify`: what is wrong with it; undefined if nothing is. */
  damage(text: string): string | undefined
}

export interface ProxiedCrawl {
  readonly settings: CrawlSettings
  /** Of this part; undefined if they have not been read. */
  readonly secrets: unknown
  readonly backOff: BackOff
  readonly now: () => number
}

interface WrittenCrawl {
  readonly path: string
  readonly settings: CrawlSettings
  readonly isArchived: boolean
}

/** Work beside a crawl, from before its first request. */
export interface WorkBeside {
  /** The crawl has ended, and its record is complete: the work is completed. Returns fields of the totals. */
  finish(): Promise<Partial<CrawlTotals> | void>
  /** The work ends at once, and what is done is kept. Also called after `finish`. */
  stop(): Promise<void>
}
