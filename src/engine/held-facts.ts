/**
 * Which fetched pages are held, for readers of facts that have no engine: the same as `Copies` and `Recrawl` decide (S59, S70).
 * `test/changed-links.test.ts` compares them.
 */
import type { FactListener } from './fact.ts'
import type { PageStates } from './page-states.ts'
import type { Verdict } from './recrawl-policy.ts'
import { Setbacks } from './setbacks.ts'

const noLinks = new Uint32Array(0)

export class HeldFacts implements Pick<FactListener, 'fetched' | 'looked' | 'retry'> {
  readonly #pages: PageStates
  readonly #setbacks = new Setbacks()
  /** Pages that are gone, and those of them that a page fetched later links to. */
  readonly #gone = new Set<number>()
  readonly #found = new Set<number>()
  /** How often a page has left or returned. */
  changes = 0

  constructor(pages: PageStates) {
    this.#pages = pages
  }

  fetched(_page: number, links: Uint32Array, linkCount: number): void {
    if (this.#gone.size === 0) return
    for (let i = 0; i < linkCount; i++) {
      const page = links[i]
      if (!this.#gone.delete(page)) continue
      this.#found.add(page)
      this.#leave(page, undefined)
    }
  }

  looked(page: number, seconds: number, verdict: Verdict, links: Uint32Array = noLinks, linkCount = 0): void {
    if (verdict === 'changed') this.fetched(page, links, linkCount)
    if (verdict === 'forbidden') this.#leave(page, 'robots')
    else if (verdict === 'gone' || verdict === 'missing') {
      const wasGone = this.#found.delete(page)
      if (verdict === 'gone' || this.#setbacks.miss(page, seconds) || wasGone) this.#goneBy(page)
    } else if (verdict !== 'failed') {
      this.#setbacks.clear(page)
      this.#found.delete(page)
      if (!this.#pages.isCrawled(page) || this.#pages.isHeld(page)) return
      this.#pages.rejoin(page)
      this.changes++
    }
  }

  retry(page: number): void {
    if (this.#pages.isCrawled(page) && !this.#pages.isHeld(page)) this.#leave(page, undefined)
  }

  #goneBy(page: number): void {
    this.#setbacks.clear(page)
    this.#gone.add(page)
    this.#leave(page, 'failed')
  }

  #leave(page: number, cause: 'failed' | 'robots' | undefined): void {
    this.#pages.leave(page, cause)
    this.changes++
  }
}
