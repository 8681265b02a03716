/**
 * PageRank of the known graph: all pages found, with the links of the crawled ones; pages not crawled yet have no links
 * (S12). Since jumps and the mass of pages without links are spread evenly, PageRank is in proportion to the solution of
 *
 *   x(p) = 1 + d · Σ x(q) / c(q)   over the crawled q that link to p
 *
 * and a page or a link that is added only ever adds to x. So nothing is computed anew: what has changed since the last
 * time is pushed on, in crawl order, until no page has more than 1e-12 left to pass on, which keeps every x right to
 * eleven digits.
 *
 * Of a surfer who jumps elsewhere, the same with what each page *owns* in place of 1: its weight among the jumps. Where x is
 * below 1 then, so much less is left.
 */
import type { StrategyServices } from '../engine/strategy.ts'
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

const restMax = 1e-12

export class KnownPageRank {
  readonly #damping: number
  readonly #ownOfPage: number
  readonly #x = new GrowingFloat64()
  /** Part of x that has not been passed on along the page's links yet. */
  readonly #unpassed = new GrowingFloat64()
  readonly #crawled = new GrowingUint32()
  #crawledCount = 0
  #sum = 0
  /** The same at the last update: pages found since have added to it. */
  #sumUpdated = 1
  #services: StrategyServices | undefined

  /** Every page owns 1, and all jumps are alike, unless given. */
  constructor(damping: number, { ownOfPage = 1 } = {}) {
    this.#damping = damping
    this.#ownOfPage = ownOfPage
  }

  start(services: StrategyServices): void {
    this.#services = services
    void services.links
  }

  discovered(page: number): void {
    this.#x.ensure(page)
    this.#unpassed.ensure(page)
    this.own(page, this.#ownOfPage)
  }

  /** A known page owns so much more. */
  own(page: number, more: number): void {
    this.#x.array[page] += more
    this.#unpassed.array[page] += more
    this.#sum += more
  }

  visited(page: number): void {
    this.#crawled.ensure(this.#crawledCount)
    this.#crawled.array[this.#crawledCount++] = page
  }

  /** Brings all scores up to date. */
  update(): void {
    const links = this.#services!.links
    const x = this.#x.array
    const unpassed = this.#unpassed.array
    const crawled = this.#crawled.array
    const damping = this.#damping
    let passed = true
    while (passed) {
      passed = false
      for (let i = 0; i < this.#crawledCount; i++) {
        const page = crawled[i]
        const rest = unpassed[page]
        if (rest <= restMax * Math.min(1, x[page])) continue
        unpassed[page] = 0
        links.seek(page)
        const { targets, start, end } = links
        if (start === end) continue
        passed = true
        const share = (damping * rest) / (end - start)
        for (let j = start; j < end; j++) {
          const to = targets[j]
          x[to] += share
          unpassed[to] += share
        }
        this.#sum += damping * rest
      }
    }
    this.#sumUpdated = this.#sum
  }

  /** As of the last `update`, normalised to sum 1 over the known pages; see there for pages found since. */
  score(page: number): number {
    return this.#x.array[page] / this.#sumUpdated
  }

  get sum(): number {
    return this.#sum
  }

  transfer(state: StateCodec): void {
    state.section('known PageRank', 1)
    state.growing(this.#x)
    state.growing(this.#unpassed)
    state.appended(this.#crawled)
    this.#crawledCount = state.number(this.#crawledCount)
    this.#sum = state.number(this.#sum)
    this.#sumUpdated = state.number(this.#sumUpdated)
  }
}
