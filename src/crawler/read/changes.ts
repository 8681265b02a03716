/**
 * What is new, changed and gone in a crawl, in order: everything that a search index or a data set needs to stay
 * in step with a crawl. Read from the record, so a crawl that runs is not affected.
 */
import type { WarcNaming } from '../record/warc-name.ts'
import { checkOptions } from '../../lib/option-checks.ts'
import type { CrawlRecord, GroupResults } from '../record/crawl-record.ts'
import { isAbsent, type LookRecord } from '../record/look-record.ts'
import { isVersion, type OutcomeRecord } from '../record/outcome-record.ts'
import type { ArchivePlace } from '../options/recorded-page.ts'
import { archivePlace, endOf } from '../record/recorded-page.ts'
import { followChecks, followed, type FollowOptions } from './followed-record.ts'

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
  readonly warc?: ArchivePlace | undefined
}

export type ChangesOptions = FollowOptions

/** The changes of the crawl in this folder, which may be running, in the order in which they were recorded. */
export async function* changes(path: string, options: ChangesOptions = {}): AsyncGenerator<PageChange> {
  checkOptions('changes', options, followChecks)
  yield* followed(path, options, (record, naming) => {
    const reader = new ChangeReader(record, naming)
    return (group) => reader.changesOf(group)
  })
}

class ChangeReader {
  readonly #record: CrawlRecord
  readonly #naming: WarcNaming

  constructor(record: CrawlRecord, naming: WarcNaming) {
    this.#record = record
    this.#naming = naming
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
      warc: archivePlace(warc, this.#naming),
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
