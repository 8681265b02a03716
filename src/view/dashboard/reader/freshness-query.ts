/** Looks and changes of a crawl that fetches pages again. */
import { FreshnessFigures } from '../../../crawler/read/figures/freshness-figures.ts'
import type { ReportedFreshness } from '../../../crawler/read/figures/reported-crawl.ts'
import type { Freshness } from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { CrawlTables } from './crawl-tables.ts'

const nothingYet: ReportedFreshness = {
  looks: 0,
  changes: 0,
  gone: 0,
  failed: 0,
  course: { binSeconds: 1, looks: [], changes: [], discoveries: [], fresh: [] },
  sites: [],
  kinds: [],
  pages: [],
  waits: undefined,
}

export class FreshnessQuery {
  readonly #tables: CrawlTables
  /** The record is read for it with the first request, then followed. */
  #figures: Promise<FreshnessFigures> | undefined

  constructor(tables: CrawlTables) {
    this.#tables = tables
  }

  async current(): Promise<Freshness> {
    const { folder, record, asOfMs, changes: newest, model } = this.#tables
    const { recrawl } = folder.file.options
    if (recrawl === undefined) throw new ApiFailure('not-found', 'This crawl fetches every page once.')
    const startMs = Date.parse(folder.file.startedAt)
    const figures = await (this.#figures ??= this.#counted(startMs))
    const { looks, changes, gone, failed, course, sites, pages } = figures.result() ?? nothingYet
    return {
      asOfMs,
      policy: recrawl.policy,
      perDay: recrawl.rate,
      now: model.progress?.freshness,
      looks,
      changes,
      gone,
      failed,
      course: { ...course, startMs },
      intervals: model.progress?.freshness?.intervals ?? [],
      newest: newest.map((change) => ({ ...change, url: record.found(change.page).url })),
      sites: sites.map(finite),
      pages: pages.map(finite),
    }
  }

  async #counted(startMs: number): Promise<FreshnessFigures> {
    const { record, model, asOfMs } = this.#tables
    const figures = new FreshnessFigures(record, startMs, asOfMs)
    await model.attach(figures)
    return figures
  }
}

/** JSON has no Infinity. */
function finite<Count extends { readonly perDay: number }>(
  count: Count,
): Omit<Count, 'perDay'> & { perDay?: number } {
  const { perDay, ...rest } = count
  return Number.isFinite(perDay) ? { ...rest, perDay } : rest
}
