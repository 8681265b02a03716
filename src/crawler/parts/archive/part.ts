/** The archive: responses are kept in WARC files with indexes, and exported as WACZ. */
import { bytesText, plural } from '../../../lib/amounts.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import { readDigests } from '../../../web/warc/known-digests.ts'
import { warcinfoOf } from '../../../web/warc/warc-owner.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { warcAffixes } from '../../record/warc-name.ts'
import { safe } from '../../read/words.ts'
import type { ArchivedCrawl, ArchivedFiles } from '../archiving.ts'
import type { Part } from '../part.ts'
import { shownPlace } from '../../../web/store/store-address.ts'
import { archiveOptions } from './options.ts'
import { hasUnsent, isSentFileOf, sentFile } from './sent-files.ts'
import type { WarcSettings } from './archive-writer.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlTotals {
    /** With `archive`: the files that it got in this session, and those that it lacks. */
    readonly archived?: ArchivedFiles | undefined
  }
}

export const archive: Part = {
  name: 'archive',
  options: archiveOptions,

  work: () => import('./earlier-files.ts'),

  files: [
    {
      name: sentFile,
      isOwn: isSentFileOf,
      // What it lacks is sent again.
      damage: () => undefined,
    },
  ],
  beside: ({ path, settings: { archive: place } }) =>
    place === undefined
      ? undefined
      : {
          finish: async () => (await import('./sending.ts')).sendRest(path),
          stop: () => Promise.resolve(),
        },

  shows: {
    file: ({ archived }) =>
      archived && [
        'Archive',
        `${safe(archived.place)}, ${plural(archived.sent, 'file')} sent${archived.unsent === 0 ? '' : `, ${archived.unsent} missing`}`,
      ],
    hasMore: ({ folder, settings }) => settings.archive !== undefined && hasUnsent(folder),
  },

  archive: {
    writer: workerEntry(import.meta.url, './archive-writer'),
    isUsed: ({ warc }) => warc,
    onByDefault: (options) => ({ ...options, warc: options.warc ?? true }),
    threads: threadSettings,
    plan: ({ warc, warcBytesMax, warcLevel, dedupAgainst = [], archive: place, archiveKeep }) =>
      warc
        ? [
            `WARC files of ${bytesText(warcBytesMax)}, ${warcLevel === 0 ? 'not compressed' : `gzip level ${warcLevel}`}`,
            ...(dedupAgainst.length === 0
              ? []
              : [`no payloads that are in ${safe(dedupAgainst.join(', '))}`]),
            ...(place === undefined ? [] : [`closed files are sent to ${safe(shownPlace(place))}`]),
            ...(archiveKeep === undefined
              ? []
              : [`beyond ${bytesText(archiveKeep)}, files that the archive has are deleted here`]),
          ]
        : ['no WARC files'],
    unrecorded: async (folder, ends) => (await import('./earlier-files.ts')).unrecordedFiles(folder, ends),
    checkNew: async (settings, crawlId) => {
      if (settings.archive !== undefined)
        await (await import('./archive-owner.ts')).isOwnArchive(settings.archive, crawlId)
    },
    claim: async (settings, crawlId) => {
      if (settings.archive !== undefined)
        await (await import('./archive-owner.ts')).claimArchive(settings.archive, crawlId)
    },
    sending: async (worker) =>
      worker.settings.archive === undefined
        ? undefined
        : (await import('./sending.ts')).workerSender(worker.settings.archive, worker),
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
      bytesMax: Math.min(
        settings.warcBytesMax,
        // The files that are being written are at most half of the quota.
        Math.ceil((settings.archiveKeep ?? Infinity) / (2 * settings.threads)),
      ),
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
