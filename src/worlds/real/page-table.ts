/**
 * The pages of a crawl by number, in discovery order: in memory a 64-bit fingerprint of the URL and the depth
 * of each, about 25 bytes in all; the URLs are on disk.
 */
import { assert } from '../../lib/assert.ts'
import { FingerprintTable } from '../../lib/fingerprint-table.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { noSite } from '../../engine/world.ts'
import type { TrapWatch } from '../../traps/trap-watch.ts'
import type { SiteTable } from './site-table.ts'
import { siteOf } from './url/site.ts'

/** Stores discovered pages. */
export interface PageShelf {
  putFound(page: number, record: FoundPage): void
  /** Sites are stored in order of their numbers. */
  putSite(name: string): void
  found(page: number): FoundPage
}

/** How a page was discovered. */
export interface FoundPage {
  readonly url: string
  /** `noSite` for the page that represents the outside. */
  readonly site: number
  /** The page with the first link to it; undefined for a seed. */
  readonly parent: number | undefined
  readonly depth: number
}

/** In place of a URL: the one page that represents everything out of scope or too deep. */
export const outsideUrl = 'outside:'

const depthMax = 255

export class PageTable {
  readonly #fingerprints = new FingerprintTable()
  readonly #depths = new GrowingUint8()
  readonly #words = new Uint32Array(2)
  readonly #sites: SiteTable
  readonly #shelf: PageShelf
  /** Receives every discovered page. */
  readonly #traps: TrapWatch | undefined
  #outside = -1
  /** Number of sites already stored. */
  #sitesWritten = 0

  constructor(sites: SiteTable, shelf: PageShelf, traps?: TrapWatch) {
    this.#sites = sites
    this.#shelf = shelf
    this.#traps = traps
  }

  get known(): number {
    return this.#fingerprints.count
  }

  /** The page with this fingerprint, or -1. */
  find(low: number, high: number): number {
    return this.#fingerprints.find(low, high)
  }

  findUrl(url: string): number {
    fingerprint(url, this.#words, 0)
    return this.find(this.#words[0], this.#words[1])
  }

  /** Adds a new page; returns its site. */
  add(low: number, high: number, url: string, parent: number | undefined): number {
    const depth = parent === undefined ? 0 : Math.min(depthMax, this.depth(parent) + 1)
    const page = this.#enter(low, high, depth)
    const site = this.#sites.numberOf(siteOf(url) ?? url)
    this.#shelf.putFound(page, { url, site, parent, depth })
    this.#traps?.found(page, url, depth === 0)
    for (; this.#sitesWritten < this.#sites.count; this.#sitesWritten++) {
      this.#shelf.putSite(this.#sites.name(this.#sitesWritten))
    }
    this.#sites.addWaiting(site)
    return site
  }

  /** Adds a seed; undefined if it is already known. */
  addSeed(url: string): number | undefined {
    if (this.findUrl(url) >= 0) return undefined
    return this.add(this.#words[0], this.#words[1], url, undefined)
  }

  /** The page that represents the outside; -1 if there is none yet. */
  get outside(): number {
    return this.#outside
  }

  addOutside(parent: number): typeof noSite {
    fingerprint(outsideUrl, this.#words, 0)
    this.#outside = this.#enter(this.#words[0], this.#words[1], depthMax)
    this.#shelf.putFound(this.#outside, { url: outsideUrl, site: noSite, parent, depth: depthMax })
    return noSite
  }

  /** Restores a page of the record; pages must come in order. */
  restore({ url, site, depth }: FoundPage): void {
    fingerprint(url, this.#words, 0)
    const page = this.#enter(this.#words[0], this.#words[1], depth)
    if (site === noSite) {
      this.#outside = page
      return
    }
    const number = this.#sites.numberOf(siteOf(url) ?? url)
    assert(number === site, 'sites must be numbered in the order they are found')
    this.#sitesWritten = this.#sites.count
    this.#traps?.found(page, url, depth === 0)
  }

  #enter(low: number, high: number, depth: number): number {
    const page = this.#fingerprints.add(low, high)
    this.#depths.ensure(page)
    this.#depths.array[page] = depth
    return page
  }

  depth(page: number): number {
    return this.#depths.array[page]
  }

  found(page: number): FoundPage {
    return this.#shelf.found(page)
  }

  url(page: number): string {
    return this.#shelf.found(page).url
  }

  /** Sites and traps save their own states, and URLs stay on disk. */
  transfer(state: StateCodec): void {
    state.section('page table', 1)
    this.#fingerprints.transfer(state)
    state.appended(this.#depths)
    this.#outside = state.number(this.#outside)
    this.#sitesWritten = state.number(this.#sitesWritten)
  }

  get byteLength(): number {
    return this.#fingerprints.byteLength + this.#depths.array.byteLength
  }
}
