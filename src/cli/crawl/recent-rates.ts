/** The rates of a crawl over its last 15 seconds, and since its start. */
import { looksOf } from '../../crawler/options/crawl-freshness.ts'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'

const recentSeconds = 15

export interface Rates {
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
  /** At new and held pages. */
  readonly looksPerSecond: number
  /** Since the start of the crawl. */
  readonly meanPagesPerSecond: number
}

type Point = Pick<CrawlProgress, 'seconds' | 'pages' | 'bytes'> & { readonly looks: number }

export class RecentRates {
  readonly #recent: Point[] = []

  add(progress: Pick<CrawlProgress, 'seconds' | 'pages' | 'bytes' | 'freshness'>): void {
    const { seconds, pages, bytes } = progress
    this.#recent.push({ seconds, pages, bytes, looks: looksOf(progress) })
    while (this.#recent.length > 2 && this.#recent[0].seconds < seconds - recentSeconds) this.#recent.shift()
  }

  read(): Rates {
    const last = this.#recent.at(-1)
    if (last === undefined)
      return { pagesPerSecond: 0, bytesPerSecond: 0, looksPerSecond: 0, meanPagesPerSecond: 0 }
    const [first] = this.#recent
    const seconds = last.seconds - first.seconds
    const per = (amount: number, time: number): number => (time > 0 ? amount / time : 0)
    return {
      pagesPerSecond: per(last.pages - first.pages, seconds),
      bytesPerSecond: per(last.bytes - first.bytes, seconds),
      looksPerSecond: per(last.looks - first.looks, seconds),
      meanPagesPerSecond: per(last.pages, last.seconds),
    }
  }
}
