/**
 * Features of a page from the links to it, collected link by link before the page is fetched. For
 * learned-topic.ts.
 */
import type { Reading } from '../reading.ts'
import { noParent } from '../strategy.ts'
import { GrowingFloat64, GrowingUint16, GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

/** Maximum number of clues per page: those of its first link, then those of further links. */
const slots = 24
const countMax = 0xffff
/** The maximum distance from a hot page. */
const farAway = 4

export class LinkClues {
  /** `clues.array` from `start(page)` to `end(page)`: the words of anchors and URL. */
  readonly clues = new GrowingUint16()
  readonly #counts = new GrowingUint8()
  /**
   * The highest similarity of an anchor, the highest relevance of a parent, and the sum of the parents'
   * relevance.
   */
  readonly anchor = new GrowingFloat64()
  readonly relevance = new GrowingFloat64()
  readonly relevanceSum = new GrowingFloat64()
  readonly mentions = new GrowingUint16()
  readonly parents = new GrowingUint16()
  readonly hotParents = new GrowingUint16()
  /** Number of links from the nearest hot page, at most `farAway`. */
  readonly distance = new GrowingUint8()
  /** A seed is its own parent. */
  readonly firstParent = new GrowingUint32()
  /** Number of links from a seed. */
  readonly depth = new GrowingUint16()

  start(page: number): number {
    return page * slots
  }

  end(page: number): number {
    return page * slots + this.#counts.array[page]
  }

  discovered(page: number, parent: number): void {
    this.#counts.ensure(page)
    this.anchor.ensure(page)
    this.relevance.ensure(page)
    this.relevanceSum.ensure(page)
    this.mentions.ensure(page)
    this.parents.ensure(page)
    this.hotParents.ensure(page)
    this.distance.ensure(page)
    this.firstParent.ensure(page)
    this.depth.ensure(page)
    this.clues.ensure((page + 1) * slots)
    this.distance.array[page] = farAway
    this.firstParent.array[page] = parent === noParent ? page : parent
    if (parent !== noParent) this.depth.array[page] = Math.min(countMax, this.depth.array[parent] + 1)
  }

  /** Marks a fetched page as hot. */
  foundHot(page: number): void {
    this.distance.array[page] = 0
  }

  /** Adds link number `link` of `parent`, whose reading is `reading`, to this page. */
  linked(page: number, parent: number, reading: Reading, link: number): void {
    const { relevance, isHot, ends } = reading
    if (this.parents.array[page] < countMax) this.parents.array[page]++
    this.relevanceSum.array[page] += relevance
    if (relevance > this.relevance.array[page]) this.relevance.array[page] = relevance
    if (isHot && this.hotParents.array[page] < countMax) this.hotParents.array[page]++
    this.distance.array[page] = Math.min(this.distance.array[page], this.distance.array[parent] + 1)
    if (link < ends.length) this.#addAnchor(page, reading, link)
  }

  transfer(state: StateCodec): void {
    state.growing(this.clues)
    state.growing(this.#counts)
    state.growing(this.anchor)
    state.growing(this.relevance)
    state.growing(this.relevanceSum)
    state.growing(this.mentions)
    state.growing(this.parents)
    state.growing(this.hotParents)
    state.growing(this.distance)
    state.growing(this.firstParent)
    state.growing(this.depth)
  }

  #addAnchor(page: number, { similarity, mentions, ends, clues }: Reading, link: number): void {
    if (similarity[link] > this.anchor.array[page]) this.anchor.array[page] = similarity[link]
    if (this.mentions.array[page] < countMax) this.mentions.array[page] += mentions[link]
    for (let at = link === 0 ? 0 : ends[link - 1]; at < ends[link]; at++) this.#addClue(page, clues[at])
  }

  #addClue(page: number, clue: number): void {
    const count = this.#counts.array[page]
    if (count === slots) return
    const start = page * slots
    for (let i = start; i < start + count; i++) if (this.clues.array[i] === clue) return
    this.clues.array[start + count] = clue
    this.#counts.array[page] = count + 1
  }
}
