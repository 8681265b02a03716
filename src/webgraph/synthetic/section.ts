/**
 * A section: neighbouring pages with similar links. Its menu, the links that nearly every page of it has, is
 * built once and cached until another section is entered, which favours access in page order.
 *
 * Menus are inherited. Every range around the section has its own entries, drawn from the range's key, and a
 * section shows the first few entries of each range around it. So all sections of a directory share the
 * directory's entries, and all directories share the site's.
 */
import { Draws, part, siteKey, subkey, unitOf } from './draws.ts'
import { LinkRuns } from './link-runs.ts'
import { model } from './model.ts'
import { SectionPath } from './section-path.ts'
import type { SiteLinks } from './site-links.ts'
import type { SiteTable } from './site-table.ts'
import type { Topics } from './topics.ts'

/** The three rates that calibration finds, at which the web has the requested totals. */
export interface LinkRates {
  /** The probability that a page without children has no links. */
  readonly danglingChance: number
  /** Menu entries of a large range in a section that shows the maximum. */
  readonly menuEntries: number
  /** Links to other sites per page that may have any. */
  readonly outerLinks: number
}

export class Section {
  site = 0
  start = 0
  /** One past its last page; 0 before any page has been entered. */
  end = 0
  /** Children of the page at offset j are at j * fanOut + 1 … j * fanOut + fanOut. */
  fanOut = 1
  /** Whether pages link to the previous and the next page. */
  siblings = false
  /** Whether links to other sites are possible: neither the site nor a range around the section is closed. */
  open = false
  /** Always 0 without topics. */
  topic = 0
  /** Page p draws from pagesKey + p. */
  pagesKey = 0
  #childrenKey = 0
  readonly path = new SectionPath()
  /** In ascending order of starts. */
  readonly menu = new LinkRuns(model.menuLinksMax)
  readonly #sites: SiteTable
  readonly #siteLinks: SiteLinks
  readonly #webKey: number
  readonly #topics: Topics | undefined
  readonly #draws = new Draws()

  constructor(sites: SiteTable, siteLinks: SiteLinks, webKey: number, topics?: Topics) {
    this.#topics = topics
    this.#sites = sites
    this.#siteLinks = siteLinks
    this.#webKey = webKey
  }

  /** Makes this the section of `page`. */
  enter(page: number, rates: LinkRates): void {
    if (page >= this.start && page < this.end) return
    const { path } = this
    this.site = this.#sites.siteOf(page)
    const siteStart = this.#sites.start(this.site)
    const siteSize = this.#sites.end(this.site) - siteStart
    path.descend(page, siteStart, siteSize, siteKey(this.#webKey, this.site))
    const key = path.sectionKey
    this.start = path.sectionStart
    this.end = this.start + path.sectionSize
    this.pagesKey = subkey(key, part.pages)
    this.#childrenKey = subkey(key, part.children)
    this.open = path.closedDepth === 0 && !this.#siteLinks.isIsland(this.site)
    this.topic = this.#topics?.ofSection(path, this.site) ?? 0
    const draws = this.#draws
    draws.restart(subkey(key, part.taste))
    this.fanOut = drawFanOut(path.sectionSize, draws)
    this.siblings = draws.unit() < model.siblingShare
    // A power of u is nearly log-uniform: about as many sections with 2 to 4 menu links as with 16 to 32.
    const u = draws.unit()
    this.#makeMenu(rates, u * u * u)
  }

  /** Drops the cached section, after the rates have changed. */
  leave(): void {
    this.start = 0
    this.end = 0
  }

  /** Whether the link from the parent to the page at this offset is missing. */
  isChildLost(offset: number): boolean {
    return unitOf(subkey(this.#childrenKey, offset)) < model.childLostShare
  }

  #makeMenu(rates: LinkRates, taste: number): void {
    const { path, menu } = this
    const draws = this.#draws
    menu.clear()
    let room: number = model.menuLinksMax
    if (this.open) {
      const outer = draws.near(rates.outerLinks * model.outerMenuShare)
      for (let i = 0; i < outer; i++, room--) menu.addPage(this.#siteLinks.draw(draws, this.site, this.topic))
    }
    draws.restart(subkey(path.sectionKey, part.wayUp))
    if (draws.unit() < model.wayUpShare) {
      const u = draws.unit()
      menu.addPage(path.starts[path.closedDepth + Math.floor(u * u * (path.depth - path.closedDepth))])
      room--
    }
    for (let depth = path.closedDepth; depth < path.depth; depth++) {
      room = this.#addEntries(depth, rates.menuEntries * taste, room)
    }
    menu.sort()
  }

  /** Adds the first entries of a range, at most `room` links; returns the remaining room. */
  #addEntries(depth: number, entriesAsked: number, room: number): number {
    const start = this.path.starts[depth]
    const size = this.path.sizes[depth]
    const draws = this.#draws
    draws.restart(subkey(this.path.keys[depth], part.menu))
    const entries = draws.near((entriesAsked * size) / (size + model.menuPagesTypical))
    for (let entry = 0; entry < entries && room > 0; entry++) {
      const u = draws.unit()
      // The first entry is the head; the others are closer to it than to the end.
      const from = entry === 0 ? start : start + Math.floor(u * u * u * size)
      const to = Math.min(from + draws.inverseSquare(model.menuRunPagesMax), start + size, from + room)
      this.menu.add(from, to)
      room -= to - from
    }
    return room
  }
}

function drawFanOut(size: number, draws: Draws): number {
  const kind = draws.unit()
  const fanOut = 1 + draws.inverseSquare(model.treeFanOutMax)
  if (kind < model.treeShare) return fanOut
  // Chains of hundreds of pages are unrealistic: long sections have a list.
  return kind < model.treeShare + model.chainShare && size <= model.chainPagesMax ? 1 : size
}
