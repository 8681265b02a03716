/**
 * A scorer that a program passes as a function or object. It runs in the crawl's own thread, since functions
 * cannot be passed to another. A promise that takes too long is abandoned, but synchronous code that hangs
 * cannot be stopped; use a module for that.
 */
import type { PageScorer, ScoredPage, ScoreFunction, ScorerObject, ScorerOptions } from './page-scorer.ts'
import { notANumber } from './page-scorer.ts'
import { thrown } from './user-module.ts'

export class InlineScorer implements PageScorer {
  readonly #score: ScoreFunction
  readonly #options: ScorerOptions
  #last: Promise<unknown> = Promise.resolve()

  constructor(given: ScoreFunction | ScorerObject, options: ScorerOptions) {
    this.#score = typeof given === 'function' ? given : (page) => given.score(page)
    this.#options = options
  }

  /** One page at a time, in the order of the calls. */
  score(page: ScoredPage): Promise<number | undefined> {
    const scored = this.#last.then(() => this.#scoreOne(page))
    this.#last = scored
    return scored
  }

  async close(): Promise<void> {
    await this.#last
  }

  async #scoreOne(page: ScoredPage): Promise<number | undefined> {
    const { secondsMax, onFailure } = this.#options
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      const late = (): void => reject(new Error(`it took longer than ${secondsMax} s`))
      timer = setTimeout(late, Math.min(secondsMax * 1000, 2 ** 31 - 1))
    })
    try {
      const value = await Promise.race([this.#score(page), timeout])
      const why = notANumber(value)
      if (why === undefined) return value
      onFailure?.(page.url, why)
    } catch (error) {
      onFailure?.(page.url, thrown(error))
    } finally {
      clearTimeout(timer)
    }
    return undefined
  }
}
