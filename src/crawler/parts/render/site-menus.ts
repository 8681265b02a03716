/**
 * The links that most pages of a site have: its menu. A page with scripts and no other links is suspicious: its own links may be
 * made by a script. Only links of the first pages of a site can be in its menu, so that the table stays small.
 */
import type { StateCodec } from '../../../lib/state.ts'

const firstPages = 3
const linksMax = 64
/** Pages of other kinds, such as those of an application, may lack it. */
const menuShare = 0.5

interface Menu {
  pages: number
  /** By page: how many pages of the site link to it. */
  readonly counts: Map<number, number>
}

export class SiteMenus {
  readonly #menus = new Map<number, Menu>()

  /** A page of this site was fetched, with `links[0] … links[count - 1]`. */
  fetched(site: number, links: Uint32Array, count: number): void {
    if (count === 0) return
    let menu = this.#menus.get(site)
    if (menu === undefined) this.#menus.set(site, (menu = { pages: 0, counts: new Map() }))
    const isFirst = menu.pages++ < firstPages
    for (let i = 0; i < count; i++) {
      const before = menu.counts.get(links[i])
      if (before !== undefined) menu.counts.set(links[i], before + 1)
      else if (isFirst && menu.counts.size < linksMax) menu.counts.set(links[i], 1)
    }
  }

  /** Whether all of these links are in the menu. False if too few pages of the site are known. */
  isAll(site: number, links: Iterable<number>): boolean {
    const menu = this.#menus.get(site)
    if (menu === undefined || menu.pages < firstPages) return false
    for (const link of links) if ((menu.counts.get(link) ?? 0) < menuShare * menu.pages) return false
    return true
  }

  transfer(state: StateCodec): void {
    state.section('render-menus', 1)
    const menus = [...this.#menus]
    const sites = state.array(
      Float64Array.from(menus.flatMap(([site, { pages, counts }]) => [site, pages, counts.size])),
    )
    const links = state.array(Float64Array.from(menus.flatMap(([, { counts }]) => [...counts].flat())))
    if (!state.isReading) return
    this.#menus.clear()
    let at = 0
    for (let i = 0; i < sites.length; i += 3) {
      const counts = new Map<number, number>()
      for (let n = 0; n < sites[i + 2]; n++, at += 2) counts.set(links[at], links[at + 1])
      this.#menus.set(sites[i], { pages: sites[i + 1], counts })
    }
  }
}
