/**
 * Converts the links of a page, as read by a fetch thread, to page numbers of the engine. Links that are not
 * followed (out of scope, too deep) are dropped if coverage is relative to the scope. If it is relative to
 * the whole web, they lead to the one page that represents the outside, so that their mass is counted.
 */
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import type { FetchResult } from './fetch-result.ts'
import type { PageTable } from './page-table.ts'

/** What a part decided about the links of a page. It is part of the crawl's facts: it changes the links that count. */
export interface LinkDecision {
  /** 1 for each link that is dropped, by position; undefined if none is. */
  readonly dropped?: Uint8Array | undefined
  /** Further links: canonical URLs, and how many links each counts as. */
  readonly added: readonly (readonly [url: string, weight: number])[]
}

/** A link is dropped if any of them drops it. */
export function mergedDecision(decisions: readonly LinkDecision[]): LinkDecision | undefined {
  if (decisions.length < 2) return decisions[0]
  const drops = decisions.flatMap(({ dropped }) => dropped ?? [])
  return {
    dropped: drops[0]?.map((_, i) => Math.max(...drops.map((dropped) => dropped[i]))),
    added: decisions.flatMap(({ added }) => added),
  }
}

const lineFeed = '\n'

export class PageLinks {
  readonly #pages: PageTable
  readonly #countsOutside: boolean
  readonly #keepsAnchors: boolean
  readonly #links = new GrowingUint32(256)
  readonly #newSites = new GrowingUint32(64)
  #newCount = 0
  readonly #words = new Uint32Array(2)
  count = 0
  /** Number of links to unknown pages that were not followed. */
  unfollowed = 0
  /** Indices of the given links that are not in `links`. */
  leftOut: number[] = []

  constructor(pages: PageTable, countsOutside: boolean, keepsAnchors = false) {
    this.#pages = pages
    this.#keepsAnchors = keepsAnchors
    this.#countsOutside = countsOutside
  }

  /** `links[0] … links[count - 1]`. */
  get links(): Uint32Array {
    return this.#links.array
  }

  /** The sites of the new pages, in order. */
  get newSites(): Uint32Array {
    return this.#newSites.array
  }

  /**
   * Reads the links of a page. If `newPages` is false, links to unknown pages are not followed. Links that `decision`
   * drops are ignored; links that it adds follow those of the page.
   */
  read(page: number, result: FetchResult, newPages: boolean, decision?: LinkDecision): void {
    const { links, fingerprints } = result
    const given = fingerprints.length / 2
    const outside = result.outside + result.tooDeep
    this.#links.ensure(given + outside)
    this.#newSites.ensure(given + 1)
    this.count = 0
    this.#newCount = 0
    this.unfollowed = 0
    this.leftOut = []
    const dropped = decision?.dropped
    const anchors = this.#keepsAnchors ? result.anchors : undefined
    let at = 0
    for (let i = 0; i < given; i++) {
      const next = links.indexOf(lineFeed, at)
      const end = next < 0 ? links.length : next
      if (dropped?.[i] === 1) this.leftOut.push(i)
      else {
        const low = fingerprints[2 * i]
        const high = fingerprints[2 * i + 1]
        let target = this.#pages.find(low, high)
        if (target < 0 && newPages)
          target = this.#addPage(low, high, links.slice(at, end), page, anchors?.[i])
        if (target >= 0) this.#links.array[this.count++] = target
        else this.#leaveOut(page, i)
      }
      at = end + 1
    }
    if (decision !== undefined) this.#addLinks(page, decision, newPages, outside)
    if (this.#countsOutside) this.#leadOutside(page, outside)
  }

  #addPage(low: number, high: number, url: string, parent: number, anchor?: string): number {
    const page = this.#pages.known
    this.#newSites.array[this.#newCount++] = this.#pages.add(low, high, url, parent, anchor)
    return page
  }

  /** A link to an unknown page is not followed. */
  #leaveOut(page: number, link: number): void {
    this.unfollowed++
    if (this.#countsOutside) this.#leadOutside(page, 1)
    else this.leftOut.push(link)
  }

  /** Appends the links that are added. One that the page has already counts more often. */
  #addLinks(page: number, { added }: LinkDecision, newPages: boolean, outside: number): void {
    if (added.length === 0) return
    const own = new Set(this.#links.array.subarray(0, this.count))
    this.#links.ensure(this.count + added.reduce((sum, [, weight]) => sum + weight, 0) + outside)
    this.#newSites.ensure(this.#newCount + added.length + 1)
    for (const [url, weight] of added) {
      fingerprint(url, this.#words, 0)
      const [low, high] = this.#words
      let target = this.#pages.find(low, high)
      if (target === page) continue
      if (target < 0 && newPages) target = this.#addPage(low, high, url, page)
      if (target < 0) this.unfollowed++
      else for (let i = own.has(target) ? 1 : 0; i < weight; i++) this.#links.array[this.count++] = target
    }
  }

  #leadOutside(page: number, times: number): void {
    if (times === 0) return
    if (this.#pages.outside < 0) this.#newSites.array[this.#newCount++] = this.#pages.addOutside(page)
    for (let i = 0; i < times; i++) this.#links.array[this.count++] = this.#pages.outside
  }
}
