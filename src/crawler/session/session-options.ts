/** The options of a session of a crawl. */
import type { CrawlEvent } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { InlineCode } from '../../engine/user-code/inline-code.ts'
import type { GivenOptions } from '../parts/running-part.ts'
import type { ControlEntry } from './crawl-control.ts'
import type { PageStream } from './page-stream.ts'
import type { RequestSecrets } from './request-secrets.ts'

export interface SessionOptions {
  readonly folder: CrawlFolder
  readonly settings: CrawlSettings
  readonly isResumed: boolean
  /** The options of the program. */
  readonly given?: GivenOptions | undefined
  /** Strategy, frontier or scorer passed as code. */
  readonly inline?: InlineCode | undefined
  readonly secrets?: RequestSecrets | undefined
  /** Receives fetched pages; undefined if the program does not iterate over them. */
  readonly stream: PageStream | undefined
  readonly onEvent: ((event: CrawlEvent) => void) | undefined
  /** The crawl was changed while it runs. */
  readonly onControl?: ((entry: ControlEntry) => void) | undefined
  /** Minimum growth of the record between two snapshots, in bytes; default as in crawl-snapshots.ts. */
  readonly snapshotBytes?: number | undefined
  /** Fetch the held pages again, once, within these limits. */
  readonly refresh?:
    | { readonly pages?: number | undefined; readonly seconds?: number | undefined }
    | undefined
}
