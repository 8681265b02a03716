/**
 * Greedy: the highest value of a fetch first, for new pages and refreshes alike. The change rate of a page is a Gamma
 * distribution, two numbers per page; the value is the expectation over it, in the time of the site's clock.
 * `change-signals` also uses reports from sitemaps, feeds and pings.
 *
 * A new page is worth m·G₀(H), the expected fresh time of its first fetch within the horizon H. All new pages have this
 * factor in common, so their order is that of the strategy.
 */
import type { PolicyView, RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64, GrowingUint16, GrowingUint8 } from '../../../lib/growing-array.ts'
import { roundScore } from '../../../lib/score-rounding.ts'
import type { StateCodec } from '../../../lib/state.ts'
import { afterDatedChange, afterLook } from '../bayes.ts'
import { alwaysChanged, FastPages, someUnchanged, unseen } from '../fast-pages.ts'
import { HeldMasses } from '../held-masses.ts'
import { type PageWorth, LevelledKeys, nextRise } from '../levelled-keys.ts'
import { MassPrior } from '../mass-prior.ts'
import type { SignalledPage } from '../signal-worth.ts'
import { effectiveTime } from '../signals.ts'
import { SignalWorths } from '../signal-worths.ts'
import { SitePriors } from '../site-priors.ts'
import { SiteClocks } from '../site-clocks.ts'
import { fadingValue, gammaFreshTime, gammaSurvival, horizonsIn } from '../value.ts'
import type { RecrawlSetting } from './setting.ts'

class Greedy implements RecrawlPolicy, PageWorth {
  readonly name: string
  readonly #setting: RecrawlSetting
  readonly #a = new GrowingFloat64()
  readonly #b = new GrowingFloat64()
  readonly #lastLook = new GrowingFloat64()
  readonly #masses = new HeldMasses()
  /** Since the last look; without signals it stays empty. */
  readonly #signals = new GrowingUint16(0)
  readonly #worths: SignalWorths | undefined
  #clocks: SiteClocks | undefined
  readonly #sitePriors: SitePriors | undefined
  readonly #massPrior: MassPrior | undefined
  /** What looks at a page have found since it was fetched (fast-pages.ts). */
  readonly #seen = new GrowingUint8(0)
  readonly #fastPages = new FastPages()
  #keys: LevelledKeys | undefined
  #services: RecrawlServices | undefined

  constructor(setting: RecrawlSetting, usesSignals: boolean) {
    this.name = usesSignals ? 'change-signals' : 'greedy'
    this.#setting = setting
    this.#worths = usesSignals ? new SignalWorths() : undefined
    this.#sitePriors = setting.sitePrior === true ? new SitePriors() : undefined
    const { massPrior = setting.prior === undefined && setting.sitePrior !== true } = setting
    this.#massPrior = massPrior ? new MassPrior() : undefined
  }

  start(services: RecrawlServices): void {
    this.#services = services
    this.#masses.start(services)
    this.#keys = new LevelledKeys(this, services)
    const { siteClock = true, clockPagesMin = 16 } = this.#setting
    if (siteClock) this.#clocks = new SiteClocks(clockPagesMin, services.horizon)
  }

  get givenHorizon(): number | undefined {
    return this.#setting.horizon
  }

