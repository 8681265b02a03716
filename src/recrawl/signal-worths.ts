/** The reliability of each site's signals. Only sites that sent signals have an entry. */
import { transferList } from '../lib/state-collections.ts'
import type { StateCodec } from '../lib/state.ts'
import { SignalWorth } from './signals.ts'

export class SignalWorths {
  readonly #worths = new Map<number, SignalWorth>()

  kept(site: number, signals: number): number {
    return signals === 0 ? 1 : this.#of(site).kept(signals)
  }

  looked(site: number, signals: number, changed: boolean, survival: number): void {
    if (signals > 0) this.#of(site).looked(signals, changed, survival)
  }

  #of(site: number): SignalWorth {
    let worth = this.#worths.get(site)
    if (worth === undefined) this.#worths.set(site, (worth = new SignalWorth()))
    return worth
  }

  transfer(state: StateCodec): void {
    const sites = [...this.#worths.keys()]
    const numbers = [...this.#worths.values()].flatMap(({ c, d }) => [c, d])
    transferList(state, sites)
    transferList(state, numbers)
    if (!state.isReading) return
    this.#worths.clear()
    sites.forEach((site, i) => {
      const worth = new SignalWorth()
      worth.c = numbers[2 * i]
      worth.d = numbers[2 * i + 1]
      this.#worths.set(site, worth)
    })
  }
}
