/** Held pages at the start of a session: those of a crawl that fetched every page once so far, and those that robots.txt disallowed. */
import type { Engine } from '../../engine/engine.ts'
import { forbidden, inFlight } from '../../engine/held-pages.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { RecordWriter } from '../record/record-writer.ts'

/**
 * Reports the pages that the crawl holds to an engine that begins to fetch pages again, in the order in which they were fetched. Their time
 * stamps are those of the system clock, which may have been ahead: none counts as later than now.
 */
export function holdFetched(engine: Engine, record: RecordWriter, now: number): void {
  if (engine.recrawl === undefined || engine.recrawl.held.end > 0) return
  const fetched: [page: number, outcome: OutcomeRecord][] = []
  for (let page = 0; page < engine.known; page++) {
    const outcome = engine.pages.isCrawled(page) ? record.outcome(page) : undefined
    if (outcome !== undefined) fetched.push([page, outcome])
  }
  fetched.sort(([, one], [, other]) => one.startMs - other.startMs)
  for (const [page, { startMs, durationMs, status, bytes, order, warc }] of fetched) {
    const seconds = Math.min((startMs + durationMs) / 1000, now)
    engine.looked(page, seconds, 'first', undefined, 0, undefined, undefined, bytes)
    record.putLook(page, { verdict: 'first', startMs, durationMs, status, bytes, order, warc })
  }
}

/** Pages that were in flight when the crawl was killed wait again. */
export function postponeHeld(engine: Engine): void {
  const held = engine.recrawl?.held
  for (let page = 0; page < (held?.end ?? 0); page++) {
    if (held?.of(page) === inFlight) engine.postponed(page)
  }
}

/** Robots.txt files are valid for a day. */
const tryAgainSeconds = 86_400
const checkSeconds = 600

/** Pages that robots.txt disallows are tried again after a day, when robots.txt is fetched again. */
export class ForbiddenPages {
  readonly #engine: Engine
  readonly #lastLookOf: (page: number) => number
  #nextCheck = 0

  constructor(engine: Engine, lastLookOf: (page: number) => number) {
    this.#engine = engine
    this.#lastLookOf = lastLookOf
  }

  /** Called at every turn. */
  check(now: number): void {
    const held = this.#engine.recrawl?.held
    if (held === undefined || now < this.#nextCheck) return
    this.#nextCheck = now + checkSeconds
    for (let page = 0; page < held.end; page++) {
      if (held.of(page) === forbidden && this.#lastLookOf(page) + tryAgainSeconds <= now) {
        this.#engine.retry(page)
      }
    }
  }
}
