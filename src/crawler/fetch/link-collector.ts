/**
 * Collects the links of one page: each distinct link once, in scope or counted as outside. Repeats are
 * detected by fingerprint, in a table of numbers that is reused for the next page; no set of strings is
 * built.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import { fmix32 } from '../../lib/hash.ts'
import type { Scope } from '../../web/url/scope.ts'
import { withoutForeignUser } from '../../web/url/url-user.ts'

const slotsAtFirst = 1024
/** Servers refuse longer URLs; all links of a page are sent in one string, which is limited too. */
export const urlCharsMax = 8192
const pageCharsMax = 16 * 1024 * 1024

export class LinkCollector {
  readonly #scope: Scope
  /** Two words of fingerprint per slot. A slot is in use if it has this page's stamp. */
  #slots = new Uint32Array(2 * slotsAtFirst)
  #stamps = new Uint32Array(slotsAtFirst)
  #stamp = 0
  #used = 0
  #urls: string[] = []
  #fingerprints = new Uint32Array(512)
  readonly #words = new Uint32Array(2)
  #self = ''
  #isLeaf = false
  #chars = 0
  outside = 0
  tooDeep = 0
  /** Two words that represent the set of all distinct links, in scope or not, regardless of order. */
  setLow = 0
  setHigh = 0
  /** Whether a link was omitted, because of its length or because there were too many. */
  cut = false

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** Begins a page. Links to the page itself are ignored. */
  begin(self: string, isLeaf: boolean): void {
    if (this.#stamp === 0xffff_ffff) {
      this.#stamps.fill(0)
      this.#stamp = 0
    }
    this.#stamp++
    this.#used = 0
    this.#urls.length = 0
    this.#self = self
    this.#isLeaf = isLeaf
    this.#chars = 0
    this.cut = false
    this.outside = this.tooDeep = 0
    this.#isNew(self)
    this.setLow = this.setHigh = 0
  }

  /** Adds a canonical URL. Returns whether it is new and in scope. */
  add(found: string): boolean {
    const url = this.#withoutUser(found)
    if (!this.#hasRoom(url) || !this.#isNew(url)) return false
    if (!this.#scope.includes(url)) {
      this.outside++
      return false
    }
    if (this.#isLeaf) {
      this.tooDeep++
      return false
    }
    this.#append(url)
    return true
  }

  /**
   * Whether this URL, which is not followed, is in scope and no link of the page so far. Called after all `add`. It is no
   * part of the set of links.
   */
  isLeftOut(found: string): boolean {
    const { setLow, setHigh } = this
    const url = this.#withoutUser(found)
    const isNew = url.length <= urlCharsMax && this.#isNew(url)
    this.setLow = setLow
    this.setHigh = setHigh
    return isNew && this.#scope.includes(url)
  }

  /** Adds a URL regardless of the scope. */
  addAnyway(found: string): boolean {
    const url = this.#withoutUser(found)
    if (!this.#hasRoom(url) || !this.#isNew(url)) return false
    this.#append(url)
    return true
  }

  /** The collected URLs, in order; valid until the next page begins. */
  get urls(): readonly string[] {
    return this.#urls
  }

  /** All URLs, separated by line feeds. */
  get links(): string {
    return this.#urls.length === 1 ? this.#urls[0] : this.#urls.join('\n')
  }

  /** Two words for each, in new memory. */
  get fingerprints(): Uint32Array {
    return this.#fingerprints.slice(0, 2 * this.#urls.length)
  }

  #withoutUser(url: string): string {
    return url.includes('@') ? withoutForeignUser(url, this.#self) : url
  }

  #hasRoom(url: string): boolean {
    const hasRoom = url.length <= urlCharsMax && this.#chars + url.length <= pageCharsMax
    this.cut ||= !hasRoom
    return hasRoom
  }

  #append(url: string): void {
    this.#chars += url.length + 1
    const at = 2 * this.#urls.length
    if (at === this.#fingerprints.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#fingerprints)
      this.#fingerprints = larger
    }
    this.#fingerprints[at] = this.#words[0]
    this.#fingerprints[at + 1] = this.#words[1]
    this.#urls.push(url)
  }

  #isNew(url: string): boolean {
    fingerprint(url, this.#words, 0)
    const low = this.#words[0]
    const high = this.#words[1]
    const mask = this.#stamps.length - 1
    let slot = low & mask
    for (; this.#stamps[slot] === this.#stamp; slot = (slot + 1) & mask) {
      if (this.#slots[2 * slot] === low && this.#slots[2 * slot + 1] === high) return false
    }
    this.#stamps[slot] = this.#stamp
    this.#slots[2 * slot] = low
    this.#slots[2 * slot + 1] = high
    this.setLow = (this.setLow + fmix32(low ^ 0x9e3779b9)) >>> 0
    this.setHigh = (this.setHigh + fmix32(high + low)) >>> 0
    this.#used++
    if (2 * this.#used > this.#stamps.length) this.#grow()
    return true
  }

  #grow(): void {
    const slots = this.#slots
    const stamps = this.#stamps
    this.#slots = new Uint32Array(2 * slots.length)
    this.#stamps = new Uint32Array(2 * stamps.length)
    const mask = this.#stamps.length - 1
    for (let from = 0; from < stamps.length; from++) {
      if (stamps[from] !== this.#stamp) continue
      let slot = slots[2 * from] & mask
      while (this.#stamps[slot] === this.#stamp) slot = (slot + 1) & mask
      this.#stamps[slot] = this.#stamp
      this.#slots[2 * slot] = slots[2 * from]
      this.#slots[2 * slot + 1] = slots[2 * from + 1]
    }
  }
}
