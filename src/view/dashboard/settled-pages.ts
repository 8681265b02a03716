/** Gathers the events of pages for viewers: their number and the newest. Memory is bounded, however many there are. */
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import type { LiveEvents, SettledPage } from './api/index.ts'

const newestMax = 20
const urlCharsMax = 2048

export class SettledPages {
  #count = 0
  /** The last ones, in a ring. */
  readonly #newest: SettledPage[] = []

  add(event: CrawlEvent): void {
    const page = settledPage(event)
    if (page === undefined) return
    this.#newest[this.#count++ % newestMax] = page
  }

  /** The pages since the last call, the newest first; undefined if there were none. */
  take(): LiveEvents['pages'] | undefined {
    if (this.#count === 0) return undefined
    const count = this.#count
    const first = count % newestMax
    const kept = Math.min(count, newestMax)
    const newest = Array.from(
      { length: kept },
      (_, i) => this.#newest[(first - 1 - i + newestMax) % newestMax],
    )
    this.#count = 0
    this.#newest.length = 0
    return { count, newest }
  }
}

function settledPage(event: CrawlEvent): SettledPage | undefined {
  switch (event.kind) {
    case 'page':
      return { kind: 'page', url: shortened(event.url), status: event.status, bytes: event.bytes }
    case 'redirect':
      return { kind: 'redirect', url: shortened(event.url), status: event.status }
    case 'failed':
      return { kind: 'failed', url: shortened(event.url), error: event.error }
    case 'look':
      return { kind: 'look', url: shortened(event.url), status: event.status, verdict: event.verdict }
    default:
      return undefined
  }
}

const shortened = (url: string): string => (url.length > urlCharsMax ? url.slice(0, urlCharsMax) : url)
