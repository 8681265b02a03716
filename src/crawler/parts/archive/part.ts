/** The archive: responses are kept in WARC files with indexes, and exported as WACZ. */
import { bytesText } from '../../../lib/amounts.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import { readDigests } from '../../../web/warc/known-digests.ts'
import { warcinfoOf } from '../../../web/warc/warc-owner.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { warcAffixes } from '../../record/warc-name.ts'
import { safe } from '../../read/words.ts'
import type { ArchivedCrawl } from '../archiving.ts'
import type { Part } from '../part.ts'
import { archiveOptions } from './options.ts'
import type { WarcSettings } from './archive-writer.ts'

export const archive: Part = {
  name: 'archive',
  options: archiveOptions,

  work: () => import('./earlier-files.ts'),

  archive: {
    writer: workerEntry(import.meta.url, './archive-writer'),
    isUsed: ({ warc }) => warc,
    onByDefault: (options) => ({ ...options, warc: options.warc ?? true }),
    threads: threadSettings,
    plan: ({ warc, warcBytesMax, warcLevel, dedupAgainst = [] }) =>
      warc
        ? [
            `WARC files of ${bytesText(warcBytesMax)}, ${warcLevel === 0 ? 'not compressed' : `gzip level ${warcLevel}`}`,
            ...(dedupAgainst.length === 0
              ? []
              : [`no payloads that are in ${safe(dedupAgainst.join(', '))}`]),
          ]
        : ['no WARC files'],
    unrecorded: async (folder, ends) => (await import('./earlier-files.ts')).unrecordedFiles(folder, ends),
    verify: async (crawl) => (await import('./archive-check.ts')).verifyArchive(crawl),
    exportTo: async (path, crawl) => (await import('./wacz-export.ts')).exportWacz(path, crawl),
  },
}

function threadSettings(crawl: ArchivedCrawl): (thread: number) => WarcSettings {
  const { settings, crawlId, folder, ends, worker } = crawl
  const { dedupAgainst = [] } = settings
  const info = warcinfo(settings, crawlId)
  const known = dedupAgainst.length > 0 ? readDigests(dedupAgainst) : undefined
  return (thread) => {
    const end = ends.get(thread)
    return {
      folder,
      ...warcAffixes({ thread, worker }, settings.warcNames),
      bytesMax: settings.warcBytesMax,
      level: settings.warcLevel,
      info,
      known,
      resume: end !== undefined && end.length > 0 ? end : undefined,
    }
  }
}

function warcinfo(settings: CrawlSettings, crawlId: string): Readonly<Record<string, string>> {
  const { userAgent, robotsTxt, collection, operator, description, insecure } = settings
  return {
    software: userAgent,
    robots: robotsTxt ? 'obey' : 'ignore',
    'http-header-user-agent': userAgent,
    ...warcinfoOf(crawlId, collection),
    ...(operator === undefined ? {} : { operator }),
    ...(description === undefined ? {} : { description }),
    certificates: insecure ? 'not checked' : 'checked, except for revocation; invalid ones refused',
  }
}
