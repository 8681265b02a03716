/** The rates of a crawl over its last 15 seconds, and since its start. */
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'

const recentSeconds = 15

export interface Rates {
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
  /** Since the start of the crawl. */
  readonly meanPagesPerSecond: number
}

type Point = Pick<CrawlProgress, 'seconds' | 'pages' | 'bytes'>

export class RecentRates {
  readonly #recent: Point[] = []

  add({ seconds, pages, bytes }: Point): void {
    this.#recent.push({ seconds, pages, bytes })
    while (this.#recent.length > 2 && this.#recent[0].seconds < seconds - recentSeconds) this.#recent.shift()
  }

  read(): Rates {
    const last = this.#recent.at(-1)
    if (last === undefined) return { pagesPerSecond: 0, bytesPerSecond: 0, meanPagesPerSecond: 0 }
    const [first] = this.#recent
    const seconds = last.seconds - first.seconds
    const per = (amount: number, time: number): number => (time > 0 ? amount / time : 0)
    return {
      pagesPerSecond: per(last.pages - first.pages, seconds),
      bytesPerSecond: per(last.bytes - first.bytes, seconds),
      meanPagesPerSecond: per(last.pages, last.seconds),
    }
  }
}
