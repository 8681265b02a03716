/**
 * The reliability of each site's signals. Only sites that sent signals have an entry. Looks change what is learnt at once; keys go
 * by what was learnt when it last moved noticeably, since all pages of the site with signals then get new keys.
 */
import { transferList } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { SignalWorth } from './signals.ts'

/** Keys are renewed when the weight of a signal, a logarithm, has moved by this factor. */
const movedBy = 1.25
/** Of a site without a look at a page with signals. */
const unknown = new SignalWorth()

export class SignalWorths {
  readonly #learnt = new Map<number, SignalWorth>()
  readonly #used = new Map<number, SignalWorth>()

  /** The probability that so many signals leave a page unchanged, as keys count it. */
  kept(site: number, signals: number): number {
    return signals === 0 ? 1 : (this.#used.get(site) ?? unknown).kept(signals)
  }

  /** The same by what is learnt so far. */
  learntKept(site: number, signals: number): number {
    return signals === 0 ? 1 : (this.#learnt.get(site) ?? unknown).kept(signals)
  }

  /** A look at a page with signals. Returns true if the keys of the site's pages with signals have changed. */
  looked(site: number, signals: number, changed: boolean, survival: number): boolean {
    if (signals === 0) return false
    const learnt = worthOf(this.#learnt, site)
    learnt.looked(signals, changed, survival)
    const used = worthOf(this.#used, site)
    const ratio = Math.log(learnt.kept(1)) / Math.log(used.kept(1))
    if (ratio < movedBy && ratio > 1 / movedBy) return false
    used.c = learnt.c
    used.d = learnt.d
    return true
  }

  transfer(state: StateCodec): void {
    transferWorths(state, this.#learnt)
    transferWorths(state, this.#used)
  }
}

function worthOf(worths: Map<number, SignalWorth>, site: number): SignalWorth {
  let worth = worths.get(site)
  if (worth === undefined) worths.set(site, (worth = new SignalWorth()))
  return worth
}

function transferWorths(state: StateCodec, worths: Map<number, SignalWorth>): void {
  const sites = [...worths.keys()]
  const numbers = sites.flatMap((site) => [worths.get(site)!.c, worths.get(site)!.d])
  transferList(state, sites)
  transferList(state, numbers)
  if (!state.isReading) return
  worths.clear()
  sites.forEach((site, i) => {
    const worth = worthOf(worths, site)
    worth.c = numbers[2 * i]
    worth.d = numbers[2 * i + 1]
  })
}
