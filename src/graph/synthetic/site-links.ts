/**
 * Links between sites. They go mostly to home pages, and to sites in proportion to their popularity; and so that no
 * site is out of reach, sites hang below one another as in a directory: the home page of the site of popularity rank r
 * links to those of ranks 12 r + 1 … 12 r + 12.
 */
import { type Draws, part, siteKey, subkey, unitOf } from './draws.ts'
import type { LinkRuns } from './link-runs.ts'
import { model } from './model.ts'
import type { SiteTable } from './site-table.ts'
import { topicModel } from './topic-model.ts'
import type { Topics } from './topics.ts'

export class SiteLinks {
  readonly #sites: SiteTable
  readonly #key: number
  readonly #topics: Topics | undefined

  constructor(sites: SiteTable, webKey: number, topics?: Topics) {
    this.#sites = sites
    this.#key = webKey
    this.#topics = topics
  }

  /** Whether no page of the site links to another site; a lone page still does, having no other way to go. */
  isIsland(site: number): boolean {
    if (this.hasDirectory(site)) return false
    return unitOf(subkey(siteKey(this.#key, site), part.island)) < model.islandShare
  }

  /**
   * A page of some site, by chance even of the one that asks: calibration makes up for that. In a topical web it is mostly
   * a site of the topic of the page or section that asks.
   */
  draw(draws: Draws, fromSite: number, topic: number): number {
    const sites = this.#sites
    const site = this.#siteAbout(draws, fromSite, topic) ?? this.#popularSite(draws)
    const start = sites.start(site)
    const size = sites.end(site) - start
    const kind = draws.unit()
    const place = draws.unit()
    if (kind < model.homePageShare) return start
    // Where the menus of the whole site lead: close to its start, more often than not.
    const isPopular = kind < model.homePageShare + model.popularPageShare
    return start + Math.floor(size * (isPopular ? place * place * place : place))
  }

  #popularSite(draws: Draws): number {
    const u = draws.unit()
    return this.#sites.ofPopularity(Math.floor(this.#sites.sites * u * u * u * u))
  }

  /** Undefined: any site will do. A web without topics draws nothing here. */
  #siteAbout(draws: Draws, fromSite: number, topic: number): number | undefined {
    if (this.#topics === undefined || draws.unit() >= topicModel.sameTopicShare) return undefined
    const u = draws.unit()
    const site = this.#topics.siteAbout(topic, u * u * u * u)
    return site === fromSite ? undefined : site
  }

  /** Whether a directory hangs on the site's home page. */
  hasDirectory(site: number): boolean {
    return this.#sites.popularity(site) * model.directoryFanOut + 1 < this.#sites.sites
  }

  addDirectory(site: number, runs: LinkRuns): void {
    const first = this.#sites.popularity(site) * model.directoryFanOut + 1
    const end = Math.min(first + model.directoryFanOut, this.#sites.sites)
    for (let rank = first; rank < end; rank++) {
      const target = this.#sites.ofPopularity(rank)
      if (unitOf(subkey(siteKey(this.#key, target), part.directoryLost)) < model.directoryLostShare) continue
      runs.addPage(this.#sites.start(target))
    }
  }

  /** The home page of the site on whose directory this one stands; of the most popular site, of the next. */
  parentHome(site: number): number {
    const rank = this.#sites.popularity(site)
    const parent = rank === 0 ? 1 : Math.floor((rank - 1) / model.directoryFanOut)
    return this.#sites.start(this.#sites.ofPopularity(parent))
  }
}
