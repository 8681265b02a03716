/**
 * The links of fetched pages on their way to the strategy: new pages are discovered, every link carries its share, and
 * the lists are kept if the strategy needs them.
 */
import { assert } from '../lib/assert.ts'
import type { StateCodec } from '../lib/state.ts'
import type { KnownLinks } from './known-links.ts'
import { failedBy, type PageStates } from './page-states.ts'
import { noParent, type Strategy } from './strategy.ts'
import type { WaitingPages } from './waiting-pages.ts'
import { noSite } from './world.ts'

const noLinks: ReadonlySet<number> = new Set()

interface FoundLinksParts {
  readonly strategy: Strategy
  readonly pages: PageStates
  readonly waiting: WaitingPages
  /** Undefined if the lists are not kept. */
  readonly kept: KnownLinks | undefined
}

export class FoundLinks {
  readonly #strategy: Strategy
  readonly #pages: PageStates
  readonly #waiting: WaitingPages
  readonly #kept: KnownLinks | undefined

  constructor({ strategy, pages, waiting, kept }: FoundLinksParts) {
    this.#strategy = strategy
    this.#pages = pages
    this.#waiting = waiting
    this.#kept = kept
  }

  discover(site: number, parent: number): void {
    const page = this.#pages.add(site)
    const score = this.#strategy.discovered(page, parent)
    if (site === noSite) this.#pages.set(page, failedBy('scope'))
    else this.#waiting.add(page, score)
  }

  /** The links of a page fetched for the first time. Returns the number of new pages. */
  first(page: number, links: Uint32Array, linkCount: number, newSites: Uint32Array): number {
    const pages = this.#pages
    const knownBefore = pages.known
    this.#kept?.append(page, links, linkCount)
    const share = this.#strategy.visited(page, linkCount)
    for (let i = 0; i < linkCount; i++) {
      const target = links[i]
      if (target >= pages.known) {
        assert(target === pages.known, 'pages must be numbered in discovery order')
        this.discover(newSites[pages.known - knownBefore], page)
      }
      if (share !== 0) this.#waiting.rekey(target, this.#strategy.linked(target, share))
    }
    return pages.known - knownBefore
  }

  /** The links of a held page that has changed: those that it did not have before carry a share. Returns the number of new pages. */
  again(page: number, links: Uint32Array, linkCount: number, newSites: Uint32Array): number {
    const pages = this.#pages
    const knownBefore = pages.known
    const old = this.#kept?.setOf(page) ?? noLinks
    let newCount = 0
    for (let i = 0; i < linkCount; i++) if (!old.has(links[i])) newCount++
    this.#strategy.relinking?.(page)
    this.#kept?.replace(page, links, linkCount)
    const share = this.#strategy.relinked?.(page, linkCount, newCount) ?? 0
    for (let i = 0; i < linkCount; i++) {
      const target = links[i]
      if (target >= pages.known) {
        assert(target === pages.known, 'pages must be numbered in discovery order')
        this.discover(newSites[pages.known - knownBefore], page)
      }
      if (share !== 0 && !old.has(target)) this.#waiting.rekey(target, this.#strategy.linked(target, share))
    }
    this.#strategy.rerouted?.(page)
    return pages.known - knownBefore
  }

  /** A sitemap or feed of `parent` lists a new page: it gets the share of a link from there. */
  listed(site: number, parent: number): void {
    const page = this.#pages.known
    this.discover(site, parent)
    if (parent === noParent || this.#kept === undefined) return
    if (this.#strategy.hinted !== undefined) {
      this.#strategy.hinted(page, parent)
      this.#waiting.rekey(page, this.#strategy.score(page))
      return
    }
    this.#kept.seek(parent)
    const share = this.#strategy.relinked?.(parent, this.#kept.end - this.#kept.start + 1, 1) ?? 0
    if (share !== 0) this.#waiting.rekey(page, this.#strategy.linked(page, share))
  }

  transfer(state: StateCodec): void {
    this.#kept?.transfer(state)
  }

  get byteLength(): number {
    return this.#kept?.byteLength ?? 0
  }
}
