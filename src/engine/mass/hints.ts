/**
 * What pages are worth beside their mass because a sitemap or feed lists them. No link leads there, so this is for the order
 * only and no part of any mass: a listed page is ordered as if its parent had one more link, and pages that are first found
 * on it as if it had that mass to pass on.
 */
import type { StateCodec } from '../../lib/state.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import { noParent, type StrategyServices } from '../strategy.ts'

export class Hints {
  readonly #worth = new GrowingFloat64(0)
  readonly #damping: number
  readonly #services: () => StrategyServices

  constructor(damping: number, services: () => StrategyServices) {
    this.#damping = damping
    this.#services = services
  }

  of(page: number): number {
    return page < this.#worth.length ? this.#worth.array[page] : 0
  }

  discovered(page: number, parent: number): void {
    if (parent === noParent || this.of(parent) === 0) return
    this.#set(page, this.of(parent), this.#linksOf(parent))
  }

  /** A sitemap or feed of `parent`, which has this mass, lists a new page. */
  listed(page: number, parent: number, mass: number): void {
    this.#set(page, mass, this.#linksOf(parent) + 1)
  }

  #linksOf(page: number): number {
    const { links } = this.#services()
    links.seek(page)
    return links.end - links.start
  }

  #set(page: number, mass: number, links: number): void {
    this.#worth.ensure(page)
    this.#worth.array[page] = (this.#damping * mass) / Math.max(1, links)
  }

  transfer(state: StateCodec): void {
    state.growing(this.#worth)
  }
}
