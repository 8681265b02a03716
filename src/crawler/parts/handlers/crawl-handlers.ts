/** The page handler of a running crawl: its threads, its decisions on their way to the engine, and its items. */
import { join } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import type { HandlerSettings } from './options.ts'
import type { HandledRecord } from '../../record/handled-record.ts'
import type { Counts } from '../../record/tally.ts'
import type { PageHandler } from '../../../engine/user-code/page-handler.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import { urlCharsMax } from '../../fetch/link-collector.ts'
import { HandlerDesk, type PageDecision } from './handler-desk.ts'
import { Scope } from '../../../web/url/scope.ts'
import { withoutForeignUser } from '../../../web/url/url-user.ts'
import type { CrawlState } from '../../session/crawl-state.ts'
import type { TakenPages } from '../../session/taken-pages.ts'
import type { HandlerInput } from './handled-page.ts'
import { HandlerThreads } from './handler-threads.ts'
import { InlineHandler } from './inline-handler.ts'
import { ItemFile } from './item-file.ts'
import type { PageHandling } from './page-handling.ts'

export interface CrawlHandlersOptions {
  /** The path of the crawl's folder. */
  readonly folder: string
  readonly settings: CrawlSettings
  /** The current settings: the scope may change while the crawl runs. */
  readonly current: () => CrawlSettings
  /** The handler, if a program passed it as code. */
  readonly code: PageHandler | undefined
  readonly state: CrawlState
  readonly taken: TakenPages
  readonly counts: Counts
  /** Whether the program iterates over pages, so that their bodies are needed after the handler. */
  readonly keepsBodies: boolean
}

export interface CrawlHandlers {
  readonly desk: HandlerDesk
  /** Writes items that are durable. */
  append(handled: readonly HandledRecord[]): Promise<void>
  /** Resolves when pages no longer wait for the handler; undefined if they do not now. */
  full(): Promise<void> | undefined
  /** Pages that are not handled yet are fetched again by a resume. */
  abort(): void
  close(): Promise<void>
}

export async function openHandlers(
  handler: HandlerSettings,
  options: CrawlHandlersOptions,
): Promise<CrawlHandlers> {
  const { state, counts, folder } = options
  const handling = await openHandling(options, handler)
  const items = await ItemFile.open(handler.items ?? join(folder, 'items.jsonl'), {
    end: counts.itemBytes,
    last: state.log.last,
    groups: (after) => state.log.read(after),
  }).catch(async (error: unknown) => {
    await handling.close()
    throw error
  })
  const desk = new HandlerDesk({
    handle: async (page, result) =>
      admitted(await handling.handle(inputOf(page, result, options)), page, options),
  })
  return {
    desk,
    append: (handled) => items.append(handled),
    full: () => handling.full(),
    abort: () => handling.abort(),
    async close() {
      await handling.close()
      await items.close()
    },
  }
}

async function openHandling(
  { settings, folder, code, keepsBodies }: CrawlHandlersOptions,
  { module, code: name, seconds: secondsMax, threads }: HandlerSettings,
): Promise<PageHandling> {
  const rules = settings.canonicalRules
  if (module !== undefined)
    return HandlerThreads.open(module, { threads, secondsMax, rules, movesBodies: !keepsBodies })
  if (code !== undefined) return new InlineHandler(code, { secondsMax, rules })
  throw new RankwardError(
    'INLINE_CODE',
    `The crawl in ${folder} was started by a program that passed its page handler "${name}" as code, and the folder does not hold it. Pass it again as option onPage.`,
  )
}

function inputOf(page: number, result: FetchResult, { state, taken }: CrawlHandlersOptions): HandlerInput {
  const { pages, record } = state
  const { status, headers, contentType, body, links, anchors, title, noindex, startMs } = result
  const { url, depth, parent } = pages.found(page)
  return {
    result: { status, headers, contentType, body, links, anchors, title, noindex, startMs },
    context: {
      url,
      depth,
      score: taken.scoreOf(page) ?? record.outcome(page)?.score ?? 0,
      foundOn: parent === undefined ? undefined : pages.url(parent),
    },
  }
}

/** Keeps those of the added links that a link of the page could be: in scope, not too deep, not too long. */
function admitted(
  decision: PageDecision | 'aborted',
  page: number,
  { state: { pages }, current }: CrawlHandlersOptions,
): PageDecision | 'aborted' {
  if (decision === 'aborted' || decision.added.length === 0) return decision
  const { seeds, scope, maxDepth = Infinity, ...patterns } = current()
  if (pages.depth(page) >= maxDepth) return { ...decision, added: [] }
  const url = pages.url(page)
  const limits = new Scope(seeds, scope, patterns)
  const added = decision.added
    .map(([target, weight]) => [withoutForeignUser(target, url), weight] as const)
    .filter(([target]) => target.length <= urlCharsMax && limits.includes(target))
  return { ...decision, added }
}
