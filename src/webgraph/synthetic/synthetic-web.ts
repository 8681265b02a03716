/**
 * A synthetic web of any size, with heavy-tailed site sizes, power-law degrees, menus shared by neighbours,
 * sections reachable from home pages, and dangling pages. docs/theory/synthetic-web.md describes the model and
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
import { siteKey, webKey, Draws, part, subkey } from './draws.ts'
import { Farms, type FarmSettings } from './farms.ts'
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
import type { LinkRates } from './section.ts'
import { sharedUint32 } from '../../lib/shared-memory.ts'
import { CompressedGraphBuilder } from '../compressed-graph.ts'
import { webOf, type Web } from '../web.ts'

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

/**
 * Finds the rates at which the web has the requested totals: generates the links of a sample of pages (all,
 * up to 32,768) a few times and corrects the rates by the result each time. Takes some tenths of a second for
 * any size of web. Overlapping menus, sites too small for their links and closed sections need no separate
 * treatment.
 */

const samplePagesMax = 1 << 15
const roundsMax = 10
const tolerance = 0.005
const menuEntriesMax = 200
const outerLinksMax = 100

/** Sets the rates of `links`. */
function calibrate(links: PageLinks, sites: SiteTable, settings: SyntheticWebSettings, webKey: number): void {
  const sample = samplePages(settings.pages, webKey)
  const tips = count(sample, (page) => links.isTip(page))
  const danglingChance = tips === 0 ? 0 : Math.min(1, (settings.danglingShare * sample.length) / tips)
  const outerAsked = sites.sites === 1 ? 0 : settings.linksPerPage * (1 - settings.inSiteShare)
  const innerAsked = settings.linksPerPage - outerAsked
  let rates: LinkRates = { danglingChance, menuEntries: 0, outerLinks: outerAsked }
  links.setRates(rates)
  // Links without menus. The others grow with the rate, nearly in proportion.
  const bare = sampleMeans(links, sites, sample).inner
  rates = { ...rates, menuEntries: 3 }
  for (let round = 0; round < roundsMax; round++) {
    links.setRates(rates)
    const { inner, outer } = sampleMeans(links, sites, sample)
    if (isNear(inner, innerAsked) && isNear(outer, outerAsked)) return
    rates = {
      danglingChance,
      menuEntries: corrected(rates.menuEntries, innerAsked - bare, inner - bare, menuEntriesMax),
      outerLinks: corrected(rates.outerLinks, outerAsked, outer, outerLinksMax),
    }
  }
  links.setRates(rates)
}

function isNear(came: number, asked: number): boolean {
  return Math.abs(came - asked) <= tolerance * asked
}

function corrected(rate: number, asked: number, came: number, most: number): number {
  if (asked <= 0) return 0
  return Math.min(most, came <= 0 ? 2 * rate : (rate * asked) / came)
}

function samplePages(pages: number, webKey: number): Float64Array {
  if (pages <= samplePagesMax) return new Float64Array(pages).map((_, page) => page)
  const draws = new Draws()
  draws.restart(subkey(webKey, part.sample))
  return new Float64Array(samplePagesMax).map(() => draws.below(pages))
}

function count(pages: Float64Array, holds: (page: number) => boolean): number {
  return pages.reduce((sum, page) => sum + (holds(page) ? 1 : 0), 0)
}

/** Mean number of links per page within the site and to other sites. */
function sampleMeans(
  links: PageLinks,
  sites: SiteTable,
  sample: Float64Array,
): { inner: number; outer: number } {
  const into = new Uint32Array(degreeMax)
  let inner = 0
  let outer = 0
  for (const page of sample) {
    const degree = links.write(page, into)
    const site = sites.siteOf(page)
    const start = sites.start(site)
    const end = sites.end(site)
    for (let i = 0; i < degree; i++) {
      if (into[i] >= start && into[i] < end) inner++
      else outer++
    }
  }
  return { inner: inner / sample.length, outer: outer / sample.length }
}

/**
 * Adds link farms to any stored web. The web's own pages keep their numbers and their links, and some get
 * hijacked links.
 */

/** Ids become page numbers, and URLs are dropped: farms have none. Each farm is a site. */
export function farmedWeb(honest: Web, settings: FarmSettings, seed: number): { web: Web; farms: Farms } {
  const { graph, sites } = honest
  const cursor = graph.cursor()
  const linksOf = (page: number): Uint32Array => {
    cursor.seek(page)
    return cursor.targets.subarray(cursor.start, cursor.end)
  }
  const farms = new Farms(settings, { pages: graph.pages, linksOf }, webKey(seed))
  const builder = new CompressedGraphBuilder()
  let list = new Uint32Array(farms.degreeMax)
  for (let page = 0; page < farms.start; page++) {
    const links = linksOf(page)
    const room = links.length + farms.hijackedMax
    if (list.length < room) list = new Uint32Array(2 * room)
    list.set(links)
    builder.append(list, 0, farms.addHijacked(page, list, links.length))
  }
  for (let page = farms.start; page < farms.end; page++) builder.append(list, 0, farms.write(page, list))
  const ofPage = sharedUint32(farms.end)
  ofPage.set(sites.ofPage)
  for (let page = farms.start; page < farms.end; page++) ofPage[page] = sites.count + farms.farmOf(page)
  const keys = Uint32Array.from(
    { length: sites.count + settings.farms },
    (_, site) => sites.keys[site] ?? site,
  )
  const givenSites = { count: keys.length, ofPage, keys }
  return { web: webOf({ graph: builder.finish(), givenSites }), farms }
}
