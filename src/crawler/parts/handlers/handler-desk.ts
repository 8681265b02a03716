/**
 * Lets the user's handler decide about fetched pages before they are reported to the engine. Pages leave it in order of
 * arrival, even if several are handled at once: the results of a connection must not overtake each other.
 */
import { noLinks } from '../../fetch/page-reader.ts'
import type { FetchResult } from '../../world/fetch-result.ts'

/** What a handler decided about a page. Part of the crawl's facts: it changes the links of the page. */
export interface PageDecision {
  /** Items as JSON lines; empty if there are none. */
  readonly items: string
  readonly itemCount: number
  /** 1 for each link that is dropped, by position; undefined if none is. */
  readonly dropped?: Uint8Array | undefined
  /** Further links: canonical URLs, and how many links each counts as. */
  readonly added: readonly (readonly [url: string, weight: number])[]
  /** Why the handler failed. Such a page has no items, and all of its links count. */
  readonly error?: string | undefined
}

interface HandlerDeskOptions {
  /** Never rejects. `aborted`: the crawl stops at once, and the page is fetched again by a resume. */
  readonly handle: (page: number, result: FetchResult) => Promise<PageDecision | 'aborted'>
}

export class HandlerDesk {
  readonly #options: HandlerDeskOptions
  readonly #decisions = new Map<number, PageDecision>()
  #last: Promise<void> = Promise.resolve()

  constructor(options: HandlerDeskOptions) {
    this.#options = options
  }

  /** Adds a result, to be handled if it is new content; `done` is called when it is and all earlier ones are done. */
  handled(
    page: number,
    result: FetchResult,
    isNewContent: boolean,
    done: (result: FetchResult) => void,
  ): void {
    const handling = isNewContent ? this.#options.handle(page, result) : undefined
    this.#last = this.#last.then(async () => {
      const decision = await handling
      if (decision === 'aborted') {
        done({ ...result, ...noLinks, failure: 'aborted', status: 0, location: undefined })
        return
      }
      if (decision !== undefined) this.#decisions.set(page, decision)
      done(result)
    })
  }

  /** The decision about a page, once; undefined if it was not handled. */
  take(page: number): PageDecision | undefined {
    const decision = this.#decisions.get(page)
    this.#decisions.delete(page)
    return decision
  }
}
