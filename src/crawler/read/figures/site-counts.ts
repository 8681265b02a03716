/** Outcome counts per site. Seven numbers per site. */
import type { PageStates } from '../../../engine/page-states.ts'
import { noSite } from '../../../engine/world.ts'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import { stateOf, wasRequested } from '../../../engine/page-totals.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import type { ReportedSite } from './reported-crawl.ts'
import { TopList } from './top-list.ts'

export class SiteCounter {
  readonly #pages: PageStates
  readonly #fetched = new GrowingUint32(64)
  readonly #requested = new GrowingUint32(64)
  readonly #waiting = new GrowingUint32(64)
  readonly #failed = new GrowingUint32(64)
  readonly #refused = new GrowingUint32(64)
  readonly #bytes = new GrowingFloat64(64)
  readonly #ms = new GrowingFloat64(64)
  #count = 0

  readonly #firstOfName: Uint32Array

  /** `firstOfName`: by site, the first one with its name (`first-sites.ts`). */
  constructor(pages: PageStates, firstOfName: Uint32Array) {
    this.#pages = pages
    this.#firstOfName = firstOfName
  }

  add(page: number, outcome: OutcomeRecord | undefined): void {
    const ownSite = this.#pages.siteOf(page)
    if (ownSite === noSite) return
    const site = this.#firstOfName[ownSite]
    this.#makeRoom(site)
    const state = stateOf(this.#pages, page)
    if (outcome !== undefined && wasRequested(state)) {
      this.#requested.array[site]++
      this.#bytes.array[site] += outcome.bytes
      this.#ms.array[site] += outcome.durationMs
    }
    if (state === 'fetched') this.#fetched.array[site]++
    else if (state === 'waiting') this.#waiting.array[site]++
    else if (state === 'failed' || state === 'temporary' || state === 'unreachable')
      this.#failed.array[site]++
    else if (state !== 'redirect') this.#refused.array[site]++
  }

  #makeRoom(site: number): void {
    if (site < this.#count) return
    this.#count = site + 1
    for (const array of [this.#fetched, this.#requested, this.#waiting, this.#failed, this.#refused])
      array.ensure(site)
    this.#bytes.ensure(site)
    this.#ms.ensure(site)
  }

  /** Number of sites with at least one requested page. */
  get visited(): number {
    let visited = 0
    for (let site = 0; site < this.#count; site++) if (this.#requested.array[site] > 0) visited++
    return visited
  }

  /** The sites with the most fetched pages. `names`: names of all sites, in order. */
  top(size: number, names: readonly string[]): ReportedSite[] {
    const top = new TopList<number>(size, (site) => this.#fetched.array[site])
    for (let site = 0; site < this.#count; site++) if (this.#firstOfName[site] === site) top.add(site)
    return top.items.map((site) => this.#countOf(site, names[site] ?? ''))
  }

  #countOf(site: number, name: string): ReportedSite {
    const requested = this.#requested.array[site]
    return {
      site: name,
      fetched: this.#fetched.array[site],
      waiting: this.#waiting.array[site],
      failed: this.#failed.array[site],
      refused: this.#refused.array[site],
      bytes: this.#bytes.array[site],
      meanMs: requested === 0 ? 0 : this.#ms.array[site] / requested,
    }
  }
}
