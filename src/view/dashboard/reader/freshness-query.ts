/** Looks and changes of a crawl that fetches pages again. */
import { freshnessFigures } from '../../../crawler/read/figures/freshness-figures.ts'
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

export async function freshness(tables: CrawlTables): Promise<Freshness> {
  const { folder, record, asOfMs } = tables
  const { recrawl } = folder.file.options
  const startMs = Date.parse(folder.file.startedAt)
  if (recrawl === undefined) throw new ApiFailure('not-found', 'This crawl fetches every page once.')
  const { looks, changes, gone, failed, course, sites, pages } =
    (await freshnessFigures(record, startMs)) ?? nothingYet
  return {
    asOfMs,
    policy: recrawl.policy,
    perDay: recrawl.rate,
    now: tables.progress?.freshness,
    looks,
    changes,
    gone,
    failed,
    course: { ...course, startMs },
    intervals: tables.progress?.freshness?.intervals ?? [],
    newest: tables.changes.map((change) => ({ ...change, url: record.found(change.page).url })),
    sites: sites.map(finite),
    pages: pages.map(finite),
  }
}

/** JSON has no Infinity. */
function finite<Count extends { readonly perDay: number }>(
  count: Count,
): Omit<Count, 'perDay'> & { perDay?: number } {
  const { perDay, ...rest } = count
  return Number.isFinite(perDay) ? { ...rest, perDay } : rest
}
