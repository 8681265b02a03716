/**
 * The course of a crawl as points in time, of bounded number: when there are too many, every second one is dropped and
 * points are taken half as often from then on.
 */
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import { seriesColumns, type Series, type SeriesPoint } from './api/index.ts'

/** The gain is that of this many pages. */
const gainPages = 1000
/** Rates are averages over this time. */
const windowMs = 10_000

/** What a point has besides the progress, if this process runs the crawl. */
interface ProcessLoad {
  readonly cpu: number
  readonly rssBytes: number
}

export class Course {
  readonly #max: number
  #intervalMs: number
  #points: (SeriesPoint & { readonly bytes: number })[] = []

  constructor({ max = 1000, intervalMs = 1000 } = {}) {
    this.#max = max
    this.#intervalMs = intervalMs
  }

  /** Returns the new point; undefined if the last one is too recent. */
  add(timeMs: number, progress: CrawlProgress, load?: ProcessLoad): SeriesPoint | undefined {
    const last = this.#points.at(-1)
    if (last !== undefined && timeMs - last.timeMs < this.#intervalMs) return undefined
    const { pages, bytes, guaranteed, waiting, connections } = progress
    const coverage = guaranteed ?? null
    const rates =
      last === undefined ? { pagesPerSecond: null, bytesPerSecond: null } : this.#ratesAt(timeMs, progress)
    const point = {
      timeMs,
      pages,
      coverage,
      gain: this.#gain(pages, coverage),
      ...rates,
      waiting,
      connections,
      errors: Object.values(progress.errors).reduce((sum, count) => sum + count, 0),
      cpu: load?.cpu ?? null,
      rssBytes: load?.rssBytes ?? null,
      bytes,
    }
    this.#points.push(point)
    if (this.#points.length >= this.#max) {
      this.#points = this.#points.filter((_, i) => i % 2 === 0)
      this.#intervalMs *= 2
    }
    return shown(point)
  }

  /** Per 1,000 pages; undefined before so many were fetched. */
  get gain(): number | undefined {
    return this.#points.at(-1)?.gain ?? undefined
  }

  /** Averages over about the last ten seconds, as the last point has them. */
  rates(): { pagesPerSecond: number; bytesPerSecond: number } {
    const { pagesPerSecond, bytesPerSecond } = this.#points.at(-1) ?? {}
    return { pagesPerSecond: pagesPerSecond ?? 0, bytesPerSecond: bytesPerSecond ?? 0 }
  }

  /** Since the first point of the last ten seconds, or the last point if that is older. */
  #ratesAt(
    timeMs: number,
    { pages, bytes }: Pick<CrawlProgress, 'pages' | 'bytes'>,
  ): { pagesPerSecond: number; bytesPerSecond: number } {
    const since = this.#points.find((point) => point.timeMs >= timeMs - windowMs) ?? this.#points.at(-1)!
    const seconds = (timeMs - since.timeMs) / 1000
    return {
      pagesPerSecond: Math.max(0, (pages - since.pages) / seconds),
      bytesPerSecond: Math.max(0, (bytes - since.bytes) / seconds),
    }
  }

  /** At most this many points, evenly chosen, the last one included. */
  series(pointsMax: number): Series {
    const step = Math.max(1, Math.ceil(this.#points.length / pointsMax))
    const end = this.#points.length - 1
    const points = this.#points.filter((_, i) => (end - i) % step === 0)
    const columns = seriesColumns.map((name) => [name, points.map((point) => point[name])])
    return Object.fromEntries(columns) as Series
  }

  /** How much the coverage rose per 1,000 pages, over the last 1,000 pages or, between distant points, somewhat more. */
  #gain(pages: number, coverage: number | null): number | null {
    const before = this.#points.findLast((point) => point.pages <= pages - gainPages)
    if (coverage === null || before === undefined || before.coverage === null) return null
    return ((coverage - before.coverage) * gainPages) / (pages - before.pages)
  }
}

function shown({ bytes: _, ...point }: SeriesPoint & { readonly bytes: number }): SeriesPoint {
  return point
}
