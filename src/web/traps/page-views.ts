/**
 * Views of pages: the same path with other queries, such as the versions of a wiki page, their differences, and a list in
 * every order. A single program with queries (`/index.php?title=…`) may be a whole site, but if many paths have many queries
 * each, these show the same pages again. Such views are put last.
 *
 * 16 bytes and a slot in a table for each path with a query.
 */
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { Numbering } from './numbering.ts'

/** A path with this many fetched queries has many views. */
const viewsMin = 4
/** The views of a site wait if this many of its paths have many views, */
const pathsMin = 8
/** with at most this many views for each of these paths, */
const viewsMax = 64
/** unless they are this share of the crawl. */
const mainShare = 0.5

/** The URL without its query; undefined if it has none. */
export function pathOf(url: string): string | undefined {
  const query = url.indexOf('?')
  return query < 0 ? undefined : url.slice(0, query)
}

export class PageViews {
  readonly #paths = new Numbering()
  readonly #sites = new Numbering()
  /** Fetched views by path and by site, and the paths of each site that have many. */
  readonly #ofPath = new GrowingFloat64(64)
  readonly #ofSite = new GrowingFloat64(64)
  readonly #many = new GrowingFloat64(64)
  #fetched = 0

  fetched(host: string, url: string): void {
    this.#fetched++
    const path = pathOf(url)
    if (path === undefined) return
    const number = this.#paths.add(path)
    const site = this.#sites.add(host)
    if (number === undefined || site === undefined) return
    this.#ofPath.ensure(number)
    this.#ofSite.ensure(site)
    this.#many.ensure(site)
    this.#ofSite.array[site]++
    if (++this.#ofPath.array[number] === viewsMin) this.#many.array[site]++
  }

  /** Whether the views of this host's pages wait. */
  wait(host: string): boolean {
    const site = this.#sites.find(host)
    if (site === undefined) return false
    const views = this.#ofSite.array[site]
    const many = this.#many.array[site]
    return many >= pathsMin && views <= viewsMax * many && views < mainShare * this.#fetched
  }

  transfer(state: StateCodec): void {
    state.section('page views', 1)
    this.#paths.transfer(state)
    this.#sites.transfer(state)
    state.growing(this.#ofPath)
    state.growing(this.#ofSite)
    state.growing(this.#many)
    this.#fetched = state.number(this.#fetched)
  }
}
