/**
 * A synthetic web of any size, with heavy-tailed site sizes, power-law degrees, menus shared by neighbours,
 * sections reachable from home pages, and dangling pages. docs/synthetic-web.md describes the model and
 * compares it with real webs.
 *
 * The links of a page are a function of the seed and the page: pages can be generated in any order, in parts
 * and in parallel. Memory is 12 bytes per site and nothing per page. In page order it generates some millions
 * of pages per second.
 *
 * Link farms (`farms.ts`) come after the honest pages and sites, which are the same with and without them,
 * except for hijacked links. With topics (`topics.ts`) it is a different web: pages have topics, and most
 * links lead to pages of the same topic.
 */
import { calibrate } from './calibration.ts'
import { siteKey, webKey } from './draws.ts'
import { Farms } from './farms.ts'
import { degreeMax } from './model.ts'
import { PageLinks } from './page-links.ts'
import { PageTopics } from './page-topics.ts'
import { farmUrl, pageUrl } from './page-url.ts'
import { SectionPath } from './section-path.ts'
import { SiteTable } from './site-table.ts'
import {
  type SyntheticWebOptions,
  type SyntheticWebSettings,
  syntheticWebSettings,
} from './synthetic-options.ts'
import { Topics } from './topics.ts'

export class SyntheticWeb {
  readonly settings: SyntheticWebSettings
  /** All pages; the first `farms.start` are honest. */
  readonly pages: number
  readonly sites: number
  readonly farms: Farms
  /** Undefined without topics. */
  readonly topics: PageTopics | undefined
  /** The capacity that `linksOf` may need. */
  readonly degreeMax: number
  readonly #key: number
  readonly #sites: SiteTable
  readonly #links: PageLinks
  readonly #path = new SectionPath()

  constructor(options: SyntheticWebOptions) {
    const settings = syntheticWebSettings(options)
    this.settings = settings
    this.#key = webKey(settings.seed)
    this.#sites = new SiteTable(settings.pages, settings.sites, settings.siteSizeExponent, this.#key)
    const topics = settings.topics === 0 ? undefined : new Topics(settings.topics, this.#sites, this.#key)
    const noRates = { danglingChance: 0, menuEntries: 0, outerLinks: 0 }
    this.#links = new PageLinks(settings.pages, this.#sites, this.#key, noRates, topics)
    calibrate(this.#links, this.#sites, settings, this.#key)
    const scratch = new Uint32Array(degreeMax)
    const linksOf = (page: number): Uint32Array => scratch.subarray(0, this.#links.write(page, scratch))
    this.farms = new Farms(settings, { pages: settings.pages, linksOf }, this.#key)
    this.topics = topics && new PageTopics(topics, this.#sites, this.farms, this.#key)
    this.pages = this.farms.end
    this.sites = settings.sites + settings.farms
    this.degreeMax = Math.max(degreeMax + this.farms.hijackedMax, this.farms.degreeMax)
  }

  /** Sites are numbered from 0 and are contiguous ranges of pages. */
  siteOf(page: number): number {
    return this.isFarmPage(page) ? this.settings.sites + this.farms.farmOf(page) : this.#sites.siteOf(page)
  }

  /** The first page of a site, its home page. For `sites`, the number of pages. */
  siteStart(site: number): number {
    const farm = site - this.settings.sites
    return farm < 0 ? this.#sites.start(site) : this.farms.target(farm)
  }

  isFarmPage(page: number): boolean {
    return this.farms.isFarmPage(page)
  }

  /** Writes the links of `page` into `into`: ascending, each once, never to itself. Returns their number. */
  linksOf(page: number, into: Uint32Array): number {
    if (this.isFarmPage(page)) return this.farms.write(page, into)
    return this.farms.addHijacked(page, into, this.#links.write(page, into))
  }

  /** A unique URL for the page: `http://site-0042.example/2-0-1/0/page-0003.html`. */
  urlOf(page: number): string {
    if (this.isFarmPage(page)) return farmUrl(page, this.farms)
    const site = this.#sites.siteOf(page)
    const start = this.#sites.start(site)
    this.#path.descend(page, start, this.#sites.end(site) - start, siteKey(this.#key, site))
    return pageUrl(page, site, this.settings.sites, this.#path, this.topics?.urlWords(page))
  }
}
