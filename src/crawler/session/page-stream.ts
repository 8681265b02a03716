/**
 * A bounded queue of pages between a crawl and the program that iterates over them. When it is full, the
 * crawl pauses until half of the pages are consumed.
 */
import type { CrawledPage } from '../options/crawl-options.ts'

const waitingMax = 32

export class PageStream implements AsyncIterator<CrawledPage> {
  #pages: CrawledPage[] = []
  #ended = false
  #isUnbounded = false
  #failure: unknown
  /** Calls of `next` that wait for a page. */
  #waiting: (() => void)[] = []
  #taken: (() => void) | undefined
  readonly #left: () => void

  /** `left` is called if the program stops iterating before the end. */
  constructor(left: () => void) {
    this.#left = left
  }

  push(page: CrawledPage): void {
    if (this.#ended) return
    this.#pages.push(page)
    this.#arrived()
  }

  end(failure?: unknown): void {
    this.#ended = true
    this.#failure = failure
    this.#arrived()
    this.#taken?.()
  }

  /** The crawl is ending: it no longer pauses. */
  letGo(): void {
    this.#isUnbounded = true
    this.#taken?.()
  }

  /** Resolves when there is room again; undefined if there is room now. */
  full(): Promise<void> | undefined {
    if (this.#ended || this.#isUnbounded || this.#pages.length < waitingMax) return undefined
    return new Promise((resolve) => {
      this.#taken = resolve
    })
  }

  async next(): Promise<IteratorResult<CrawledPage>> {
    while (this.#pages.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
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

  #arrived(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
