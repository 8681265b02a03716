/**
 * Learns, while a crawl runs, which waiting pages will turn out to be more important than they look. At
 * intervals it records the measures of a sample of the waiting pages. When the crawl has about doubled, the
 * PageRank that those pages have by then shows what the measures predicted: ridge regression of its growth
 * (in logarithms) on the measures, with older evidence fading.
 *
 * The forecast counts only as far as earlier forecasts have been right: `trust` is the slope of the observed
 * growth against the growth forecast when the sample was taken, before the model had seen its outcome,
 * between 0 and 1. Without evidence it is 0.
 *
 * The first measure is the logarithm of the page's PageRank. Bounded memory: at most `samplesMax` samples of
 * `pagesMax` pages.
 */
import type { StateCodec } from '../lib/state.ts'

const pagesMax = 2000
const pagesMin = 20
/** A sample is taken, and one is learned from, when the crawl has grown by this factor and this many pages. */
const sampleGrowth = 1.2
const sampleStep = 10
/** A sample is learned from when the crawl is this many times as large as it was then, or more. */
const horizon = 2
/** Weight of all earlier evidence against the newest sample. */
const fading = 0.7
const ridge = 10
/** Evidence without which forecasts have no weight. */
const doubt = 10

interface Sample {
  readonly crawled: number
  readonly pages: Uint32Array
  /** The measures of each page, one page after the other. */
  readonly measures: Float64Array
  /** The growth of each page that the model forecast then. */
  readonly forecasts: Float64Array
}

export class GrowthModel {
  readonly #width: number
  readonly #weights: Float64Array
  /** Normal equations: products of the measures with each other and with the growth. */
  readonly #products: Float64Array
  readonly #outcomes: Float64Array
  #samples: Sample[] = []
  #sampledAt = 0
  /** Sums of forecast times growth and of squared forecasts, both less their means. */
  #agreement = 0
  #forecastSquares = 0

  constructor(width: number) {
    this.#width = width
    this.#weights = new Float64Array(width)
    this.#products = new Float64Array(width * width)
    this.#outcomes = new Float64Array(width)
  }

