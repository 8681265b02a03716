/**
 * The pages of a crawl by number, in discovery order: in memory a 64-bit fingerprint of the URL and the depth
 * of each, about 25 bytes in all; the URLs are on disk.
 */
import { assert } from '../../lib/assert.ts'
import { FingerprintTable } from '../../lib/fingerprint-table.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { awaySite, noSite } from '../../engine/world.ts'
import type { SiteTable } from './site-table.ts'
import { siteOf } from '../../web/url/site.ts'

/** Stores discovered pages. */
export interface PageShelf {
  /** Pages are stored in order of their numbers, each after its site. */
  putFound(page: number, record: FoundPage): void
  /** Sites are stored in order of their numbers. */
  putSite(name: string): void
  found(page: number): FoundPage
  /** The name of a stored site; not needed if every site has a page when it is numbered. */
  siteName?(site: number): string
}

/** How a page was discovered. */
export interface FoundPage {
  readonly url: string
  /** `noSite` for the page that represents the outside, `awaySite` for pages of other shards. */
  readonly site: number
  /** The page with the first link to it; undefined for a seed, and for a page that another shard found. */
  readonly parent: number | undefined
  readonly depth: number
  /** The anchor text of that link, if the crawl records anchors. */
  readonly anchor?: string | undefined
}

type FoundListener = (page: number, url: string, isSeed: boolean) => void

/** In place of a URL: the one page that represents everything out of scope or too deep. */
export const outsideUrl = 'outside:'
/** In place of a URL: the page that represents the seeds of another shard. */
const homeUrl = (shard: number): string => `home:${shard}`

const depthMax = 255
/** A power of two. */
const recentMax = 1024

export class PageTable {
  readonly #fingerprints = new FingerprintTable()
  readonly #depths = new GrowingUint8()
  readonly #words = new Uint32Array(2)
  readonly #sites: SiteTable
  readonly #shelf: PageShelf
  /** Receives every discovered page. */
  #onFound: FoundListener = () => {}
  /** Whether another shard owns this site; undefined if the crawl is not divided. */
  readonly #isAway: ((site: string) => boolean) | undefined
  /** Pages read last, by the last bits of their numbers: a page is needed several times while it is in flight. */
  readonly #recent: FoundPage[] = []
  readonly #recentPages = new Int32Array(recentMax).fill(-1)
  #outside = -1
  /** Number of sites already stored. */
  #sitesWritten = 0

  constructor(sites: SiteTable, shelf: PageShelf, isAway?: (site: string) => boolean) {
    this.#isAway = isAway
    this.#sites = sites
    this.#shelf = shelf
  }

  /** Whether another shard owns this site. */
  isAway(site: string): boolean {
    return this.#isAway?.(site) === true
  }

  /** Calls this for every page that is found or restored from now on. */
  watchFound(listener: FoundListener): void {
    this.#onFound = listener
  }

  get known(): number {
    return this.#fingerprints.count
  }

  /** The page with this fingerprint, or -1. */
  find(low: number, high: number): number {
    return this.#fingerprints.find(low, high)
  }

  /** The fingerprint of a page. */
  low(page: number): number {
    return this.#fingerprints.low(page)
  }

  high(page: number): number {
    return this.#fingerprints.high(page)
  }

  findUrl(url: string): number {
    fingerprint(url, this.#words, 0)
    return this.find(this.#words[0], this.#words[1])
  }

  /** Adds a new page; returns its site. */
  add(low: number, high: number, url: string, parent: number | undefined, anchor?: string): number {
    const depth = parent === undefined ? 0 : Math.min(depthMax, this.depth(parent) + 1)
    return this.#add(low, high, url, parent, depth, anchor)
  }

  #add(
    low: number,
    high: number,
    url: string,
    parent: number | undefined,
    depth: number,
    anchor?: string,
  ): number {
    const page = this.#enter(low, high, depth)
    const name = siteOf(url) ?? url
    const site = this.isAway(name) ? awaySite : this.#sites.numberFor(name, url)
    if (site !== awaySite) this.#putSites()
    this.#shelf.putFound(page, { url, site, parent, depth, anchor })
    this.#onFound(page, url, depth === 0)
    if (site !== awaySite) this.#sites.addWaiting(site)
    return site
  }

  #putSites(): void {
    for (; this.#sitesWritten < this.#sites.count; this.#sitesWritten++) {
      this.#shelf.putSite(this.#sites.name(this.#sitesWritten))
    }
  }

  /** Adds a seed; undefined if it is already known. */
  addSeed(url: string): number | undefined {
    if (this.findUrl(url) >= 0) return undefined
    return this.add(this.#words[0], this.#words[1], url, undefined)
  }

  /** The page with this URL, which another shard has found at this depth; a new page if it is unknown. */
  addArrived(url: string, depth: number): number {
    const known = this.findUrl(url)
    if (known >= 0) return known
    const site = this.#add(this.#words[0], this.#words[1], url, undefined, depth)
    assert(
      site !== awaySite,
      `${url} belongs to another shard: all workers need the same version of Rankward`,
    )
    return this.known - 1
  }

  /** Adds the page that represents the seeds of another shard. */
  addHome(shard: number): void {
    const url = homeUrl(shard)
    fingerprint(url, this.#words, 0)
    const page = this.#enter(this.#words[0], this.#words[1], 0)
    this.#shelf.putFound(page, { url, site: awaySite, parent: undefined, depth: 0 })
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
    if (site === awaySite) {
      if (siteOf(url) !== undefined) this.#onFound(page, url, depth === 0)
      return
    }
    // Sites without pages before this one: hosts of sitemaps and requisites.
    while (this.#sites.count < site) this.#sites.numberOf(this.#shelf.siteName!(this.#sites.count))
    this.#sites.restore(siteOf(url) ?? url, url, site)
    this.#sitesWritten = this.#sites.count
    this.#onFound(page, url, depth === 0)
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
    const slot = page & (recentMax - 1)
    if (this.#recentPages[slot] === page) return this.#recent[slot]
    const found = this.#shelf.found(page)
    this.#recentPages[slot] = page
    this.#recent[slot] = found
    return found
  }

  url(page: number): string {
    return this.found(page).url
  }

  /** Sites save their own state, and URLs stay on disk. */
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
