/**
 * Pages on their way from a crawl to whoever iterates it. When too many wait to be looked at, the crawl waits too: it
 * asks for no more until half of them are gone.
 */
import type { CrawledPage } from '../options/crawl-options.ts'

const waitingMax = 32

export class PageStream implements AsyncIterator<CrawledPage> {
  #pages: CrawledPage[] = []
  #ended = false
  #isUnbounded = false
  #failure: unknown
  #arrived: (() => void) | undefined
  #taken: (() => void) | undefined
  readonly #left: () => void

  /** `left`: whoever iterated has gone away before the end. */
  constructor(left: () => void) {
    this.#left = left
  }

  push(page: CrawledPage): void {
    if (this.#ended) return
    this.#pages.push(page)
    this.#arrived?.()
  }

  end(failure?: unknown): void {
    this.#ended = true
    this.#failure = failure
    this.#arrived?.()
    this.#taken?.()
  }

  /** The crawl is to end: it waits for nobody any more. */
  letGo(): void {
    this.#isUnbounded = true
    this.#taken?.()
  }

  /** Settles when there is room again; undefined: there is. */
  full(): Promise<void> | undefined {
    if (this.#ended || this.#isUnbounded || this.#pages.length < waitingMax) return undefined
    return new Promise((resolve) => {
      this.#taken = resolve
    })
  }

  async next(): Promise<IteratorResult<CrawledPage>> {
    while (this.#pages.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
    const page = this.#pages.shift()
    if (this.#pages.length <= waitingMax / 2) this.#taken?.()
    if (page !== undefined) return { done: false, value: page }
    if (this.#failure !== undefined) throw this.#failure
    return { done: true, value: undefined }
  }

  return(): Promise<IteratorResult<CrawledPage>> {
    this.#pages = []
    this.end()
    this.#left()
    return Promise.resolve({ done: true, value: undefined })
  }
}
