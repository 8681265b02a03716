/**
 * Which kinds of pages and which parts of a site still bring new text, by the pairs of words that are new to the site
 * (fresh-pairs.ts). Sums fade with every page, so that the last few dozen pages count.
 *
 * A kind of which several pages were fetched is *stale* if its pages have almost no new text and lead to pages of other kinds
 * that have none either: differences between versions, old versions, the same in another order. It is *fresh* if it has. A kind
 * with few pages is neither. How much is almost none depends on its site, since menus and footers are part of every page.
 *
 * A region, a site or everything below one first path segment, is a *maze* if its last pages have almost no new text: a program
 * that makes up text from the words of another one runs out of new pairs, and people do not. If most of their links lead to pages
 * that were not known before, as only generated pages do for long, little new text is enough. Nearly every page of people has a link
 * to a page that is known, if only to the front page. A region whose pages all lead to new pages only is a maze with much more new text,
 * whatever its kinds bring.
 *
 * What is most of a crawl is exempt, unless it was found to be stale when it was a smaller part. 64 bytes for each kind and region.
 */
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import { transferSet } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { Numbering } from './numbering.ts'

interface TextRules {
  /** Pages with text before it is judged. */
  readonly pagesMin: number
  /** The share that a new page has in the sums. */
  readonly fading: number
  /** It is stale below this share of new pairs, unless another one is given, */
  readonly freshMin: number
  /** or below this one, if at least half of its pages' links lead to new pages, */
  readonly leadingOnMin: number
  /** or below this one, if nearly all of its pages lead to new pages only. */
  readonly onwardOnlyMin: number
  /** It is exempt with this share of all fetched pages. */
  readonly mainShare: number
}

export const kindRules: TextRules = {
  pagesMin: 8,
  fading: 1 / 16,
  freshMin: 0.05,
  leadingOnMin: 0,
  onwardOnlyMin: 0,
  mainShare: 0.2,
}
/** The same list in other orders may be half of the first pages of a site. */
export const parameterRules: TextRules = { ...kindRules, mainShare: 0.5 }
export const mazeRules: TextRules = {
  pagesMin: 96,
  fading: 1 / 64,
  freshMin: 0.01,
  leadingOnMin: 0.1,
  onwardOnlyMin: 0.5,
  mainShare: 0.5,
}

/** The faded share of pages that lead to new pages only; 0.78 at most after 96 pages. */
const onwardShareMin = 0.7

/** The text and the links of a fetched page. */
export interface PageText {
  /** Pairs of words that were looked at, and those that are new to its site. 0: it has no text. */
  readonly pairs: number
  readonly freshPairs: number
  readonly links: number
  readonly newLinks: number
}

export class FreshText {
  readonly #rules: TextRules
  readonly #names = new Numbering()
  readonly #pages = new GrowingFloat64(64)
  /** Faded sums of pairs, of new pairs, and of new pairs of pages that its pages led to. */
  readonly #pairs = new GrowingFloat64(64)
  readonly #fresh = new GrowingFloat64(64)
  readonly #led = new GrowingFloat64(64)
  /** The same of links, and of those to pages that were not known before. */
  readonly #links = new GrowingFloat64(64)
  readonly #newLinks = new GrowingFloat64(64)
  /** A mean that begins with 0: the share of pages with links, all of them to pages that were not known before. */
  readonly #onward = new GrowingFloat64(64)
  /** Of new pairs, each times the share of new pairs on its page. */
  readonly #shares = new GrowingFloat64(64)
  readonly #sums = [
    this.#pairs,
    this.#fresh,
    this.#led,
    this.#links,
    this.#newLinks,
    this.#onward,
    this.#shares,
  ]
  #fetchedInAll = 0
  readonly #suspects = new Set<number>()

  constructor(rules: TextRules) {
    this.#rules = rules
  }

  /** Records a fetched page of one name. */
  fetched(name: string, text: PageText): void {
    this.fetchedAll([name], text)
  }

  /** Records a fetched page of several names. Pages without text count as pages of the crawl alone. */
  fetchedAll(names: readonly string[], text: PageText): void {
    this.#fetchedInAll++
    for (const name of names) this.#add(name, text)
  }

  #add(name: string, { pairs, freshPairs, links, newLinks }: PageText): void {
    const number = pairs === 0 ? undefined : this.#names.add(name)
    if (number === undefined) return
    this.#pages.ensure(number)
    this.#pages.array[number]++
    for (const sum of this.#sums) {
      sum.ensure(number)
      sum.array[number] *= 1 - this.#rules.fading
    }
    this.#pairs.array[number] += pairs
    this.#fresh.array[number] += freshPairs
    this.#links.array[number] += links
    this.#newLinks.array[number] += newLinks
    if (links > 0 && links === newLinks) this.#onward.array[number] += this.#rules.fading
    this.#shares.array[number] += (freshPairs * freshPairs) / pairs
  }

  /** One of its pages has led to a page elsewhere with this many new pairs. */
  led(name: string, fresh: number): void {
    const number = this.#names.find(name)
    if (number !== undefined) this.#led.array[number] += fresh
  }

  /** The share of new pairs on pages with new text: the mean over new pairs, not over pages. */
  usualShare(name: string): number {
    const number = this.#names.find(name)
    const fresh = number === undefined ? 0 : this.#fresh.array[number]
    return fresh === 0 ? 0 : this.#shares.array[number!] / fresh
  }

  /** Whether its pages bring new text. Undefined: that is not known yet. */
  isFresh(name: string, freshMin = this.#rules.freshMin): boolean | undefined {
    const number = this.#names.find(name)
    const { pagesMin, leadingOnMin } = this.#rules
    if (number === undefined || this.#pages.array[number] < pagesMin) return undefined
    const isLeadingOn = 2 * this.#newLinks.array[number] >= this.#links.array[number]
    const fresh = this.#fresh.array[number] + this.#led.array[number]
    if (fresh >= Math.max(freshMin, isLeadingOn ? leadingOnMin : 0) * this.#pairs.array[number]) return true
    return this.#isSuspect(number) ? false : undefined
  }

  /** Whether nearly all of its pages lead to new pages only, with less new text than people's pages have then. */
  isOnwardOnly(name: string): boolean {
    const number = this.#names.find(name)
    const { pagesMin, onwardOnlyMin } = this.#rules
    if (number === undefined || this.#pages.array[number] < pagesMin) return false
    const isOnward = this.#onward.array[number] >= onwardShareMin
    const isStale = this.#fresh.array[number] < onwardOnlyMin * this.#pairs.array[number]
    return isOnward && isStale && this.#isSuspect(number)
  }

  /** False if it is most of the crawl, unless it was suspect when it was a smaller part. */
  #isSuspect(number: number): boolean {
    const isMain = this.#pages.array[number] >= this.#rules.mainShare * this.#fetchedInAll
    if (isMain && !this.#suspects.has(number)) return false
    this.#suspects.add(number)
    return true
  }

  transfer(state: StateCodec): void {
    state.section('fresh text', 2)
    this.#names.transfer(state)
    state.growing(this.#pages)
    for (const sum of this.#sums) state.growing(sum)
    this.#fetchedInAll = state.number(this.#fetchedInAll)
    transferSet(state, this.#suspects)
  }
}
