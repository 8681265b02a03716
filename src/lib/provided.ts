import { RankwardError } from './errors.ts'

/** What a lower floor uses and a higher one provides, such as the dashboard of a crawl: imports point down. */
export class Provided<T> {
  readonly #what: string
  #given: T | undefined

  /** `what` begins the error if it is used and was not provided. */
  constructor(what: string) {
    this.#what = what
  }

  provide(given: T): void {
    this.#given = given
  }

  /** Undefined if nothing was provided. */
  get given(): T | undefined {
    return this.#given
  }

  get(): T {
    if (this.#given !== undefined) return this.#given
    throw new RankwardError('USAGE', `${this.#what} needs the whole package: import it from rankward.`)
  }
}
