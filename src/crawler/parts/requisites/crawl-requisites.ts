/** Fetches the requisites of a crawl, beside its pages and after them. */
import { urlPatterns } from '../../../web/url/scope.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart, PartWorld, RunningPart } from '../running-part.ts'
import { requisiteBudget } from './options.ts'
import { RequisiteQueue, type RequisiteCounts } from './requisite-queue.ts'
import { decodeRequisites, encodeRequisite } from './requisite-record.ts'
import { Requisites } from './requisites.ts'

interface RequisiteState extends PartState {
  readonly queue: RequisiteQueue
}

export function remember({ record }: RememberedCrawl): RequisiteState {
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
}

export function open(crawl: OpenedCrawl): OpenedPart {
  const { queue } = crawl.state as RequisiteState
  return { begin: (world) => begun(queue, crawl, world) }
}

function begun(queue: RequisiteQueue, crawl: OpenedCrawl, { desk, wake }: PartWorld): RunningPart {
  const { settings, current, isPaused } = crawl
  const running: Requisites = new Requisites({
    queue,
    desk,
    budget: () => requisiteBudget(current()),
    pageOf: pageWith(crawl),
    // The scope does not hold for requisites.
    isExcluded: urlPatterns(settings.exclude),
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
