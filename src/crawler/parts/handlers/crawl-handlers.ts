/** The page handler of a running crawl: its threads, its decisions on their way to the engine, and its items. */
import { join } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import { urlCharsMax } from '../../fetch/link-collector.ts'
import { noLinks } from '../../fetch/page-reader.ts'
import { Scope } from '../../../web/url/scope.ts'
import { withoutForeignUser } from '../../../web/url/url-user.ts'
import type { OpenedCrawl, OpenedPart, SettledPage } from '../running-part.ts'
import type { Arrival } from '../stations.ts'
import type { HandlerInput } from './handled-page.ts'
import { decodeHandled, encodeHandled } from './handled-record.ts'
import { HandlerThreads } from './handler-threads.ts'
import { InlineHandler } from './inline-handler.ts'
import { ItemFile } from './item-file.ts'
import type { PageDecision, PageHandling } from './page-handling.ts'
import { sharedThreads } from './shared-threads.ts'
import type { HandlerSettings } from './options.ts'
import type { HandlerCounts } from './part.ts'

export async function open(crawl: OpenedCrawl): Promise<OpenedPart | undefined> {
  const { folder, record } = crawl
  const { handler } = crawl.settings
  if (handler === undefined) return undefined
  // Those of earlier sessions.
  const before = record.record.counts as Partial<HandlerCounts>
  const { items: itemCount = 0, itemBytes = 0, handlerFailures = 0 } = before
  const counts = { items: itemCount, itemBytes, handlerFailures }
  const handling = await openHandling(crawl, handler)
  const items = await ItemFile.open(handler.items ?? join(folder.path, 'items.jsonl'), {
    end: counts.itemBytes,
    last: record.record.groups,
    after: (group) => record.record.entries('handled', decodeHandled, group),
  }).catch(async (error: unknown) => {
    await handling.close()
    throw error
  })
  const handlers = new CrawlHandlers(crawl, handling, counts)
  return {
    begin: () => ({
      station: { stage: 'decide', visit: (arrival) => handlers.visit(arrival) },
      linkDecision: (result) => handlers.decisionOf(result),
      fetched: (page) => handlers.fetched(page),
      full: () => handling.full(),
      recorded: (group) => items.append(decodeHandled(group.section('handled'))),
      stop(_because, atOnce) {
        // Pages that are not handled yet are fetched again by a resume.
        if (atOnce) handling.abort()
      },
      counts: () => counts,
      progress: () => ({ handled: { items: counts.items, failures: counts.handlerFailures } }),
      totals: () => ({ items: counts.items, handlerFailures: counts.handlerFailures }),
    }),
    async close() {
      await handling.close()
      await items.close()
    },
  }
}

class CrawlHandlers {
  readonly #crawl: OpenedCrawl
  readonly #handling: PageHandling
  readonly #counts: { -readonly [Name in keyof HandlerCounts]: number }
  /** Of results that are not settled yet. */
  readonly #decisions = new WeakMap<FetchResult, PageDecision>()

  constructor(crawl: OpenedCrawl, handling: PageHandling, counts: HandlerCounts) {
    this.#crawl = crawl
    this.#handling = handling
    this.#counts = counts
  }

  visit({ page, result, isNewContent }: Arrival): Promise<FetchResult> | undefined {
    return isNewContent() ? this.#handled(page, result) : undefined
  }

  decisionOf(result: FetchResult): PageDecision | undefined {
    return this.#decisions.get(result)
  }

  fetched({ page, result }: SettledPage): void {
    const decision = this.#decisions.get(result)
    if (decision === undefined) return
    const { itemCount, error } = decision
    if (error !== undefined) this.#failed(page, error)
    if (itemCount === 0 && error === undefined) return
    const counts = this.#counts
    const items = Buffer.from(decision.items)
    counts.items += itemCount
    counts.itemBytes += items.length
    const handled = { page, itemCount, end: counts.itemBytes, items, error }
    this.#crawl.record.put('handled', (into) => encodeHandled(into, handled))
  }

  #failed(page: number, why: string): void {
    const { pages, onEvent, given } = this.#crawl
    this.#counts.handlerFailures++
    const url = pages.url(page)
    onEvent?.({ kind: 'unhandled', url, why })
    given.onError?.({ url, error: 'handler', why })
  }

  async #handled(page: number, result: FetchResult): Promise<FetchResult> {
    const decision = await this.#handling.handle(this.#input(page, result))
    if (decision === 'aborted')
      return { ...result, ...noLinks, failure: 'aborted', status: 0, location: undefined }
    this.#decisions.set(result, this.#admitted(decision, page))
    return result
  }

  #input(page: number, result: FetchResult): HandlerInput {
    const { pages, scoreOf } = this.#crawl
    const { status, headers, contentType, body, source, links, anchors, title, noindex, startMs } = result
    const { url, depth, parent } = pages.found(page)
    const foundOn = parent === undefined ? undefined : pages.url(parent)
    return {
      result: { status, headers, contentType, body, source, links, anchors, title, noindex, startMs },
      context: { url, depth, score: scoreOf(page), foundOn },
    }
  }

  /** Keeps those of the added links that a link of the page could be: in scope, not too deep, not too long. */
  #admitted(decision: PageDecision, page: number): PageDecision {
    if (decision.added.length === 0) return decision
    const { pages, current } = this.#crawl
    const { seeds, scope, maxDepth = Infinity, ...patterns } = current()
    if (pages.depth(page) >= maxDepth) return { ...decision, added: [] }
    const url = pages.url(page)
    const limits = new Scope(seeds, scope, patterns)
    const added = decision.added
      .map(([target, weight]) => [withoutForeignUser(target, url), weight] as const)
      .filter(([target]) => target.length <= urlCharsMax && limits.includes(target))
    return { ...decision, added }
  }
}

async function openHandling(
  { settings, folder, given: { onPage }, keepsBodies }: OpenedCrawl,
  { module, code: name, seconds: secondsMax, threads }: HandlerSettings,
): Promise<PageHandling> {
  const rules = settings.canonicalRules
  if (module !== undefined) {
    const options = { threads, secondsMax, rules, movesBodies: !keepsBodies }
    return folder.file.shard === undefined
      ? HandlerThreads.open(module, options)
      : sharedThreads(module, options)
  }
  if (typeof onPage === 'function') return new InlineHandler(onPage, { secondsMax, rules })
  throw new RankwardError(
    'INLINE_CODE',
    `The crawl in ${folder.path} was started by a program that passed its page handler "${name}" as code, and the folder does not hold it. Pass it again as option onPage.`,
  )
}
