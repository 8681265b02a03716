/**
 * The sites of a crawl by number, with the data that politeness needs. Names are hosts with their ports, in
 * discovery order.
 *
 * A host of the user's own may have several connections at a time. Its pages are then spread over as many sites of
 * the same name, its *channels*, by a hash of the URL: engine and frontier see sites with one connection each.
 */
import { assert } from '../../lib/assert.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { PageStates } from '../../engine/page-states.ts'
import type { StateCodec } from '../../lib/state.ts'
import { matchesHost } from '../../web/url/host-pattern.ts'

/** Hosts of the user's own, without gaps and with several connections each. */
export interface OwnHosts {
  /** Patterns (url/host-pattern.ts). */
  readonly hosts: readonly string[]
  readonly connections: number
}

export class SiteTable {
  readonly #own: OwnHosts | undefined
  /** By site: its name, and for a further channel a space and its number. */
  readonly #keys: string[] = []
  /** By name: the first site. By key: further channels. */
  readonly #numberOfKey = new Map<string, number>()
  /** By site: the first site with its name. */
  readonly #first = new GrowingUint32(64)
  readonly #words = new Uint32Array(2)
  /** When each may be requested again. */
  readonly #freeAt = new GrowingFloat64(64)
  /** Numbers of requested pages and of waiting pages. */
  readonly #asked = new GrowingUint32(64)
  readonly #waiting = new GrowingUint32(64)
  /** By the first site of a host: its channels with waiting pages. */
  readonly #waitingChannels = new GrowingUint32(64)
  /** Consecutive failures to reach it; 255 if it has failed for good. */
  readonly #failures = new GrowingUint8(64)
  /** 1 if it has responded before. */
  readonly #known = new GrowingUint8(64)
  /** Numbers of sites with waiting pages, and of those that responded before and are unreachable now. */
  withWaiting = 0
  /** The same in hosts: a host with several channels counts once. */
  hostsWithWaiting = 0
  missingWithWaiting = 0
  /** Whether any site has ever responded. */
  anyReached = false

  constructor(own?: OwnHosts) {
    this.#own = own
  }

  get count(): number {
    return this.#keys.length
  }

  /** The number of the site of a page; assigns a new one if needed. */
  numberFor(name: string, url: string): number {
    const own = this.#own
    if (own === undefined || own.connections === 1 || !this.isOwnHost(name)) return this.numberOf(name)
    fingerprint(url, this.#words, 0)
    const key = `${name} ${this.#words[0] % own.connections}`
    return this.#numberOfKey.get(key) ?? this.#add(key, name)
  }

  /** Restores the site of a page. A reader of a crawl does not know which hosts are the user's own. */
  restore(name: string, url: string, site: number): void {
    if (this.numberFor(name, url) === site) return
    if (site === this.count) this.#add(`${name} ${site}`, name)
    assert(
      this.#keys[site] !== undefined && this.name(site) === name,
      'sites must be numbered in the order they are found',
    )
  }

  /** The number of the first site of this name; assigns a new one if needed. */
  numberOf(name: string): number {
    return this.#numberOfKey.get(name) ?? this.#add(name, name)
  }

  #add(key: string, name: string): number {
    const number = this.#keys.length
    const first = this.#numberOfKey.get(name) ?? number
    this.#keys.push(key)
    this.#numberOfKey.set(key, number)
    if (first === number) this.#numberOfKey.set(name, number)
    this.#first.ensure(number)
    this.#first.array[number] = first
    this.#freeAt.ensure(number)
    this.#asked.ensure(number)
    this.#waiting.ensure(number)
    this.#waitingChannels.ensure(number)
    this.#failures.ensure(number)
    this.#known.ensure(number)
    return number
  }

  /** Undefined if no page of this site is known. */
  find(name: string): number | undefined {
    return this.#numberOfKey.get(name)
  }

