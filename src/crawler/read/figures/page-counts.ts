/** Totals over the records of a crawl's pages, each read once: statuses, types, sizes, durations, depths. */
import { wasRequested, type PageState } from '../../../engine/page-totals.ts'
import type { FoundRecord } from '../../record/found-record.ts'
import { grouped } from '../../../lib/amounts.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { outsideUrl } from '../../world/page-table.ts'
import type { ReportedAnswer, ReportedCrawl } from './reported-crawl.ts'
import { LogHistogram } from './log-histogram.ts'

/** Content types are arbitrary strings: only this many are counted separately. */
const typesMax = 500
const typesShown = 12
/** Addresses that are kept of the pages with an error. */
const examplesMax = 3

type TypeCount = ReportedCrawl['types'][number]

export type PageCounts = Pick<
  ReportedCrawl,
  'answers' | 'types' | 'depths' | 'sizes' | 'durations' | 'particulars'
>

export class PageCounter {
  readonly #answers = new Map<
    string,
    Omit<ReportedAnswer, 'pages' | 'examples'> & { pages: number; examples: string[] }
  >()
  readonly #types = new Map<string, { type: string; pages: number; bytes: number }>()
  readonly #depths: { found: number; fetched: number }[] = []
  readonly #sizes = new LogHistogram()
  readonly #durations = new LogHistogram()
  readonly #particulars = {
    duplicateBodies: 0,
    duplicateTexts: 0,
    duplicateBytes: 0,
    redirects: 0,
    empty: 0,
    truncated: 0,
    noindex: 0,
    retried: 0,
  }

  /** Adds a known page with its state and, if any, its outcome. */
  add({ url, depth }: FoundRecord, state: PageState, outcome: OutcomeRecord | undefined): void {
    if (url === outsideUrl) return
    while (this.#depths.length <= depth) this.#depths.push({ found: 0, fetched: 0 })
    this.#depths[depth].found++
    if (outcome === undefined) return
    this.#countAnswer(url, outcome, state)
    if (!wasRequested(state)) return
    this.#durations.add(outcome.durationMs)
    if (state === 'redirect') this.#particulars.redirects++
    if (state !== 'fetched') return
    this.#depths[depth].fetched++
    if (outcome.bytes > 0) this.#sizes.add(outcome.bytes)
    this.#countType(outcome)
    this.#countParticulars(outcome)
  }

  #countAnswer(url: string, { status, error }: OutcomeRecord, state: PageState): void {
    const answer = error ?? String(status)
    const isError = error !== undefined
    let count = this.#answers.get(answer)
    if (count === undefined) {
      count = { answer, isError, wasAsked: wasRequested(state), pages: 0, examples: [] }
      this.#answers.set(answer, count)
    }
    count.pages++
    if (isError && count.examples.length < examplesMax) count.examples.push(url)
  }

  #countType({ contentType = '', bytes }: OutcomeRecord): void {
    const name = contentType.split(';')[0].trim().toLowerCase().slice(0, 80)
    const isKnown = this.#types.has(name) || this.#types.size < typesMax
    const key = isKnown ? name : 'other'
    const count = this.#types.get(key)
    if (count === undefined) this.#types.set(key, { type: key, pages: 1, bytes })
    else {
      count.pages++
      count.bytes += bytes
    }
  }

  #countParticulars(outcome: OutcomeRecord): void {
    const counts = this.#particulars
    if (outcome.duplicateOf !== undefined) {
      if (outcome.sameText === true) counts.duplicateTexts++
      else counts.duplicateBodies++
      counts.duplicateBytes += outcome.bytes
    }
    if (outcome.attempts !== undefined) counts.retried++
    if (outcome.bytes === 0) counts.empty++
    if (outcome.truncated !== undefined) counts.truncated++
    if (outcome.noindex === true) counts.noindex++
  }

  result(): PageCounts {
    return {
      answers: [...this.#answers.values()].toSorted((a, b) => b.pages - a.pages),
      types: this.#shownTypes(),
      depths: this.#depths,
      sizes: this.#sizes.result(),
      durations: this.#durations.result(),
      particulars: this.#particulars,
    }
  }

  /** The most frequent ones, and the sum of the others. */
  #shownTypes(): TypeCount[] {
    const all = [...this.#types.values()].toSorted((a, b) => b.pages - a.pages)
    const rest = all.slice(typesShown)
    const sum = (of: (count: TypeCount) => number): number =>
      rest.reduce((total, each) => total + of(each), 0)
    const shown: TypeCount[] = all.slice(0, typesShown)
    if (rest.length > 0) {
      shown.push({
        type: `${grouped(rest.length)} others`,
        pages: sum(({ pages }) => pages),
        bytes: sum(({ bytes }) => bytes),
      })
    }
    return shown
  }
}
