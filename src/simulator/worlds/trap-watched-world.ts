/**
 * Adds trap detection to a stored web: refused pages are reported as such and not requested from the wrapped
 * world. A graph has no copies, so only URLs and links count here.
 */
import type { World, WorldListener } from '../../engine/world.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import type { TrapWatch } from '../../web/traps/trap-watch.ts'

interface TrapWatchedOptions {
  readonly world: World
  readonly traps: TrapWatch
  /** The URL of a page of the crawl. */
  readonly url: (page: number) => string
  readonly seeds: number
  /** Whether a page may be put last. */
  readonly mayDemote: (page: number) => boolean
}

const none = 0xffffffff

type Told =
  | { readonly kind: 'refused' | 'last'; readonly page: number }
  | { readonly kind: 'closed'; readonly site: number }

export class TrapWatchedWorld implements World {
  readonly #options: TrapWatchedOptions
  readonly #parents = new GrowingUint32()
  readonly #urls = new Set<string>()
  #known: number
  #told: Told[] = []

  constructor(options: TrapWatchedOptions) {
    this.#options = options
    this.#known = options.seeds
    for (let seed = 0; seed < options.seeds; seed++) this.#found(seed, none)
  }

  now(): number {
    return this.#options.world.now()
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    let asked = 0
    for (let i = 0; i < count; i++) {
      const page = pages[i]
      const verdict = this.#verdict(page)
      if (verdict === 'ask') pages[asked++] = page
      else this.#told.push({ kind: verdict, page })
    }
    if (asked > 0) this.#options.world.fetch(site, pages, asked)
    else this.#told.push({ kind: 'closed', site })
  }

  #verdict(page: number): 'ask' | 'last' | 'refused' {
    const { traps, url, seeds, mayDemote } = this.#options
    if (page < seeds) return 'ask'
    const { standing } = traps.verdict(url(page), (other) => this.#urls.has(other))
    if (standing === 'closed') return 'refused'
    return standing === 'good' || !mayDemote(page) ? 'ask' : 'last'
  }

  deliver(listener: WorldListener): void {
    const told = this.#told
    this.#told = []
    for (const one of told) {
      if (one.kind === 'closed') listener.closed(one.site, this.now())
      else if (one.kind === 'last') listener.postponed(one.page, 'last')
      else listener.failed(one.page, 'limit')
    }
    this.#options.world.deliver({
      fetched: (page, links, linkCount, newSites, reading, isRedirect) => {
        this.#note(page, links, linkCount, isRedirect === true)
        listener.fetched(page, links, linkCount, newSites, reading, isRedirect)
      },
      failed: (page, cause) => {
        if (cause === 'failed') this.#options.traps.failed(this.#options.url(page))
        listener.failed(page, cause)
      },
      postponed: (page, why) => listener.postponed(page, why),
      proven: (site) => listener.proven(site),
      slow: (site) => listener.slow(site),
      closed: (site, freeAt) => listener.closed(site, freeAt),
    })
  }

  wait(due: number): Promise<void> | undefined {
    return this.#told.length > 0 ? undefined : this.#options.world.wait(due)
  }

  #note(page: number, links: Uint32Array, linkCount: number, isRedirect: boolean): void {
    const knownBefore = this.#known
    for (let i = 0; i < linkCount; i++) if (links[i] === this.#known) this.#found(this.#known++, page)
    const parent = this.#parentOf(page)
    const ancestors = [parent, parent < 0 ? -1 : this.#parentOf(parent)] as const
    const came = {
      links,
      linkCount,
      knownBefore,
      ancestors,
      isCopy: false,
      isSameText: false,
      isAlike: false,
      isRedirect,
      text: 0,
      shape: 0,
    }
    this.#options.traps.fetched(page, this.#options.url(page), came)
  }

  #parentOf(page: number): number {
    const parent = this.#parents.array[page]
    return parent === none ? -1 : parent
  }

  #found(page: number, parent: number): void {
    this.#parents.ensure(page)
    this.#parents.array[page] = parent
    const url = this.#options.url(page)
    this.#urls.add(url)
    this.#options.traps.found(page, url)
  }
}
