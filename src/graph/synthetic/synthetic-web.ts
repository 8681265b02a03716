/**
 * A synthetic web of any size: heavy-tailed sites, power-law degrees, menus that neighbours share, sections that one
 * reaches from home pages, dangling pages. docs/synthetic-web.md has the model and how it compares with real webs.
 *
 * The links of a page are a function of the seed and the page: pages can be made in any order, in parts and in
 * parallel. Memory is 12 bytes a site and nothing a page. In order of number, some millions of pages a second.
 */
import { calibrate } from './calibration.ts'
import { siteKey, webKey } from './draws.ts'
import { degreeMax } from './model.ts'
import { PageLinks } from './page-links.ts'
import { pageUrl } from './page-url.ts'
import { SectionPath } from './section-path.ts'
import { SiteTable } from './site-table.ts'
import {
  type SyntheticWebOptions,
  type SyntheticWebSettings,
  syntheticWebSettings,
} from './synthetic-options.ts'

export class SyntheticWeb {
  readonly settings: SyntheticWebSettings
  readonly pages: number
  readonly sites: number
  /** Room that `linksOf` may need. */
  readonly degreeMax = degreeMax
  readonly #key: number
  readonly #sites: SiteTable
  readonly #links: PageLinks
  readonly #path = new SectionPath()

  constructor(options: SyntheticWebOptions) {
    const settings = syntheticWebSettings(options)
    this.settings = settings
    this.pages = settings.pages
    this.sites = settings.sites
    this.#key = webKey(settings.seed)
    this.#sites = new SiteTable(settings.pages, settings.sites, settings.siteSizeExponent, this.#key)
    this.#links = new PageLinks(settings.pages, this.#sites, this.#key, {
      danglingChance: 0,
      menuEntries: 0,
      outerLinks: 0,
    })
    calibrate(this.#links, this.#sites, settings, this.#key)
  }

  /** Sites are numbered from 0 and are contiguous ranges of pages. */
  siteOf(page: number): number {
    return this.#sites.siteOf(page)
  }

  /** The first page of a site, its home page; of `sites`, the number of pages. */
  siteStart(site: number): number {
    return this.#sites.start(site)
  }

  /** Writes the links of `page` into `into`: ascending, each once, never to itself. Returns how many. */
  linksOf(page: number, into: Uint32Array): number {
    return this.#links.write(page, into)
  }

  /** An address for the page, different from all others: `http://site-0042.example/2-0-1/0/page-0003.html`. */
  urlOf(page: number): string {
    const site = this.#sites.siteOf(page)
    const start = this.#sites.start(site)
    this.#path.descend(page, start, this.#sites.end(site) - start, siteKey(this.#key, site))
    return pageUrl(page, site, this.sites, this.#path)
  }
}
