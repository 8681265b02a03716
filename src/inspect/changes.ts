/**
 * What is new, changed and gone in a crawl, in order: everything that a search index or a data set needs to stay
 * in step with a crawl. Read from the record, so a crawl that runs is not affected.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { RankwardError } from '../lib/errors.ts'
import { checkOptions, flag, type OptionChecks } from '../lib/option-checks.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlRecord, GroupResults } from '../record/crawl-record.ts'
import { isAbsent, type LookRecord } from '../record/look-record.ts'
import { isVersion, type OutcomeRecord } from '../record/outcome-record.ts'
import { isCompacted } from '../record/segment-files.ts'
import { warcName } from '../record/warc-name.ts'

/** While a crawl is followed, its record is read again at this interval. */
const followMs = 1000

export interface PageChange {
  /** `gone`: the server reports that the page does not exist (404, 410). A page that comes back is `new`. */
  readonly change: 'new' | 'changed' | 'gone'
  readonly url: string
  /** When the response was complete, in ISO format. */
  readonly at: string
  readonly status: number
  /** Target of a redirect. */
  readonly location?: string | undefined
  readonly title?: string | undefined
  readonly contentType?: string | undefined
  readonly bytes?: number | undefined
  /** Where this version is archived: a file in the crawl's folder `warc`. */
  readonly warc?: { readonly file: string; readonly offset: number; readonly length: number } | undefined
}

export interface ChangesOptions {
  /** Only changes recorded at this time or later: a date, or a text that `Date` reads. Default: all. */
  readonly since?: Date | string | undefined
  /** Wait for further changes until the iteration is stopped. */
  readonly follow?: boolean | undefined
}

const checks: OptionChecks<ChangesOptions> = { since: (value) => void timeOf(value), follow: flag }

/** The changes of the crawl in this folder, which may be running, in the order in which they were recorded. */
export async function* changes(path: string, options: ChangesOptions = {}): AsyncGenerator<PageChange> {
  checkOptions('changes', options, checks)
  const folder = CrawlFolder.open(path)
  const sinceMs = options.since === undefined ? 0 : timeOf(options.since)
  let last: number | undefined
  for (;;) {
    const record = await folder.readRecord()
    const reader = new ChangeReader(record, folder.file.options.warcLevel > 0)
    try {
      last ??= record.groupBefore(sinceMs)
      for (;;) {
        for await (const group of record.results(last)) {
          const changed = group.closedMs >= sinceMs ? reader.changesOf(group) : []
          last = group.number
          yield* changed
        }
        if (options.follow !== true) return
        await pause(followMs)
        await record.refresh()
      }
    } catch (error) {
      // A compaction moves the groups and keeps their numbers.
      if (!isCompacted(error)) throw error
    } finally {
      record.close()
    }
  }
}

/** Milliseconds of the epoch. */
function timeOf(since: unknown): number {
  const ms = since instanceof Date ? since.getTime() : typeof since === 'string' ? Date.parse(since) : NaN
  if (!Number.isNaN(ms)) return ms
  const shown = typeof since === 'string' ? `"${since}"` : String(since)
  throw new RankwardError(
    'USAGE',
    `since: ${shown} is not a time. Expected a date such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
  )
}

class ChangeReader {
  readonly #record: CrawlRecord
  readonly #isGzipped: boolean

  constructor(record: CrawlRecord, isGzipped: boolean) {
    this.#record = record
    this.#isGzipped = isGzipped
  }

  changesOf({ outcomes, looks }: GroupResults): PageChange[] {
    return [
      ...outcomes
        .filter(([, outcome]) => isVersion(outcome))
        .map(([page, outcome]) => this.#version(page, outcome)),
      ...looks
        .filter(([page, look]) => this.#isGone(page, look))
        .map(([page, look]) => this.#gone(page, look)),
    ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  }

  #version(page: number, outcome: OutcomeRecord): PageChange {
    const { status, location, title, contentType, bytes, warc } = outcome
    return {
      change: this.#wasHeld(page, outcome.startMs) ? 'changed' : 'new',
      url: this.#record.found(page).url,
      at: endOf(outcome),
      status,
      location,
      title,
      contentType,
      bytes,
      warc: warc && {
        file: warcName(warc, this.#isGzipped),
        offset: warc.offset,
        length: warc.length,
      },
    }
  }

  #gone(page: number, look: LookRecord): PageChange {
    return { change: 'gone', url: this.#record.found(page).url, at: endOf(look), status: look.status }
  }

  /** False for the second of two such looks in a row. */
  #isGone(page: number, look: LookRecord): boolean {
    return isAbsent(look) && this.#wasHeld(page, look.startMs)
  }

  /** True if the crawl held a version of the page at that time, and the page was not gone. */
  #wasHeld(page: number, ms: number): boolean {
    for (const look of this.#record.looks(page)) {
      if (look.startMs >= ms || look.verdict === 'failed' || look.verdict === 'forbidden') continue
      if (isAbsent(look)) return false
      break
    }
    for (const outcome of this.#record.versions(page))
      if (outcome.startMs < ms && isVersion(outcome)) return true
    return false
  }
}

function endOf({ startMs, durationMs }: Pick<OutcomeRecord, 'startMs' | 'durationMs'>): string {
  return new Date(startMs + durationMs).toISOString()
}
