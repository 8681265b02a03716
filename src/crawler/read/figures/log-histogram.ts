/**
 * Counts positive numbers of any size in bins of equal width on a logarithmic scale: gives quantiles to about
 * 2% and a histogram for plots, without storing the numbers. Numbers below 1 count as 1.
 */
import type { ReportedHistogram } from './reported-crawl.ts'

/** Fine bins per factor of ten, and fine bins per displayed bin. */
const finePerDecade = 60
const finePerShown = 12

export class LogHistogram {
  readonly #fine: number[] = []
  #count = 0
  #sum = 0
  #max = 0

  add(value: number): void {
    const bin = Math.floor(Math.log10(Math.max(1, value)) * finePerDecade + 1e-9)
    while (this.#fine.length <= bin) this.#fine.push(0)
    this.#fine[bin]++
    this.#count++
    this.#sum += value
    this.#max = Math.max(this.#max, value)
  }

  /** Undefined if nothing was counted. */
  result(): ReportedHistogram | undefined {
    if (this.#count === 0) return undefined
    return {
      count: this.#count,
      mean: this.#sum / this.#count,
      median: this.#quantile(0.5),
      p90: this.#quantile(0.9),
      p99: this.#quantile(0.99),
      max: this.#max,
      bins: this.#bins(),
    }
  }

  /** The middle of the fine bin that contains it. */
  #quantile(share: number): number {
    let left = share * this.#count
    const bin = this.#fine.findIndex((count) => (left -= count) <= 0)
    return Math.min(this.#max, 10 ** ((bin + 0.5) / finePerDecade))
  }

  #bins(): { low: number; high: number; count: number }[] {
    const counts = new Array<number>(Math.ceil(this.#fine.length / finePerShown)).fill(0)
    this.#fine.forEach((count, i) => (counts[Math.floor(i / finePerShown)] += count))
    const edge = (bin: number): number => 10 ** ((bin * finePerShown) / finePerDecade)
    const bins = counts.map((count, i) => ({ low: edge(i), high: edge(i + 1), count }))
    return bins.slice(counts.findIndex((count) => count > 0))
  }
}
