/**
 * What happens in a changing web apart from fetches: pages that are known as soon as they exist, signals of sitemaps and
 * feeds, and the number of live pages, which may set the budget.
 */
import { noParent } from '../../engine/strategy.ts'
import type { WorldListener } from '../../engine/world.ts'
import { daySeconds } from './changing-pages.ts'
import type { VirtualPageTable } from './page-table.ts'

export interface WebEventsOptions {
  readonly table: VirtualPageTable
  /** Pages that become known on these days, ascending. */
  readonly listed: { readonly days: Float64Array; readonly nodes: Uint32Array }
  /** Signals, ascending by day; the node of a signal, or `noNode`. */
  readonly signals?: { readonly days: Float64Array; nodeOf(signal: number, day: number): number } | undefined
  /** The number of live pages from each of these days on. */
  readonly live?: { readonly days: Float64Array; readonly counts: Uint32Array } | undefined
  readonly onLive?: ((pages: number) => void) | undefined
}

export const noNode = 0xffff_ffff

export class WebEvents {
  readonly #options: WebEventsOptions
  #listed = 0
  #signals = 0
  #live = 0

  constructor(options: WebEventsOptions) {
    this.#options = options
  }

  /** The time of the next event in seconds, or Infinity. */
  next(): number {
    const { listed, signals, live } = this.#options
    const first = Math.min(
      dayAt(listed.days, this.#listed),
      signals === undefined ? Infinity : dayAt(signals.days, this.#signals),
      live === undefined ? Infinity : dayAt(live.days, this.#live),
    )
    return first * daySeconds
  }

  /** Reports all events up to this time. */
  tell(seconds: number, listener: WorldListener): void {
    const day = seconds / daySeconds
    this.#tellLive(day)
    this.#tellListed(day, listener)
    this.#tellSignals(day, listener)
  }

  #tellLive(day: number): void {
    const { live, onLive } = this.#options
    if (live === undefined || !(dayAt(live.days, this.#live) <= day)) return
    while (dayAt(live.days, this.#live) <= day) this.#live++
    onLive?.(live.counts[this.#live - 1])
  }

  #tellListed(day: number, listener: WorldListener): void {
    const { table, listed } = this.#options
    while (dayAt(listed.days, this.#listed) <= day) {
      const { known } = table
      const page = table.pageOf(listed.nodes[this.#listed++])
      if (page === known) listener.listed!(table.siteOf(page), noParent)
    }
  }

  #tellSignals(day: number, listener: WorldListener): void {
    const { table, signals } = this.#options
    if (signals === undefined) return
    while (dayAt(signals.days, this.#signals) <= day) {
      const signalDay = signals.days[this.#signals]
      const node = signals.nodeOf(this.#signals++, signalDay)
      if (node !== noNode && table.isKnown(node)) listener.signal!(table.pageOf(node), signalDay * daySeconds)
    }
  }
}

function dayAt(days: Float64Array, index: number): number {
  return index < days.length ? days[index] : Infinity
}
