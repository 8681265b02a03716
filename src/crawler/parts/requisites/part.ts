/** Requisites: the style sheets, images, scripts, fonts and media that pages use are fetched for the archive. */
import { bytesText, grouped, plural } from '../../../lib/amounts.ts'
import { urlPattern } from '../../../web/url/scope.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import type { OpenedCrawl, Part, PartState, PartWorld, RunningPart } from '../part.ts'
import { pageConnections, requisiteBudget } from './options.ts'
import { RequisiteQueue, type RequisiteCounts } from './requisite-queue.ts'
import { decodeRequisites, encodeRequisite, requisitesCheck } from './requisite-record.ts'
import { requisiteTable } from './requisite-rows.ts'
import { Requisites } from './requisites.ts'

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

interface RequisiteState extends PartState {
  readonly queue: RequisiteQueue
}

export const requisites: Part = {
  name: 'requisites',
  thread: ({ requisites: wanted }) => (wanted === undefined ? undefined : true),
  reader: () => import('./reader.ts'),

  remember({ settings, record }): RequisiteState | undefined {
    if (settings.requisites === undefined) return undefined
    const queue = new RequisiteQueue((event) =>
      // Their outcomes come without facts.
      record.put('requisites', (into) => encodeRequisite(into, event), true),
    )
    return {
      queue,
      section: 'requisites',
      replay(section) {
        for (const event of decodeRequisites(section)) queue.replay(event)
      },
      restored() {
        queue.retryFailed()
        queue.rebuild()
      },
      transfer: (codec) => queue.transfer(codec),
    }
  },

  open(crawl) {
    const { state } = crawl
    if (state === undefined) return undefined
    return { begin: (world) => begun((state as RequisiteState).queue, crawl, world) }
  },

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

function begun(queue: RequisiteQueue, crawl: OpenedCrawl, { desk, wake }: PartWorld): RunningPart {
  const { settings, current, isPaused } = crawl
  const running: Requisites = new Requisites({
    queue,
    desk,
    budget: () => requisiteBudget(current()),
    pageOf: pageWith(crawl),
    isExcluded: excluded(settings),
    connections: () => (isPaused() ? 0 : current().connections - desk.connections.size - running.open),
    wake,
  })
  const counts = (): { requisites: RequisiteCounts } => ({ requisites: queue.counts })
  return {
    fetched({ page, result }) {
      if (result.requisites !== undefined) running.found({ page, depth: 0 }, result.requisites)
    },
    turn: () => running.turn(),
    isUnfinished() {
      running.isAlone = true
      return running.isBusy
    },
    get stopped() {
      return running.stopped
    },
    stop(because) {
      if (because === 'interrupted' || because === 'time') running.stop(because)
    },
    counts,
    progress: counts,
    totals: counts,
  }
}

/** Patterns of `exclude` also hold for requisites; the scope does not. */
function excluded({ exclude }: CrawlSettings): (url: string) => boolean {
  const patterns = exclude.map(urlPattern)
  return (url) => patterns.some((matches) => matches(url))
}

/** Whether a page of the crawl has this URL. One that was refused without a request does not count. */
function pageWith({ pages, engine }: OpenedCrawl) {
  return (url: string): 'none' | 'waiting' | 'requested' => {
    const page = pages.findUrl(url)
    if (page < 0) return 'none'
    if (engine.pages.isCrawled(page)) return 'requested'
    const cause = engine.pages.failureOf(page)
    if (cause === undefined) return 'waiting'
    return cause === 'failed' || cause === 'robots' ? 'requested' : 'none'
  }
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