  name(site: number): string {
    const key = this.#keys[site]
    const end = key.indexOf(' ')
    return end < 0 ? key : key.slice(0, end)
  }

  /** The first site of the same host. */
  first(site: number): number {
    return this.#first.array[site]
  }

  /** Whether the user has named hosts of their own. */
  get hasOwn(): boolean {
    return this.#own !== undefined
  }

  /** Whether the host of this name is of the user's own. It need not be a site of the crawl. */
  isOwnHost(name: string): boolean {
    return this.#own !== undefined && this.#own.hosts.some((pattern) => matchesHost(pattern, name))
  }

  freeAt(site: number): number {
    return this.#freeAt.array[site]
  }

  rest(site: number, until: number): void {
    this.#freeAt.array[site] = until
  }

  /** Requested pages of its host. */
  asked(site: number): number {
    return this.#asked.array[this.first(site)]
  }

  ask(site: number): void {
    this.#asked.array[this.first(site)]++
  }

  waiting(site: number): number {
    return this.#waiting.array[site]
  }

  addWaiting(site: number): void {
    if (this.#waiting.array[site]++ > 0) return
    this.withWaiting++
    if (this.#waitingChannels.array[this.first(site)]++ === 0) this.hostsWithWaiting++
    if (this.isMissing(site)) this.missingWithWaiting++
  }

  removeWaiting(site: number): void {
    if (--this.#waiting.array[site] > 0) return
    this.withWaiting--
    if (--this.#waitingChannels.array[this.first(site)] === 0) this.hostsWithWaiting--
    if (this.isMissing(site)) this.missingWithWaiting--
  }

  /** The site responded. */
  reached(site: number): void {
    this.acquit(site)
    this.#known.array[site] = 1
    this.anyReached = true
  }

  wasReached(site: number): boolean {
    return this.#known.array[site] === 1
  }

  failures(site: number): number {
    return this.#failures.array[site]
  }

  /** The site could not be reached; returns the number of consecutive failures. */
  missed(site: number): number {
    const failures = Math.min(254, this.#failures.array[site] + 1)
    this.#setFailures(site, failures)
    return failures
  }

  /** The failures were not the site's own: resets them. */
  acquit(site: number): void {
    if (this.#failures.array[site] > 0) this.#setFailures(site, 0)
  }

  giveUp(site: number): void {
    this.#setFailures(site, 255)
  }

  isGivenUp(site: number): boolean {
    return this.#failures.array[site] === 255
  }

  /** Whether it responded before, is unreachable now, and has not failed for good. */
  isMissing(site: number): boolean {
    const failures = this.#failures.array[site]
    return this.#known.array[site] === 1 && failures > 0 && failures < 255
  }

  /** Updates the counts that depend on whether it is missing. */
  #setFailures(site: number, failures: number): void {
    const hasWaiting = this.#waiting.array[site] > 0
    if (hasWaiting && this.isMissing(site)) this.missingWithWaiting--
    this.#failures.array[site] = failures
    if (hasWaiting && this.isMissing(site)) this.missingWithWaiting++
  }

  /**
   * Saves only the names: everything else follows from the outcomes of its pages (`recount`), or is learnt
   * again.
   */
  transfer(state: StateCodec): void {
    state.section('site table', 2)
    for (const key of state.texts(this.#keys)) {
      if (state.isReading) this.#add(key, key.split(' ', 1)[0])
    }
  }

  /** After a resume: a requested page counts for its site, and a site that responded is known. */
  recount(pages: Pick<PageStates, 'known' | 'siteOf' | 'isCrawled' | 'failureOf'>): void {
    for (let page = 0; page < pages.known; page++) {
      const cause = pages.failureOf(page)
      const hasResponded = pages.isCrawled(page) || cause === 'failed'
      if (!hasResponded && cause !== 'temporary') continue
      const site = pages.siteOf(page)
      this.ask(site)
      if (hasResponded) this.reached(site)
    }
  }
}
