/** Responses to requests of rendered pages, which all pages of the crawl share: the script of a site is requested once. */
import type { BrowserAnswer } from './rendering.ts'

const bytesMax = 64 * 1024 * 1024
const freshMs = 3_600_000

interface Shared {
  readonly answer: Promise<BrowserAnswer>
  readonly at: number
  bytes: number
}

export class SharedResponses {
  /** By URL, the one that was used longest ago first. */
  readonly #shared = new Map<string, Shared>()
  #bytes = 0

  /** The response to this URL, requested if it is not known. One that is refused is asked for again. */
  get(url: string, request: () => Promise<BrowserAnswer>): Promise<BrowserAnswer> {
    const known = this.#shared.get(url)
    if (known !== undefined && Date.now() - known.at < freshMs) {
      this.#shared.delete(url)
      this.#shared.set(url, known)
      return known.answer
    }
    this.#drop(url)
    const shared: Shared = { answer: request(), at: Date.now(), bytes: 0 }
    this.#shared.set(url, shared)
    void shared.answer.then(
      (answer) => this.#came(url, shared, answer),
      () => this.#drop(url),
    )
    return shared.answer
  }

  #came(url: string, shared: Shared, answer: BrowserAnswer): void {
    if (this.#shared.get(url) !== shared) return
    if (answer === undefined) {
      this.#drop(url)
      return
    }
    shared.bytes = answer.body.length
    this.#bytes += shared.bytes
    for (const oldest of this.#shared.keys()) {
      if (this.#bytes <= bytesMax) return
      this.#drop(oldest)
    }
  }

  #drop(url: string): void {
    this.#bytes -= this.#shared.get(url)?.bytes ?? 0
    this.#shared.delete(url)
  }
}
