/**
 * The links of one page, composed of
 *
 *   the tree       its children in its section, and the heads of the ranges below it: makes pages reachable
 *   the menu       its section's menu, with occasional gaps: most links, and the reason why neighbours are alike
 *   siblings       the previous and the next page, in some sections
 *   the text       its own links, near ones more often than far ones; their number has a heavy tail
 *   other sites    in menu and text; on the home page also the directory
 *
 * All are a function of the page and the web's key; the last section is cached for speed only.
 */
import { Draws, part, subkey, unitOf } from './draws.ts'
import { LinkRuns } from './link-runs.ts'
import { degreeMax, model } from './model.ts'
import { type LinkRates, Section } from './section.ts'
import { SiteLinks } from './site-links.ts'
import type { SiteTable } from './site-table.ts'
import type { Topics } from './topics.ts'

export class PageLinks {
  #rates: LinkRates
  readonly #sites: SiteTable
  readonly #siteLinks: SiteLinks
  readonly #section: Section
  readonly #pages: number
  readonly #topics: Topics | undefined
  readonly #runs = new LinkRuns(degreeMax)
  readonly #draws = new Draws()

  constructor(pages: number, sites: SiteTable, webKey: number, rates: LinkRates, topics?: Topics) {
    this.#rates = rates
    this.#pages = pages
    this.#sites = sites
    this.#siteLinks = new SiteLinks(sites, webKey, topics)
    this.#section = new Section(sites, this.#siteLinks, webKey, topics)
    this.#topics = topics
  }

  setRates(rates: LinkRates): void {
    this.#rates = rates
    this.#section.leave()
  }

  /** Whether the page has no children. Only such pages may be dangling. */
  isTip(page: number): boolean {
    this.#section.enter(page, this.#rates)
    const section = this.#section
    if ((page - section.start) * section.fanOut + 1 < section.end - section.start) return false
    const { path } = section
    if (path.depth > 1 && path.starts[path.depth - 2] === page) return false
    return page !== path.starts[0] || !this.#siteLinks.hasDirectory(section.site)
  }

  /** Writes the links of `page` into `into`, ascending; returns their number. */
  write(page: number, into: Uint32Array): number {
    this.#section.enter(page, this.#rates)
    const draws = this.#draws
    draws.restart(this.#section.pagesKey + page)
    if (draws.unit() < this.#rates.danglingChance && this.isTip(page)) return 0
    const runs = this.#runs
    runs.clear()
    this.#addMenu()
    this.#addTree(page)
    this.#addText(page)
    runs.sort()
    const written = runs.write(into, page)
    if (written > 0 || this.#pages === 1) return written
    into[0] = this.#wayUp(page)
    return 1
  }

  #addMenu(): void {
    const { menu } = this.#section
    const { starts, ends, count } = menu
    for (let i = 0; i < count; i++) {
      if (this.#draws.unit() >= model.menuSkippedShare) this.#runs.add(starts[i], ends[i])
    }
  }

  #addTree(page: number): void {
    const section = this.#section
    const { path } = section
    const runs = this.#runs
    const offset = page - section.start
    const size = section.end - section.start
    if (section.siblings) {
      if (offset > 0) runs.addPage(page - 1)
      if (offset < size - 1) runs.addPage(page + 1)
    }
    const first = offset * section.fanOut + 1
    const end = Math.min(first + section.fanOut, size)
    let from = first
    for (let child = first; child < end; child++) {
      if (!section.isChildLost(child)) continue
      runs.add(section.start + from, section.start + child)
      from = child + 1
    }
    if (from < end) runs.add(section.start + from, section.start + end)
    if (offset > 0) return
    for (let depth = path.depth - 2; depth >= 0 && path.starts[depth] === page; depth--) {
      const isLost = unitOf(subkey(path.keys[depth], part.headLost)) < model.headLostShare
      if (!isLost) runs.addPage(path.cuts[depth])
    }
    if (page === path.starts[0]) this.#siteLinks.addDirectory(section.site, runs)
  }

  #addText(page: number): void {
    const section = this.#section
    const { path } = section
    const draws = this.#draws
    const scopes = path.depth - path.closedDepth
    const links = draws.inverseSquare(model.textRunsMax) - 1
    for (let i = 0; i < links; i++) {
      const u = draws.unit()
      const depth = path.depth - 1 - Math.floor(u * u * scopes)
      const place = draws.unit()
      const from = path.starts[depth] + Math.floor(place * place * place * path.sizes[depth])
      const length = draws.inverseSquare(model.textRunPagesMax)
      this.#runs.add(from, Math.min(from + length, path.starts[depth] + path.sizes[depth]))
    }
    if (!section.open) return
    const outer = draws.near(this.#rates.outerLinks * (1 - model.outerMenuShare))
    const topic = this.#topics?.ofPage(page, path, section.topic) ?? 0
    for (let i = 0; i < outer; i++) this.#runs.addPage(this.#siteLinks.draw(draws, section.site, topic))
  }

  /** The link of a page that would otherwise have none, so that only dangling pages have no links. */
  #wayUp(page: number): number {
    const section = this.#section
    if (page !== section.start) return section.start
    const home = section.path.starts[0]
    if (page !== home) return home
    return this.#sites.sites > 1 ? this.#siteLinks.parentHome(section.site) : (page + 1) % this.#pages
  }
}
