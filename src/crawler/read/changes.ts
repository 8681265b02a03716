/**
 * What is new, changed and gone in a crawl, in order: everything that a search index or a data set needs to stay
 * in step with a crawl. Read from the record, so a crawl that runs is not affected.
 */
import type { WarcNaming } from '../record/warc-name.ts'
import { GrowingUint8 } from '../../lib/growing-array.ts'
import { checkOptions } from '../../lib/option-checks.ts'
import type { CrawlRecord, GroupResults } from '../record/crawl-record.ts'
import { isAbsent, isAnswer, type LookRecord } from '../record/look-record.ts'
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
  yield* followed(path, options, (record, naming, isWhole) => {
    const reader = new ChangeReader(record, naming, isWhole)
    return (group) => reader.changesOf(group)
  })
}

/** What the crawl had of a page before the next group. */
const unread = 0
const held = 1
/** A version, but the server reported since that the page does not exist. */
const lost = 2
const neverHeld = 3

/**
 * Reads groups in order and remembers for each page whether the crawl holds it. The history of a page is read at most once, when it is
 * met first, so the work is linear in the number of looks.
 */
class ChangeReader {
  readonly #record: CrawlRecord
  readonly #naming: WarcNaming
  readonly #isWhole: boolean
  /** By page. */
  readonly #states = new GrowingUint8()

  /** `isWhole`: the groups are read from the first one on, so pages that were not met have no history. */
  constructor(record: CrawlRecord, naming: WarcNaming, isWhole: boolean) {
    this.#record = record
    this.#naming = naming
    this.#isWhole = isWhole
  }

  changesOf({ outcomes, looks }: GroupResults): PageChange[] {
    // In order of time, since a page may have several of both. A version comes before the look that found it.
    return [...outcomes, ...looks]
      .toSorted(([, a], [, b]) => a.startMs - b.startMs)
      .flatMap(([page, each]) => ('verdict' in each ? this.#look(page, each) : this.#outcome(page, each)))
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  }

  #outcome(page: number, outcome: OutcomeRecord): PageChange[] {
    if (!isVersion(outcome)) return []
    const change = this.#stateBefore(page, outcome.startMs) === held ? 'changed' : 'new'
    this.#states.array[page] = held
    const { status, location, title, contentType, bytes, warc } = outcome
    const { url } = this.#record.found(page)
    const at = endOf(outcome)
    const place = archivePlace(warc, this.#naming)
    return [{ change, url, at, status, location, title, contentType, bytes, warc: place }]
  }

  #look(page: number, look: LookRecord): PageChange[] {
    const { startMs, status } = look
    if (!isAnswer(look)) return []
    const before = this.#stateBefore(page, startMs)
    if (before === neverHeld) return []
    this.#states.array[page] = isAbsent(look) ? lost : held
    if (!isAbsent(look) || before === lost) return []
    return [{ change: 'gone', url: this.#record.found(page).url, at: endOf(look), status }]
  }

  #stateBefore(page: number, ms: number): number {
    this.#states.ensure(page)
    if (this.#states.array[page] === unread)
      this.#states.array[page] = this.#isWhole ? neverHeld : this.#recordedBefore(page, ms)
    return this.#states.array[page]
  }

  /** The state of a page at that time, from its history. */
  #recordedBefore(page: number, ms: number): number {
    for (const look of this.#record.looks(page)) {
      if (look.startMs >= ms || !isAnswer(look)) continue
      if (isAbsent(look)) return lost
      break
    }
    for (const outcome of this.#record.versions(page))
      if (outcome.startMs < ms && isVersion(outcome)) return held
    return neverHeld
  }
}
