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
    this.#tellLive(seconds)
    this.#tellListed(seconds, listener)
    this.#tellSignals(seconds, listener)
  }

  #tellLive(seconds: number): void {
    const { live, onLive } = this.#options
    if (live === undefined || !isDue(live.days, this.#live, seconds)) return
    while (isDue(live.days, this.#live, seconds)) this.#live++
    onLive?.(live.counts[this.#live - 1])
  }

  #tellListed(seconds: number, listener: WorldListener): void {
    const { table, listed } = this.#options
    while (isDue(listed.days, this.#listed, seconds)) {
      const { known } = table
      const page = table.pageOf(listed.nodes[this.#listed++])
      if (page === known) listener.listed!(table.siteOf(page), noParent)
    }
  }

  #tellSignals(seconds: number, listener: WorldListener): void {
    const { table, signals } = this.#options
    if (signals === undefined) return
    while (isDue(signals.days, this.#signals, seconds)) {
      const signalDay = signals.days[this.#signals]
      const node = signals.nodeOf(this.#signals++, signalDay)
      if (node !== noNode && table.isKnown(node)) listener.signal!(table.pageOf(node), signalDay * daySeconds)
    }
  }
}

function dayAt(days: Float64Array, index: number): number {
  return index < days.length ? days[index] : Infinity
}

/** Compared in seconds, as `next` returns them: a quotient could round to an earlier day, and the event would never happen. */
function isDue(days: Float64Array, index: number, seconds: number): boolean {
  return dayAt(days, index) * daySeconds <= seconds
}
