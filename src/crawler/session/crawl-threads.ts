/** Starts the fetch threads of a crawl, or of a worker. */
import { threadSettings, type CrawlSettings } from '../options/crawl-settings.ts'
import type { WarcEnd } from '../record/group.ts'
import { warcAffixes } from '../record/warc-name.ts'
import { warcinfoOf } from '../record/warc-tails.ts'
import { readDigests } from '../../web/warc/known-digests.ts'
import { clientSettings } from '../parts/all-parts.ts'
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
  const count = Math.max(settings.threads, ends.size)
  const info = {
    software: settings.userAgent,
    robots: settings.robotsTxt ? 'obey' : 'ignore',
    'http-header-user-agent': settings.userAgent,
    ...warcinfoOf(crawlId, settings.collection),
    ...(settings.operator === undefined ? {} : { operator: settings.operator }),
    ...(settings.description === undefined ? {} : { description: settings.description }),
    certificates: settings.insecure ? 'not checked' : 'checked, except for revocation; invalid ones refused',
  }
  const { dedupAgainst = [] } = settings
  const known = settings.warc && dedupAgainst.length > 0 ? readDigests(dedupAgainst) : undefined
  const each = Array.from({ length: count }, (_, thread) => {
    const end = ends.get(thread)
    const warc = {
      folder: options.warc,
      ...warcAffixes({ thread, worker }, settings.warcNames),
      bytesMax: settings.warcBytesMax,
      level: settings.warcLevel,
      info,
      known,
      resume: end !== undefined && end.length > 0 ? end : undefined,
    }
    const made = threadSettings(settings, thread, { bodies }, settings.warc ? warc : undefined)
    return { ...made, ...clientSettings(settings, secrets?.parts), credentials: secrets?.credentials }
  })
  return new FetchThreads(each, listener)
}
