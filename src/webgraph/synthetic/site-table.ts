/**
 * The sites of a synthetic web: contiguous ranges of pages, each starting with its home page. 12 bytes per
 * site, the only memory that grows with the web.
 *
 * Sizes follow Zipf's law, rank^(-1 / exponent): the quantiles of a Pareto distribution rather than a sample,
 * so that webs of different seeds are alike. The largest site may have any number. Popularity, which attracts
 * links from other sites, correlates with size but is not determined by it: large unpopular sites are typical
 * crawler traps.
 */
import { Draws, part, subkey } from './draws.ts'
import { model } from './model.ts'

export class SiteTable {
  readonly sites: number
  /** Ascending; one entry more than sites, the last is the number of pages. */
  readonly #starts: Uint32Array
  readonly #byPopularity: Uint32Array
  readonly #popularity: Uint32Array
  #latest = 0

  constructor(pages: number, sites: number, sizeExponent: number, key: number) {
    this.sites = sites
    const draws = new Draws()
    draws.restart(subkey(key, part.siteTable))
    const sizeRank = shuffled(sites, draws)
    this.#starts = siteStarts(pages, sizeRank, sizeExponent)
    this.#byPopularity = blurredOrder(sizeRank, draws)
    this.#popularity = new Uint32Array(sites)
    this.#byPopularity.forEach((site, rank) => {
      this.#popularity[site] = rank
    })
  }

  start(site: number): number {
    return this.#starts[site]
  }

  /** One past its last page. */
  end(site: number): number {
    return this.#starts[site + 1]
  }

  /** 0 for the most popular. */
  popularity(site: number): number {
    return this.#popularity[site]
  }

  ofPopularity(rank: number): number {
    return this.#byPopularity[rank]
  }

  siteOf(page: number): number {
    const starts = this.#starts
    const latest = this.#latest
    if (page >= starts[latest] && page < starts[latest + 1]) return latest
    let low = 0
    let high = this.sites
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (starts[middle] <= page) low = middle
      else high = middle
    }
    this.#latest = low
    return low
  }
}

/**
 * Every site has at least one page; the others are distributed in proportion to rank^(-1 / exponent), with
 * the rounding error carried along.
 */
function siteStarts(pages: number, sizeRank: Uint32Array, exponent: number): Uint32Array {
  const sites = sizeRank.length
  const shares = new Float64Array(sites)
  let total = 0
  for (let site = 0; site < sites; site++) {
    shares[site] = (sizeRank[site] + 1) ** (-1 / exponent)
    total += shares[site]
  }
  const starts = new Uint32Array(sites + 1)
  let shared = 0
  for (let site = 0; site < sites; site++) {
    starts[site] = site + Math.floor((shared / total) * (pages - sites))
    shared += shares[site]
  }
  starts[sites] = pages
  return starts
}

function shuffled(count: number, draws: Draws): Uint32Array {
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const j = draws.below(i + 1)
    order[i] = order[j]
    order[j] = i
  }
  return order
}

/** Sites by size rank times a random factor; ties by number. */
function blurredOrder(sizeRank: Uint32Array, draws: Draws): Uint32Array {
  const blurred = new Float64Array(sizeRank.length)
  for (let site = 0; site < blurred.length; site++) {
    const factor = 1 + draws.unit() * (model.popularityBlur - 1)
    blurred[site] = (sizeRank[site] + 1) * (draws.unit() < 0.5 ? factor : 1 / factor)
  }
  return new Uint32Array(blurred.length)
    .map((_, site) => site)
    .sort((a, b) => blurred[a] - blurred[b] || a - b)
}
