/** The page handler of a crawl: its options, checked, as crawl.json has them. */
import { resolve } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import type { FoundSite, HandlerChoice, PageFailure } from '../../engine/user-code/page-handler.ts'
import type { RecordedPage } from './recorded-page.ts'

export interface HandlerSettings {
  /** The path of its module; absent if a program passed it as code. */
  readonly module?: string | undefined
  /** The name of its code. */
  readonly code?: string | undefined
  /** Time limit per page. */
  readonly seconds: number
  readonly threads: number
  /** The file of the items, or `-`; absent: items.jsonl in the crawl's folder. */
  readonly items?: string | undefined
}

export interface HandlerOptions {
  /**
   * Receives each fetched page, returns items and decides which of its links are followed. A module runs in threads of its
   * own, a function in the calling thread.
   */
  readonly onPage?: HandlerChoice | undefined
  /** Time limit of the handler per page; default 10. */
  readonly onPageSeconds?: number | undefined
  /** Threads of a handler that is a module; default 1. */
  readonly onPageThreads?: number | undefined
  /** The file of the items; `-` is standard output. Default: items.jsonl in the crawl's folder. */
  readonly items?: string | undefined
}

/** Functions that a program may pass to observe a crawl. */
export interface CrawlCallbacks {
  /**
   * Called for each outcome of a page once it is durable, with the same object as `tail`: where it is archived, its digest, the
   * page that it was found on.
   */
  readonly onRecorded?: ((page: RecordedPage) => void) | undefined
  /** Called for each page that fails, and for each page whose handler fails. */
  readonly onError?: ((failure: PageFailure) => void) | undefined
  /** Called for each site, when its first page or requisite is discovered. */
  readonly onSite?: ((site: FoundSite) => void) | undefined
}

const dependent = ['onPageSeconds', 'onPageThreads', 'items'] as const

/** `before`: those of the session that is resumed. */
export function handlerSettings(
  options: HandlerOptions,
  before?: HandlerSettings,
): HandlerSettings | undefined {
  const { onPage, onPageSeconds, onPageThreads, items } = options
  if (onPage === undefined && before === undefined) {
    const other = dependent.find((name) => options[name] !== undefined)
    if (other === undefined) return undefined
    throw new RankwardError('USAGE', `Option ${other} belongs to a page handler: give onPage too.`)
  }
  return {
    ...(onPage === undefined ? { module: before?.module, code: before?.code } : handlerOf(onPage)),
    seconds: onPageSeconds ?? before?.seconds ?? 10,
    threads: onPageThreads ?? before?.threads ?? 1,
    items: items === undefined ? before?.items : items === '-' ? items : resolve(items),
  }
}

function handlerOf(onPage: HandlerChoice): Pick<HandlerSettings, 'module' | 'code'> {
  if (typeof onPage === 'string') return { module: resolve(onPage) }
  return { code: onPage.name === '' ? 'onPage' : onPage.name }
}
