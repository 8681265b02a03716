/** Looks and changes of a crawl that fetches pages again. */
import { freshnessFigures } from '../../../crawler/read/figures/freshness-figures.ts'
import type { Freshness } from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { CrawlTables } from './crawl-tables.ts'

export async function freshness(tables: CrawlTables): Promise<Freshness> {
  const { folder, record, asOfMs } = tables
  const { recrawl } = folder.file.options
  const startMs = Date.parse(folder.file.startedAt)
  const figures = recrawl === undefined ? undefined : await freshnessFigures(record, startMs)
  if (recrawl === undefined) throw new ApiFailure('not-found', 'This crawl fetches every page once.')
  const { binSeconds = 1, looks = [], changes = [], discoveries = [], fresh = [] } = figures?.course ?? {}
  return {
    asOfMs,
    policy: recrawl.policy,
    perDay: recrawl.rate,
    now: tables.progress?.freshness,
    looks: figures?.looks ?? 0,
    changes: figures?.changes ?? 0,
    gone: figures?.gone ?? 0,
    failed: figures?.failed ?? 0,
    course: { binSeconds, startMs, looks, changes, discoveries, fresh },
    intervals: tables.progress?.freshness?.intervals ?? [],
    newest: tables.changes.map((change) => ({ ...change, url: record.found(change.page).url })),
    sites: (figures?.sites ?? []).map(finite),
    pages: (figures?.pages ?? []).map(finite),
  }
}

/** JSON has no Infinity. */
function finite<Count extends { readonly perDay: number }>(
  count: Count,
): Omit<Count, 'perDay'> & { perDay?: number } {
  const { perDay, ...rest } = count
  return Number.isFinite(perDay) ? { ...rest, perDay } : rest
}
