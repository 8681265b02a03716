/**
 * The RankMass of each page of a crawl, kept up to date while pages are added: mass rests on a page until the page is
 * fetched; then (1 - d) of it stays there and d flows along its links. A sweep moves the mass that has been released since
 * the last one, so that an update costs little. The sum of all mass is 1.
 */
import type { KnownCrawl } from '../../../crawler/read/export/known-crawl.ts'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import type { Trust } from '../../../engine/mass/mass-walk.ts'

export class MassFlow {
  readonly #crawl: KnownCrawl
  readonly #trust: Trust
  /** Mass that has not settled: on fetched pages it still moves, on others it rests. */
  readonly #resting = new GrowingFloat64()
  readonly #held = new GrowingFloat64()
  /** Fetched pages, in order. */
  readonly #fetched = new GrowingUint32()
  #count = 0
  #isNew = true

  constructor(crawl: KnownCrawl, trust: Trust) {
    this.#crawl = crawl
    const sum = trust.weights.reduce((total, weight) => total + weight, 0)
    this.#trust = { ...trust, weights: trust.weights.map((weight) => weight / sum) }
  }

  /** A page was fetched for the first time. */
  fetched(page: number): void {
    this.#fetched.ensure(this.#count)
    this.#fetched.array[this.#count++] = page
  }

  /** Mass that has moved along links which are gone is not called back: everything begins anew. */
  relinked(): void {
    this.#isNew = true
  }

  /** Held by a fetched page, or resting on another one. */
  massOf(page: number): number {
    const { pages } = this.#crawl
    return pages.isCrawled(page) ? this.#held.array[page] : this.#resting.array[page]
  }

  /** Moves mass once along all links. Returns how much moved: what is still to move is about as much. */
  sweep(restMax: number): number {
    this.#begin()
    const { damping, weights } = this.#trust
    const { links } = this.#crawl
    const resting = this.#resting.array
    const held = this.#held.array
    const least = restMax / Math.max(8, 8 * this.#count)
    let moved = 0
    let returned = 0
    for (let i = 0; i < this.#count; i++) {
      const page = this.#fetched.array[i]
      const mass = resting[page]
      if (mass <= least) continue
      resting[page] = 0
      held[page] += (1 - damping) * mass
      const passed = damping * mass
      moved += passed
      links.seek(page)
      const { targets, start, end } = links
      if (start === end) returned += passed
      const share = passed / (end - start)
      for (let j = start; j < end; j++) resting[targets[j]] += share
    }
    // A page without links leads back to the seeds.
    weights.forEach((weight, seed) => (resting[seed] += returned * weight))
    return moved
  }

  #begin(): void {
    const last = Math.max(this.#crawl.pages.known, this.#trust.weights.length)
    this.#resting.ensure(last)
    this.#held.ensure(last)
    if (!this.#isNew) return
    this.#isNew = false
    this.#resting.array.fill(0)
    this.#held.array.fill(0)
    this.#trust.weights.forEach((weight, seed) => (this.#resting.array[seed] = weight))
  }
}
