/**
 * Link farms: pages whose only purpose is to raise the rank of one page, the *target*. A farm is a target and
 * k boosting pages on a site of their own, numbered after all honest pages: the target, then its boosting
 * pages.
 *
 *   honest pages 0 … n - 1 | target, k boosting pages | target, k boosting pages | …
 *
 * The best farm of its size is a star: every boosting page links only to the target, and the target links
 * back to all of them, so that no score is lost. Farms gain more in an alliance, where the boosting pages of
 * each farm link to the targets of all. Gyöngyi and Garcia-Molina, "Web Spam Taxonomy" and "Link Spam
 * Alliances", 2005. In a clique all pages of a farm look important: Wu and Davison, "Identifying Link Farm
 * Spam Pages", 2005.
 *
 * Crawlers enter through a few *hijacked* links to each target, from honest pages that accept public
 * contributions. No link leads out of a farm.
 *
 * Links are a function of the key and the page, as in all synthetic webs. Hijacked links are stored in a
 * table, 8 bytes each.
 */
import { lowerBound } from '../web.ts'
import { Draws, part, subkey } from './draws.ts'

/**
 * alliance: as above, in groups of five; star: each farm on its own; clique: all pages of a farm link to one
 * another; none: the target links to its pages, which have no links.
 */
export const farmLinkKinds = ['alliance', 'star', 'clique', 'none'] as const
export type FarmLinks = (typeof farmLinkKinds)[number]

/**
 * How hijacked pages are chosen. any: uniformly; linked: the target of a random link, so that popular pages
 * are hijacked more often, as spammers prefer visible pages.
 */
export const hijackKinds = ['any', 'linked'] as const
export type HijackedFrom = (typeof hijackKinds)[number]

export interface FarmSettings {
  readonly farms: number
  /** Boosting pages per farm. */
  readonly farmPages: number
  readonly farmLinks: FarmLinks
  /** Links from honest pages to each target. */
  readonly hijackedLinks: number
  readonly hijackedFrom: HijackedFrom
}

export const farmDefaults = {
  farmPages: 100,
  farmLinks: 'alliance',
  hijackedLinks: 3,
  hijackedFrom: 'any',
} as const

const allianceFarms = 5
/** A page without links, such as an image, cannot be hijacked: another is drawn, up to this many times. */
const hijackTries = 16

export interface HonestPart {
  readonly pages: number
  /** The links of a page, valid until the next call. */
  linksOf(page: number): Uint32Array
}

export class Farms {
  readonly settings: FarmSettings
  /** The number of honest pages, which is also the first target. */
  readonly start: number
  /** One past the last boosting page. */
  readonly end: number
  /** Upper bound of the links of a farm page and of the hijacked links of an honest page. */
  readonly degreeMax: number
  readonly hijackedMax: number
  readonly #size: number
  /** Honest pages with hijacked links, ascending, and the farm that each link leads to. */
  readonly #hijacked: Uint32Array
  readonly #into: Uint32Array

  constructor(settings: FarmSettings, honest: HonestPart, webKey: number) {
    this.settings = settings
    this.#size = settings.farmPages + 1
    this.start = honest.pages
    this.end = this.target(settings.farms)
    this.degreeMax = settings.farms === 0 ? 0 : settings.farmPages + allianceFarms
    const { pages, farms } = hijackedLinks(settings, honest, webKey)
    this.#hijacked = pages
    this.#into = farms
    this.hijackedMax = longestRun(pages)
  }

  /** The target of a farm. For `settings.farms`, the total number of pages. */
  target(farm: number): number {
    return this.start + farm * this.#size
  }

  isFarmPage(page: number): boolean {
    return page >= this.start && page < this.end
  }

  isTarget(page: number): boolean {
    return this.isFarmPage(page) && (page - this.start) % this.#size === 0
  }

  /** The farm of a farm page. */
  farmOf(page: number): number {
    return Math.floor((page - this.start) / this.#size)
  }

  /** Writes the links of a farm page, ascending; returns their number. */
  write(page: number, into: Uint32Array): number {
    const { farms, farmPages, farmLinks } = this.settings
    const farm = this.farmOf(page)
    const own = this.target(farm)
    if (farmLinks === 'clique') return writeRange(own, own + farmPages + 1, page, into)
    const first = farmLinks === 'alliance' ? farm - (farm % allianceFarms) : farm
    const end = farmLinks === 'alliance' ? Math.min(first + allianceFarms, farms) : farm + 1
    if (page !== own && farmLinks === 'none') return 0
    let written = 0
    for (let ally = first; ally < end; ally++) {
      if (page !== this.target(ally)) into[written++] = this.target(ally)
      else for (let i = 1; i <= farmPages; i++) into[written++] = own + i
    }
    return written
  }

  /** Writes the hijacked links of an honest page after its own `count`; returns the new number of links. */
  addHijacked(page: number, into: Uint32Array, count: number): number {
    const hijacked = this.#hijacked
    let written = count
    for (let i = lowerBound(hijacked, page); i < hijacked.length && hijacked[i] === page; i++) {
      const target = this.target(this.#into[i])
      // Two links of one page to one target count as one.
      if (written === count || into[written - 1] !== target) into[written++] = target
    }
    return written
  }
}

/** In the order of pages, then of farms. */
function hijackedLinks(
  { farms, hijackedLinks: each, hijackedFrom }: FarmSettings,
  honest: HonestPart,
  webKey: number,
): { pages: Uint32Array; farms: Uint32Array } {
  const pages = new Uint32Array(farms * each)
  const draws = new Draws()
  const key = subkey(webKey, part.farms)
  for (let farm = 0; farm < farms; farm++) {
    draws.restart(subkey(key, farm))
    for (let link = 0; link < each; link++) {
      pages[farm * each + link] = hijackedPage(honest, hijackedFrom, draws)
    }
  }
  const order = pages.map((_, i) => i).sort((a, b) => pages[a] - pages[b] || a - b)
  return { pages: order.map((i) => pages[i]), farms: order.map((i) => Math.floor(i / each)) }
}

/** A page with links of its own, if one is found within `hijackTries`. */
function hijackedPage(honest: HonestPart, from: HijackedFrom, draws: Draws): number {
  let page = 0
  for (let tries = 0; tries < hijackTries; tries++) {
    page = draws.below(honest.pages)
    if (from === 'linked') {
      const links = honest.linksOf(page)
      if (links.length === 0) continue
      page = links[draws.below(links.length)]
    }
    if (honest.linksOf(page).length > 0) return page
  }
  return page
}

/** All numbers of a range except one. */
function writeRange(from: number, to: number, except: number, into: Uint32Array): number {
  let written = 0
  for (let page = from; page < to; page++) if (page !== except) into[written++] = page
  return written
}

function longestRun(ascending: Uint32Array): number {
  let longest = 0
  let run = 0
  ascending.forEach((value, i) => {
    run = i > 0 && ascending[i - 1] === value ? run + 1 : 1
    longest = Math.max(longest, run)
  })
  return longest
}