  /** How far forecasts are trusted, from 0 to 1. */
  get trust(): number {
    return Math.max(0, Math.min(1, this.#agreement / (this.#forecastSquares + doubt)))
  }

  /** The forecast growth of a page with these measures, as a logarithm, before it is weighted with `trust`. */
  forecast(measures: Float64Array): number {
    let sum = 0
    for (let i = 0; i < this.#width; i++) sum += this.#weights[i] * measures[i]
    return sum
  }

  isDue(crawled: number): boolean {
    return crawled >= this.#sampledAt * sampleGrowth + sampleStep
  }

  /** Learns from an earlier sample. `logRank` is the logarithm of a page's PageRank now. */
  learn(crawled: number, logRank: (page: number) => number): void {
    while (this.#samples.length > 1 && this.#samples[1].crawled * horizon <= crawled) this.#samples.shift()
    const sample = this.#samples.at(0)
    if (sample === undefined || sample.crawled * horizon > crawled || sample.pages.length < pagesMin) return
    const weights = sampleWeights(sample, this.#width)
    const growth = Float64Array.from(
      sample.pages,
      (page, i) => logRank(page) - sample.measures[i * this.#width],
    )
    this.#assess(sample, growth, weights)
    this.#addEvidence(sample, growth, weights)
    this.#solve()
  }

  /** Takes a sample of the waiting pages, evenly spaced in order of discovery. */
  sample(
    crawled: number,
    waiting: Uint32Array,
    measure: (page: number, measures: Float64Array) => void,
  ): void {
    this.#sampledAt = crawled
    const step = Math.max(1, Math.ceil(waiting.length / pagesMax))
    const pages = waiting.filter((_, i) => i % step === 0)
    const measures = new Float64Array(pages.length * this.#width)
    const forecasts = new Float64Array(pages.length)
    pages.forEach((page, i) => {
      const own = measures.subarray(i * this.#width, (i + 1) * this.#width)
      measure(page, own)
      forecasts[i] = this.forecast(own)
    })
    this.#samples.push({ crawled, pages, measures, forecasts })
  }

  transfer(state: StateCodec): void {
    state.section('growth model', 1)
    state.fixed(this.#weights)
    state.fixed(this.#products)
    state.fixed(this.#outcomes)
    this.#sampledAt = state.number(this.#sampledAt)
    this.#agreement = state.number(this.#agreement)
    this.#forecastSquares = state.number(this.#forecastSquares)
    const none: Sample = {
      crawled: 0,
      pages: new Uint32Array(0),
      measures: new Float64Array(0),
      forecasts: new Float64Array(0),
    }
    this.#samples = Array.from({ length: state.number(this.#samples.length) }, (_, i) => {
      const { crawled, pages, measures, forecasts } = state.isReading ? none : this.#samples[i]
      return {
        crawled: state.number(crawled),
        pages: state.constant(pages),
        measures: state.constant(measures),
        forecasts: state.constant(forecasts),
      }
    })
  }

  /** Compares the forecasts of a sample with the growth since. */
  #assess({ forecasts }: Sample, growth: Float64Array, weights: Float64Array): void {
    const growthMean = weightedMean(growth, weights)
    const forecastMean = weightedMean(forecasts, weights)
    this.#agreement *= fading
    this.#forecastSquares *= fading
    for (let i = 0; i < growth.length; i++) {
      const forecast = forecasts[i] - forecastMean
      this.#agreement += weights[i] * forecast * (growth[i] - growthMean)
      this.#forecastSquares += weights[i] * forecast * forecast
    }
  }

  #addEvidence({ measures }: Sample, growth: Float64Array, weights: Float64Array): void {
    const width = this.#width
    const products = this.#products
    for (let i = 0; i < products.length; i++) products[i] *= fading
    for (let i = 0; i < width; i++) this.#outcomes[i] *= fading
    const growthMean = weightedMean(growth, weights)
    const means = new Float64Array(width)
    for (let i = 0; i < measures.length; i++)
      means[i % width] += (weights[Math.floor(i / width)] * measures[i]) / growth.length
    const row = new Float64Array(width)
    for (let page = 0; page < growth.length; page++) {
      for (let i = 0; i < width; i++) row[i] = measures[page * width + i] - means[i]
      for (let i = 0; i < width; i++) {
        const weighted = weights[page] * row[i]
        this.#outcomes[i] += weighted * (growth[page] - growthMean)
        for (let j = 0; j < width; j++) products[i * width + j] += weighted * row[j]
      }
    }
  }

  /** Solves (products + ridge) weights = outcomes by elimination: the matrix is positive definite. */
  #solve(): void {
    const width = this.#width
    const matrix = this.#products.slice()
    const right = this.#outcomes.slice()
    for (let i = 0; i < width; i++) matrix[i * width + i] += ridge
    for (let pivot = 0; pivot < width; pivot++) {
      for (let i = 0; i < width; i++) {
        const factor = matrix[i * width + pivot] / matrix[pivot * width + pivot]
        if (i === pivot || factor === 0) continue
        for (let j = pivot; j < width; j++) matrix[i * width + j] -= factor * matrix[pivot * width + j]
        right[i] -= factor * right[pivot]
      }
    }
    for (let i = 0; i < width; i++) this.#weights[i] = right[i] / matrix[i * width + i]
  }
}

/** Pages that look important matter more: the square root of their PageRank, with mean 1. */
function sampleWeights({ pages, measures }: Sample, width: number): Float64Array {
  const weights = Float64Array.from(pages, (_, i) => Math.exp(measures[i * width] / 2))
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return weights.map((weight) => weight / mean)
}

function weightedMean(values: Float64Array, weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += weights[i] * values[i]
  return sum / values.length
}
