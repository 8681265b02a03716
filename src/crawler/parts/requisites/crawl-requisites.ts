/** Fetches the requisites of a crawl, beside its pages and after them. */
import { urlPatterns } from '../../../web/url/scope.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart, PartWorld, RunningPart } from '../running-part.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { pageConnections, requisiteBudget, type RequisiteBudget } from './options.ts'
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
  let running: Requisites | undefined
  return {
    begin: (world) => {
      running = requisitesOf(queue, crawl, world)
      return begun(queue, running, crawl.folder.file.shard !== undefined)
    },
    close: async () => void (running !== undefined && onShards.delete(running)),
  }
}

/** Those of all shards of this process. They share the connections that are left to requisites. */
const onShards = new Set<Requisites>()

/** On a shard: its part of the budget. */
function budgetOf(
  settings: CrawlSettings,
  { shards = 1 }: { readonly shards?: number } = {},
): RequisiteBudget {
  const { files, bytes } = requisiteBudget(settings)
  return { files: Math.ceil(files / shards), bytes: bytes / shards }
}

function requisitesOf(queue: RequisiteQueue, crawl: OpenedCrawl, { desk, wake }: PartWorld): Requisites {
  const { settings, current, isPaused, folder, pages, worker } = crawl
  const { shard } = folder.file
  const leftByPages = (): number => current().connections - desk.connections.size - running.open
  const leftOnShards = (): number => {
    let open = 0
    for (const each of onShards) open += each.open
    return current().connections - pageConnections(current()) - open
  }
  const running: Requisites = new Requisites({
    queue,
    desk,
    worker,
    budget: () => budgetOf(current(), shard),
    pageOf: pageWith(crawl),
    // The scope does not hold for requisites.
    isExcluded: urlPatterns(settings.exclude),
    isAway: shard && ((host) => pages.isAway(host)),
    connections: () => (isPaused() ? 0 : shard === undefined ? leftByPages() : leftOnShards()),
    wake,
  })
  if (shard !== undefined) onShards.add(running)
  return running
}

function begun(queue: RequisiteQueue, running: Requisites, isShard: boolean): RunningPart {
  const counts = (): { requisites: RequisiteCounts } => ({ requisites: queue.counts })
  return {
    fetched({ page, result }) {
      // Pages may come from other shards after the last own one.
      running.isAlone = false
      if (result.requisites !== undefined) running.found({ page, depth: 0 }, result.requisites)
    },
    turn() {
      const due = running.turn()
      // A crawl on one machine looks at once whether it has ended. A worker does so regularly.
      return isShard && due === 0 ? Infinity : due
    },
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
