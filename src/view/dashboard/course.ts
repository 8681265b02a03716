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

/** With the counts that rates follow from. */
interface Point extends SeriesPoint {
  readonly bytes: number
  /** Fetches of new and of held pages; undefined if every page is fetched once. */
  readonly looks: number | undefined
}

/** Averages; `looksPerSecond` only of a crawl that fetches pages again. */
interface Rates {
  readonly pagesPerSecond: number
  readonly looksPerSecond?: number
  readonly bytesPerSecond: number
}

export class Course {
  readonly #max: number
  #intervalMs: number
  #points: Point[] = []

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
    const looks = looksOf(progress)
    const noRates = { pagesPerSecond: null, looksPerSecond: null, bytesPerSecond: null }
    const point: Point = {
      timeMs,
      pages,
      coverage,
      gain: this.#gain(pages, coverage),
      ...noRates,
      ...(last === undefined ? {} : this.#ratesAt(timeMs, { pages, bytes, looks })),
      waiting,
      connections,
      errors: Object.values(progress.errors).reduce((sum, count) => sum + count, 0),
      cpu: load?.cpu ?? null,
      rssBytes: load?.rssBytes ?? null,
      bytes,
      looks,
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
  rates(): Rates {
    const { pagesPerSecond, looksPerSecond, bytesPerSecond, looks } = this.#points.at(-1) ?? {}
    return {
      pagesPerSecond: pagesPerSecond ?? 0,
      ...(looks === undefined ? {} : { looksPerSecond: looksPerSecond ?? 0 }),
      bytesPerSecond: bytesPerSecond ?? 0,
    }
  }

  /** Since the first point of the last ten seconds, or the last point if that is older. */
  #ratesAt(timeMs: number, { pages, bytes, looks }: Pick<Point, 'pages' | 'bytes' | 'looks'>): Rates {
    const since = this.#points.find((point) => point.timeMs >= timeMs - windowMs) ?? this.#points.at(-1)!
    const rate = (now: number, before: number): number =>
      Math.max(0, (1000 * (now - before)) / (timeMs - since.timeMs))
    return {
      pagesPerSecond: rate(pages, since.pages),
      ...(looks === undefined ? {} : { looksPerSecond: rate(looks, since.looks ?? since.pages) }),
      bytesPerSecond: rate(bytes, since.bytes),
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

function shown({ bytes: _bytes, looks: _looks, ...point }: Point): SeriesPoint {
  return point
}

function looksOf({ pages, freshness }: CrawlProgress): number | undefined {
  return freshness === undefined ? undefined : pages + freshness.refreshes
}
