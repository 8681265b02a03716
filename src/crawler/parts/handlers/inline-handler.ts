/**
 * A page handler that a program passes as a function. It runs in the crawl's own thread, since functions cannot be passed
 * to another, one page at a time. A promise that takes too long is abandoned, but synchronous code that hangs cannot be
 * stopped; use a module for that.
 */
import type { PageHandler } from '../../../engine/user-code/page-handler.ts'
import { thrown } from '../../../engine/user-code/user-module.ts'
import { decisionOf, type HandlerInput } from './handled-page.ts'
import { failedDecision, HandlerQueue } from './page-handling.ts'
import type { HandlingOptions, PageDecision, PageHandling } from './page-handling.ts'

export class InlineHandler implements PageHandling {
  readonly #handler: PageHandler
  readonly #options: HandlingOptions
  readonly #queue: HandlerQueue
  #isBusy = false
  /** Ends the wait for the page under way. */
  #abandon: (() => void) | undefined

  constructor(handler: PageHandler, options: HandlingOptions) {
    this.#handler = handler
    this.#options = options
    this.#queue = new HandlerQueue(options.waitingBytesMax)
  }

  handle(input: HandlerInput): Promise<PageDecision | 'aborted'> {
    const handled = this.#queue.add(input)
    if (!this.#isBusy) void this.#work()
    return handled
  }

  full(): Promise<void> | undefined {
    return this.#queue.full()
  }

  abort(): void {
    this.#queue.abort()
    this.#abandon?.()
  }

  close(): Promise<void> {
    this.abort()
    return Promise.resolve()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      next.resolve(await this.#handle(next.input))
    }
    this.#isBusy = false
  }

  async #handle(input: HandlerInput): Promise<PageDecision | 'aborted'> {
    const { secondsMax, rules } = this.#options
    let timer: NodeJS.Timeout | undefined
    const end = new Promise<PageDecision | 'aborted'>((resolve) => {
      const late = (): void => resolve(failedDecision(`it took longer than ${secondsMax} s`))
      timer = setTimeout(late, Math.min(secondsMax * 1000, 2 ** 31 - 1))
      this.#abandon = () => resolve('aborted')
    })
    const decision = decisionOf(this.#handler, input, rules).catch((error: unknown) =>
      failedDecision(thrown(error)),
    )
    try {
      return await Promise.race([decision, end])
    } finally {
      clearTimeout(timer)
      this.#abandon = undefined
    }
  }
}
