/** Writes facts as bytes. Page and site numbers are varints: about 2 bytes a link. */
import { GrowingUint8 } from '../lib/growing-array.ts'
import { factKinds, lookFlags, postponedKinds, type Arrival } from './fact.ts'
import type { Reading } from './reading.ts'
import { verdicts, type Verdict } from './recrawl-policy.ts'
import { failureCauses, type FailureCause, type Postponement } from './world.ts'

export class FactWriter {
  readonly #bytes = new GrowingUint8(1 << 12)
  readonly #float = new Float64Array(1)
  readonly #floatBytes = new Uint8Array(this.#float.buffer)
  length = 0
  /** The last time written. */
  #ms = 0

  seed(site: number): void {
    this.#byte(factKinds.seed)
    this.#varint(site)
  }

  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    newCount: number,
    reading?: Reading,
    isRedirect = false,
  ): void {
    if (reading !== undefined) this.#reading(reading)
    this.#byte(isRedirect ? factKinds.redirected : factKinds.fetched)
    this.#varint(page)
    this.#links(links, linkCount, newSites, newCount)
  }

  #links(links: Uint32Array, linkCount: number, newSites: Uint32Array, newCount: number): void {
    this.#varint(linkCount)
    for (let i = 0; i < linkCount; i++) this.#varint(links[i])
    this.#varint(newCount)
    for (let i = 0; i < newCount; i++) this.#varint(newSites[i])
  }

  /** The reading of the next page. */
  #reading({ relevance, isHot, similarity, mentions, ends, clues }: Reading): void {
    this.#byte(factKinds.reading)
    this.#number(relevance)
    this.#byte(isHot ? 1 : 0)
    this.#varint(ends.length)
    let at = 0
    for (let link = 0; link < ends.length; link++) {
      this.#byte((mentions[link] === 1 ? 1 : 0) | (similarity[link] === 0 ? 0 : 2))
      if (similarity[link] !== 0) this.#number(similarity[link])
      this.#varint(ends[link] - at)
      for (; at < ends[link]; at++) this.#varint(clues[at])
    }
  }

  failed(page: number, cause: FailureCause): void {
    this.#byte(factKinds.failed)
    this.#varint(page)
    this.#byte(failureCauses.indexOf(cause))
  }

  postponed(page: number, why: Postponement = 'turn'): void {
    this.#byte(postponedKinds[why])
    this.#varint(page)
  }

  retry(page: number): void {
    this.#byte(factKinds.retry)
    this.#varint(page)
  }

  closed(site: number, freeAt: number): void {
    this.#byte(factKinds.closed)
    this.#varint(site)
    this.#number(freeAt)
  }

  proven(site: number): void {
    this.#byte(factKinds.proven)
    this.#varint(site)
  }

  slow(site: number): void {
    this.#byte(factKinds.slow)
    this.#varint(site)
  }

  /** A look at a page. Only changed pages have links. */
  looked(
    page: number,
    ms: number,
    verdict: Verdict,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    newCount: number,
    datedMs?: number,
    bytes?: number,
  ): void {
    this.#byte(factKinds.looked)
    const flags =
      (datedMs === undefined ? 0 : lookFlags.isDated) | (bytes === undefined ? 0 : lookFlags.hasBytes)
    this.#byte(verdicts.indexOf(verdict) | flags)
    this.#varint(page)
    this.#time(ms)
    if (datedMs !== undefined) this.#wide(datedMs)
    if (bytes !== undefined) this.#wide(bytes)
    if (verdict === 'changed') this.#links(links, linkCount, newSites, newCount)
  }

  /** A sitemap, feed or ping reports that a page has changed. */
  signal(page: number, ms: number): void {
    this.#byte(factKinds.signal)
    this.#varint(page)
    this.#time(ms)
  }

  /** A sitemap or feed lists a page not known before. The parent may be `noParent`. */
  listed(site: number, parent: number): void {
    this.#byte(factKinds.listed)
    this.#varint(site)
    this.#varint(parent + 1)
  }

  /** The number of fetches per day from now on. */
  rate(perDay: number): void {
    this.#byte(factKinds.rate)
    this.#number(perDay)
  }

  /** The number of pages that all shards know together. */
  allKnown(pages: number): void {
    this.#byte(factKinds.allKnown)
    this.#varint(pages)
  }

  raised(now: number): void {
    this.#byte(factKinds.raised)
    this.#number(now)
  }

  round(isRound: boolean): void {
    this.#byte(factKinds.round)
    this.#byte(isRound ? 1 : 0)
  }

  cut(limit: number, all: boolean): void {
    this.#byte(factKinds.cut)
    this.#number(limit)
    this.#byte(all ? 1 : 0)
  }

  arrived(source: number, number: number, arrival: Arrival, newCount: number): void {
    const { home, pages, amounts, count, newSites, foundMs } = arrival
    this.#byte(factKinds.arrived)
    this.#varint(source)
    this.#varint(number)
    this.#number(home)
    this.#links(pages, count, newSites, newCount)
    for (let i = 0; i < count; i++) this.#number(amounts[i])
    for (let i = 0; i < newCount; i++) this.#time(foundMs[i])
  }

  price(key: number): void {
    this.#byte(factKinds.price)
    this.#number(key)
  }

  /** The facts before end at this time. */
  moment(now: number): void {
    this.#byte(factKinds.moment)
    this.#number(now)
  }

  /** The engine decided at this time. What it decided follows from the facts before. */
  dispatch(now: number): void {
    this.#byte(factKinds.dispatch)
    this.#number(now)
  }

  /** The limits of connections from here on. */
  connections(max: number, unprovenMax: number): void {
    this.#byte(factKinds.connections)
    this.#number(max)
    this.#number(unprovenMax)
  }

  /** The limits of the crawl from now on. */
  budget(pagesMax: number, coverage: number, failuresMax: number): void {
    this.#byte(factKinds.budget)
    this.#number(pagesMax)
    this.#number(coverage)
    this.#number(failuresMax)
  }

  /** The bytes so far, a copy; the writer starts anew. */
  takeBytes(): Uint8Array {
    const bytes = this.#bytes.array.slice(0, this.length)
    this.length = 0
    this.#ms = 0
    return bytes
  }

  #byte(value: number): void {
    this.#bytes.ensure(this.length)
    this.#bytes.array[this.length++] = value
  }

  #varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.#byte(rest)
  }

  /** A time, as the difference from the time before; the first one after `takeBytes` is written in full. */
  #time(ms: number): void {
    const difference = ms - this.#ms
    this.#ms = ms
    this.#wide(difference < 0 ? -2 * difference - 1 : 2 * difference)
  }

  /** A whole number of up to 53 bits. */
  #wide(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.#byte(rest)
  }

  #number(value: number): void {
    this.#float[0] = value
    for (const byte of this.#floatBytes) this.#byte(byte)
  }
}
