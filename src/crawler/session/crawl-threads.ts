/** Starts the fetch threads of a crawl, or of a worker. */
import { threadSettings, type CrawlSettings } from '../options/crawl-settings.ts'
import type { WarcEnd } from '../record/group.ts'
import { clientSettings, threadArchives } from '../parts/all-parts.ts'
import type { RequestSecrets } from './request-secrets.ts'
import { FetchThreads, type ThreadsListener } from '../desk/fetch-threads.ts'

interface CrawlThreadsOptions {
  readonly settings: CrawlSettings
  readonly crawlId: string
  /** The folder of the WARC files. */
  readonly warc: string
  /** The ends of the WARC files of an earlier session, which are continued. */
  readonly ends?: ReadonlyMap<number, WarcEnd> | undefined
  /** The worker that writes the files, in a crawl on several machines. */
  readonly worker?: string | undefined
  /** Whether results include bodies, headers and anchors. */
  readonly bodies: boolean
  /** Undefined if no request has secrets of files. */
  readonly secrets?: RequestSecrets | undefined
}

const noEnds: ReadonlyMap<number, WarcEnd> = new Map()

export function crawlThreads(options: CrawlThreadsOptions, listener: ThreadsListener): FetchThreads {
  const { settings, crawlId, ends = noEnds, worker, bodies, secrets } = options
  // Threads that continue files start at once: they cut what was not recorded.
  const atOnce = new Set([0, ...ends.keys()])
  const count = Math.max(settings.threads, ...[...atOnce].map((thread) => thread + 1))
  const archive = threadArchives({ settings, crawlId, folder: options.warc, ends, worker })
  const each = Array.from({ length: count }, (_, thread) => {
    const made = threadSettings(settings, thread, { bodies }, archive?.(thread))
    return { ...made, ...clientSettings(settings, secrets?.parts), credentials: secrets?.credentials }
  })
  return new FetchThreads(each, listener, atOnce)
}
