/** What `explain` says about one URL, as data. docs/reference/crawl-output.md has what each part promises. */
import type { StopReason } from '../../engine/engine-options.ts'
import type { PageState } from '../../engine/page-totals.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { UnfollowedLinks } from '../options/omissions.ts'
import type { ArchivePlace } from '../options/recorded-page.ts'
import type { ExplainedFields } from '../page-fields.ts'
import type { RobotsVerdict } from './explanation-robots.ts'
import type { PageFreshness } from './page-freshness.ts'
import type { Discovery, TakenBefore } from './page-history.ts'
import type { SettingsAt } from './settings-history.ts'

export interface Explanation {
  /** Canonical, by the crawl's rules. */
  readonly url: string
  /** `unknown`: the crawl never found it. */
  readonly state: PageState | 'unknown'
  readonly isInScope: boolean
  readonly scope: Pick<
    CrawlSettings,
    'scope' | 'include' | 'exclude' | 'accept' | 'reject' | 'maxDepth' | 'maxPagesPerSite' | 'seeds'
  >
  readonly strategy: { readonly name: string; readonly about: string | undefined }
  /** Whether a process, or on a cluster a worker, runs the crawl. */
  readonly isRunning: boolean
  /** Why the last session ended; absent if the crawl runs or was interrupted. */
  readonly stoppedBecause?: StopReason | undefined
  /**
   * On a cluster: the shard that owns the page. Found, score, waited and waiting are those of this shard alone. `phase`:
   * of the whole crawl; absent if it was not read.
   */
  readonly shard?:
    | { readonly number: number; readonly shards: number; readonly phase?: string | undefined }
    | undefined
  /**
   * If unknown: number of copies on its site whose links to new pages were not followed. The page may be one
   * of those.
   */
  readonly unfollowedCopies?: { readonly count: number; readonly example: string } | undefined
  /** If unknown: links that the whole crawl did not follow, by reason. The page may be the target of one. */
  readonly linksNotFollowed?: UnfollowedLinks | undefined
  /** Similar known URLs, if this one is unknown. */
  readonly similar: readonly string[]
  readonly found?: Found | undefined
  readonly score?: Score | undefined
  readonly waited?: Waited | undefined
  readonly outcome?: Outcome | undefined
  /** If it leads into a redirect loop: the chain, from this page to the first URL that occurs twice. */
  readonly redirectLoop?: readonly string[] | undefined
  /**
   * If it was neither fetched nor a redirect: the share of all importance known to rest on it, and how coverage counts
   * that. Absent on a cluster, where no journal has all links.
   */
  readonly rests?:
    | { readonly importance: number; readonly as: 'unobtainable' | 'excluded' | 'not fetched' }
    | undefined
  /**
   * If it is waiting: the number of other waiting pages, and of those ahead of it; whether it was requested and has no
   * outcome yet.
   */
  readonly waiting?:
    | { readonly others: number; readonly better: number | undefined; readonly isInFlight: boolean }
    | undefined
  readonly robots?: RobotsVerdict | undefined
  /** In a crawl that fetches pages again, for a page that it holds: as of the time of the call. */
  readonly freshness?: PageFreshness | undefined
  /** The settings under which it was requested or refused, if a resume had changed them by then. */
  readonly settings?: SettingsAt | undefined
}

export interface Waited extends TakenBefore {
  readonly seconds: number | undefined
  /** Pages that were fetched again meanwhile, in a crawl that does so. */
  readonly again: number
  readonly putBack: number
  /** Whether trap detection put it last. */
  readonly isPutLast: boolean
  /** Recorded moments at which patience kept connections free although its site was free, and the first of them; absent if there is none. */
  readonly patience?: { readonly moments: number; readonly since: string; readonly share: number } | undefined
}

export interface Found {
  readonly by: Discovery
  /**
   * When the response with the first link to it was complete; for a seed, the start of the crawl; for a page of a list or
   * of another shard, the last decision of the crawl before.
   */
  readonly at: string | undefined
  readonly depth: number
  /** From a seed to the page itself, along the links by which each was first found. */
  readonly path: readonly string[]
  /** Number of pages with an outcome, fetched or failed, by then. */
  readonly afterPages: number
}

export interface Score {
  /**
   * When it was last selected; if it is waiting, the current value. Undefined if the strategy ranks sites.
   */
  readonly value: number | undefined
  readonly isNow: boolean
  /** Links from fetched pages at that point. */
  readonly linksTo: number
  /**
   * For strategies whose score is a mass: the mass received by then, and its sources. Absent on a cluster, where mass also
   * comes from other shards.
   */
  readonly mass?:
    | {
        readonly reached: number
        readonly givers: readonly { readonly url: string; readonly mass: number }[]
      }
    | undefined
}

export interface Outcome extends ExplainedFields {
  /** When the request was sent; of a page with several versions, that of the newest. */
  readonly at: string
  /** When its first version was requested, if it has several. */
  readonly firstAt?: string | undefined
  /** The position of its first outcome among those of all pages, fetched or failed. */
  readonly cameAs?: number | undefined
  readonly warc?: ArchivePlace | undefined
}
