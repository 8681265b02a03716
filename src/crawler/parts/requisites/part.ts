/** Requisites: the style sheets, images, scripts, fonts and media that pages use are fetched for the archive. */
import { bytesText, grouped, plural } from '../../../lib/amounts.ts'
import { workerEntry } from '../../../lib/worker-entry.ts'
import type { Part } from '../part.ts'
import { pageConnections, requisiteBudget, requisiteOptions } from './options.ts'
import type { RequisiteCounts } from './requisite-queue.ts'
import { requisitesCheck } from './requisite-record.ts'
import { requisiteTable } from './requisite-rows.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlProgress {
    /** Undefined if only pages are fetched. */
    readonly requisites?: RequisiteCounts | undefined
  }
  interface CrawlTotals {
    /** Undefined if only pages are fetched. */
    readonly requisites?: RequisiteCounts | undefined
  }
}
declare module '../../read/export/destination.ts' {
  interface PartTables {
    readonly requisites: true
  }
}

export const requisites: Part = {
  name: 'requisites',
  options: requisiteOptions,
  isUsed: ({ requisites: wanted }) => wanted !== undefined,
  reader: workerEntry(import.meta.url, './requisite-reader'),
  thread: ({ requisites: wanted }) => (wanted === undefined ? undefined : true),

  asksElsewhere: ({ requisites: wanted }) => wanted !== undefined,
  work: () => import('./crawl-requisites.ts'),

  shows: {
    row: ({ requisites: counts }) => (counts === undefined ? undefined : ['requisites', countsText(counts)]),
    plan(settings) {
      if (settings.requisites === undefined) return undefined
      const { files, bytes } = requisiteBudget(settings)
      return `requisites of pages: up to ${plural(files, 'file')} and ${bytesText(bytes)}`
    },
    hasMore({ totals: { requisites: counts }, settings }) {
      if (counts === undefined || counts.waiting === 0) return false
      const { files, bytes } = requisiteBudget(settings)
      return counts.fetched + counts.failed < files && counts.bytes < bytes
    },
    pageConnections,
    tables: { requisites: requisiteTable },
    verify: requisitesCheck,
  },
}

/** "1,204 files (31.2 MB), 3 failed, 12 not requested, 40 wait" */
function countsText({ fetched, failed, refused, waiting, dropped, bytes }: RequisiteCounts): string {
  return [
    `${plural(fetched, 'file')} (${bytesText(bytes)})`,
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(refused === 0 ? [] : [`${grouped(refused)} not requested`]),
    ...(waiting === 0 ? [] : [`${grouped(waiting)} wait`]),
    ...(dropped === 0 ? [] : [`${grouped(dropped)} left out (requisiteFiles)`]),
  ].join(', ')
}
