/**
 * The worth of each site's signals. Only sites that sent signals have an entry. Looks change what is learnt at once; keys go
 * by what was learnt when it last moved noticeably, since all pages of the site with signals then get new keys.
 */
import { transferList } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { SignalWorth, type SignalledPage } from './signal-worth.ts'

/** Keys are renewed when so much of the weight has moved. */
const movedBy = 1 / 32
/** Of a site without a look at a page with signals. */
const unknown = new SignalWorth()

export class SignalWorths {
  readonly #learnt = new Map<number, SignalWorth>()
  readonly #used = new Map<number, SignalWorth>()

  /** The probability that its signals leave a page unchanged, as keys count it. */
  kept(site: number, page: SignalledPage): number {
    return (this.#used.get(site) ?? unknown).kept(page)
  }

  /** By what is learnt so far, for the estimate of the page's own rate. */
  ownKept(site: number, signals: number): number {
    return (this.#learnt.get(site) ?? unknown).ownKept(signals)
  }

  /** A look at a page with signals. Returns true if the keys of the site's pages with signals have changed. */
  looked(site: number, page: SignalledPage, changed: boolean, survival: number): boolean {
    if (page.signals === 0 && !this.#learnt.has(site)) return false
    const learnt = worthOf(this.#learnt, site)
    learnt.looked(page, changed, survival)
    const used = worthOf(this.#used, site)
    if (learnt.distance(used) < movedBy) return false
    used.weights.set(learnt.weights)
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
  transferList(state, sites)
  if (state.isReading) worths.clear()
  for (const site of sites) worthOf(worths, site).transfer(state)
}
