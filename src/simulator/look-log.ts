/** What a crawl of a web that changes has fetched, and how fresh its copies are. */
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import { FreshnessMeter, type FreshnessMeasures } from '../webgraph/measures/freshness.ts'
import type { Calibration } from './calibration.ts'
import type { FreshnessResult } from './judgement.ts'
import type { RecrawlRunOptions } from './options/recrawl-options.ts'
import type { RunRecord } from './run.ts'
import type { SimulatedWeb } from './simulated-web.ts'
import type { LookWatch, PageChanges } from './worlds/changing-pages.ts'

/** All fetches in order. */
export interface Looks {
  readonly days: Float64Array
  /** Ids of the stored web; of a recorded site, those of its files. */
  readonly ids: Uint32Array
  /** Indices of `lookVerdicts`. */
  readonly verdicts: Uint8Array
}

export const lookVerdicts = ['first', 'changed', 'same', 'gone'] as const

export interface RecrawlRecord extends RunRecord {
  readonly freshness: FreshnessMeasures &
    Pick<FreshnessResult, 'coverage'> & { readonly calibration?: Calibration }
  readonly looks: Looks | undefined
}

/** Records first fetches, freshness and, if needed, all fetches. */
export class LookLog {
  readonly #web: SimulatedWeb
  readonly #meter: FreshnessMeter
  readonly #keeps: boolean
  readonly #days = new GrowingFloat64(0)
  readonly #ids = new GrowingUint32(0)
  readonly #verdicts = new GrowingUint8(0)
  readonly order: Uint32Array
  fetched = 0
  count = 0

  constructor(web: SimulatedWeb, changes: PageChanges, { days = 0, from, looks }: RecrawlRunOptions) {
    this.#web = web
    this.#keeps = looks === true
    this.order = new Uint32Array(web.pages)
    this.#meter = new FreshnessMeter({
      pages: web.pages,
      bornAt: (node) => changes.bornAt(node),
      goneAt: (node) => changes.goneAt(node),
      importance: web.pageRank,
      from: from ?? days * 0.9,
      end: days,
    })
  }

  readonly look: LookWatch = (node, day, verdict, stale) => {
    if (verdict === 'gone') this.#meter.gone(node, day)
    else this.#meter.fetched(node, day, stale)
    if (verdict === 'first') this.order[this.fetched++] = node
    const look = this.count++
    if (!this.#keeps) return
    for (const array of [this.#days, this.#ids, this.#verdicts]) array.ensure(look)
    const { recorded, ids } = this.#web
    this.#days.array[look] = day
    this.#ids.array[look] = recorded === undefined ? ids[node] : recorded.pathOf[node]
    this.#verdicts.array[look] = lookVerdicts.indexOf(verdict)
  }

  isFresh(node: number, day: number): boolean {
    return this.#meter.isHeld(node) && !this.#meter.isStale(node, day)
  }

  end(): Pick<RecrawlRecord, 'freshness' | 'looks' | 'order' | 'scores'> {
    const { count } = this
    const order = this.order.subarray(0, this.fetched)
    return {
      order,
      scores: Float64Array.from(order, (node) => this.#web.pageRank[node]),
      freshness: this.#meter.end(),
      looks: this.#keeps
        ? {
            days: this.#days.array.slice(0, count),
            ids: this.#ids.array.slice(0, count),
            verdicts: this.#verdicts.array.slice(0, count),
          }
        : undefined,
    }
  }
}