  get #horizon(): number {
    return this.#services!.horizon.days
  }

  /** The unit of values, in days. */
  get #unit(): number {
    return this.givenHorizon === undefined ? this.#horizon : 1
  }

  get #prior(): { a: number; b: number } {
    return this.#setting.prior ?? { a: 1, b: this.#horizon / 4 }
  }

  newKey(page: number): number {
    const { a, b } = this.#prior
    return roundScore((this.#masses.live(page) * gammaFreshTime(a, b, this.#horizon)) / this.#unit)
  }

  elapsed(page: number, day: number): number {
    const since = this.#lastLook.array[page]
    const now = Math.max(since, day)
    const clock = this.#clocks?.of(this.#services!.siteOf(page))
    return clock === undefined ? now - since : clock.elapsed(since, now)
  }

  value(page: number, since: number): number {
    const time = this.#effective(page, since)
    const value = fadingValue(this.#a.array[page], this.#b.array[page], time, this.#horizon)
    return (this.#masses.of(page) * value) / this.#unit
  }

  /** The time without signals after which the page would be as old; signals alone bring it up to the horizon. */
  #effective(page: number, since: number): number {
    const kept = this.#kept(page, since)
    if (kept === 1) return since
    const time = effectiveTime(this.#a.array[page], this.#b.array[page], since, kept)
    return Math.max(since, Math.min(this.#horizon, time))
  }

  /** The time since the last look at which the effective time is this, beyond `since`; or earlier, since signals count less the longer a page waits. */
  #sinceOf(page: number, since: number, time: number): number {
    const kept = this.#kept(page, since)
    const horizon = this.#horizon
    if (kept === 1 || time > horizon || this.#effective(page, since) >= horizon) return time
    return effectiveTime(this.#a.array[page], this.#b.array[page], time, 1 / kept)
  }

  /** Evidence halves at multiples of the horizon. */
  boundedUntil(page: number, since: number): number {
    const horizon = this.#horizon
    const next = (horizonsIn(this.#effective(page, since), horizon) + 1) * horizon
    return Math.max(since, this.#sinceOf(page, since, next))
  }

  reaches(page: number, since: number, value: number): number {
    const mass = this.#masses.of(page)
    if (!(mass > 0)) return Infinity
    const target = (value * this.#unit) / mass
    const time = this.#effective(page, since)
    const rise = nextRise(this.#a.array[page], this.#b.array[page], time, target, this.#horizon)
    return Math.max(since, this.#sinceOf(page, since, rise))
  }

  /** The probability that its signals alone leave a page unchanged. */
  #kept(page: number, since: number): number {
    if (this.#worths === undefined || page >= this.#signals.length || this.#signals.array[page] === 0)
      return 1
    return this.#worths.kept(this.#services!.siteOf(page), this.#signalled(page, since))
  }

  #signalled(page: number, time: number): SignalledPage {
    const horizon = this.#horizon
    return {
      a: this.#a.array[page],
      b: this.#b.array[page],
      time,
      signals: this.#signals.array[page],
      horizon,
    }
  }

  looked(page: number, day: number, verdict: 'first' | 'changed' | 'same', datedDays?: number): void {
    if (verdict === 'first') this.#begin(page)
    else this.#learn(page, day, verdict === 'changed', datedDays)
    this.#lastLook.array[page] = Math.max(day, this.#lastLook.array[page])
    this.#masses.update(page)
  }

  enter(page: number, day: number): void {
    this.#keys!.schedule(page, day)
  }

  leave(page: number): void {
    this.#keys!.remove(page)
  }

  #begin(page: number): void {
    for (const array of [this.#a, this.#b, this.#lastLook, this.#seen]) array.ensure(page)
    this.#a.array[page] = this.#prior.a
    this.#massPrior?.fetched(this.#masses.live(page))
    this.#b.array[page] = this.#learnedScale(page, this.#masses.live(page))
    this.#seen.array[page] = unseen
    this.#clocks?.add(this.#services!.siteOf(page))
  }

  /** The prior's b of a page, as learned so far. */
  #learnedScale(page: number, mass: number): number {
    const site = this.#sitePriors?.factor(this.#services!.siteOf(page)) ?? 1
    return this.#prior.b * site * (this.#massPrior?.factor(mass) ?? 1)
  }

  #learn(page: number, day: number, changed: boolean, datedDays: number | undefined): void {
    const site = this.#services!.siteOf(page)
    const since = this.#lastLook.array[page]
    const now = Math.max(since, day)
    const seen = this.#seen.array[page]
    const isFirst = seen === unseen
    if (seen === alwaysChanged) {
      const survival = this.#survival(page, this.elapsed(page, now))
      this.#fastPages.looked(this.#masses.of(page), survival, changed)
    }
    this.#seen.array[page] = changed && seen !== someUnchanged ? alwaysChanged : someUnchanged
    // At the first look since it was fetched, a page takes over the prior that has been learned by then.
    if (isFirst) this.#b.array[page] = this.#learnedScale(page, this.#masses.of(page))
    const a = this.#a.array[page]
    const b = this.#b.array[page]
    const clock = this.#clocks?.of(site)
    const time = clock === undefined ? now - since : clock.looked(a, b, since, now, changed)
    if (clock !== undefined) this.#clocks!.looked(site)
    if (isFirst) {
      this.#sitePriors?.looked(site, a, b, now - since, changed)
      this.#massPrior?.looked(this.#masses.of(page), a, b, time, changed)
    }
    const kept = this.#learnSignals(page, changed, time, now)
    const isDated = changed && datedDays !== undefined
    const dated = isDated ? Math.min(datedDays, now - since) : 0
    const datedTime = clock === undefined ? dated : clock.between(now - dated, now)
    const after = isDated ? afterDatedChange(a, b, datedTime) : afterLook(a, b, time, changed, kept)
    this.#a.array[page] = after.a
    this.#b.array[page] = after.b
  }

  /** Returns the probability that the page's signals alone left it unchanged, as far as its own rate is concerned. */
  #learnSignals(page: number, changed: boolean, time: number, day: number): number {
    if (this.#worths === undefined || page >= this.#signals.length) return 1
    const site = this.#services!.siteOf(page)
    const signalled = this.#signalled(page, time)
    this.#signals.array[page] = 0
    const kept = this.#worths.ownKept(site, signalled.signals)
    const survival = gammaSurvival(signalled.a, signalled.b, time)
    if (this.#worths.looked(site, signalled, changed, survival)) {
      this.#services!.eachOfSite(site, (each) => {
        if (this.#signals.array[each] > 0) this.#keys!.schedule(each, day)
      })
    }
    return kept
  }

  signal(page: number, day: number): void {
    if (this.#worths === undefined || day < this.#lastLook.array[page]) return
    this.#signals.ensure(page)
    this.#signals.array[page] = Math.min(0xffff, this.#signals.array[page] + 1)
  }

  massMoved(page: number, day: number, doesWait: boolean): void {
    if (this.#masses.moved(page) && doesWait) this.#keys!.schedule(page, day)
  }

  raise(day: number, newKey: number): boolean {
    const keys = this.#keys!
    const turned =
      this.#clocks?.turn(day, (site) => {
        this.#services!.eachOfSite(site, (page) => keys.schedule(page, day))
      }) === true
    keys.raise(day, newKey)
    return turned
  }

  /** What is known of pages without a second look is the prior, and that has changed. */
  grown(doublings: number, day: number): void {
    for (let i = 0; i < doublings; i++) {
      this.#clocks?.widen(day)
      this.#massPrior?.doubled()
    }
    for (let page = 0; page < this.#seen.length; page++)
      if (this.#seen.array[page] === unseen)
        this.#b.array[page] = this.#learnedScale(page, this.#masses.of(page))
    this.#keys!.doubled(doublings, day)
  }

  nextRise(): number {
    return this.#keys!.nextRise()
  }

  lastLookDay(page: number): number {
    return this.#lastLook.array[page]
  }

  view(page: number, day: number): PolicyView {
    const a = this.#a.array[page]
    const b = this.#b.array[page]
    const elapsedDays = this.elapsed(page, day)
    const survival = this.#survival(page, elapsedDays)
    return {
      mass: this.#masses.of(page),
      value: this.value(page, elapsedDays),
      elapsedDays,
      a,
      b,
      survival: this.#seen.array[page] === alwaysChanged ? this.#fastPages.survival(survival) : survival,
    }
  }

  /** The probability that the page is unchanged, as keys count it. */
  #survival(page: number, since: number): number {
    return gammaSurvival(this.#a.array[page], this.#b.array[page], since) * this.#kept(page, since)
  }

  transfer(state: StateCodec): void {
    state.section(this.name, this.#worths === undefined ? 4 : 5)
    for (const array of [this.#a, this.#b, this.#lastLook]) state.growing(array)
    state.growing(this.#signals)
    state.growing(this.#seen)
    this.#sitePriors?.transfer(state)
    this.#massPrior?.transfer(state)
    this.#fastPages.transfer(state)
    this.#masses.transfer(state)
    this.#worths?.transfer(state)
    this.#clocks?.transfer(state)
  }

  get byteLength(): number {
    const pages = [this.#a, this.#b, this.#lastLook, this.#signals, this.#seen]
    const own = pages.reduce((sum, { array }) => sum + array.byteLength, this.#masses.byteLength)
    return own + this.#keys!.byteLength + (this.#clocks?.byteLength ?? 0)
  }
}

export function greedy(setting: RecrawlSetting): RecrawlPolicy {
  return new Greedy(setting, false)
}

export function changeSignals(setting: RecrawlSetting): RecrawlPolicy {
  return new Greedy(setting, true)
}
