/**
 * Links between sites. Most lead to home pages, and to sites in proportion to their popularity. To keep every
 * site reachable, sites form a tree of directories: the home page of the site of popularity rank r links to
 * those of ranks 12 r + 1 … 12 r + 12.
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

  /**
   * Whether no page of the site links to another site. A site of one page still does, as it has no other
   * links.
   */
  isIsland(site: number): boolean {
    if (this.hasDirectory(site)) return false
    return unitOf(subkey(siteKey(this.#key, site), part.island)) < model.islandShare
  }

  /**
   * A page of a random site. It may be the site that has the link: calibration corrects for that. In a
   * topical web it is mostly a site of the topic of the linking page or section.
   */
  draw(draws: Draws, fromSite: number, topic: number): number {
    const sites = this.#sites
    const site = this.#siteAbout(draws, fromSite, topic) ?? this.#popularSite(draws)
    const start = sites.start(site)
    const size = sites.end(site) - start
    const kind = draws.unit()
    const place = draws.unit()
    if (kind < model.homePageShare) return start
    // A page in the menus of the whole site: mostly close to its start.
    const isPopular = kind < model.homePageShare + model.popularPageShare
    return start + Math.floor(size * (isPopular ? place * place * place : place))
  }

  #popularSite(draws: Draws): number {
    const u = draws.unit()
    return this.#sites.ofPopularity(Math.floor(this.#sites.sites * u * u * u * u))
  }

  /** Undefined means any site. A web without topics draws nothing here. */
  #siteAbout(draws: Draws, fromSite: number, topic: number): number | undefined {
    if (this.#topics === undefined || draws.unit() >= topicModel.sameTopicShare) return undefined
    const u = draws.unit()
    const site = this.#topics.siteAbout(topic, u * u * u * u)
    return site === fromSite ? undefined : site
  }

  /** Whether the site's home page has a directory. */
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

  /**
   * The home page of the site whose directory lists this one; for the most popular site, that of the next.
   */
  parentHome(site: number): number {
    const rank = this.#sites.popularity(site)
    const parent = rank === 0 ? 1 : Math.floor((rank - 1) / model.directoryFanOut)
    return this.#sites.start(this.#sites.ofPopularity(parent))
  }
}
