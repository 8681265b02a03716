/**
 * Spam mass: how much of a page's PageRank comes from pages that nobody vouches for.
 *
 * Gyöngyi, Berkhin, Garcia-Molina and Pedersen, "Link Spam Detection Based on Mass Estimation", 2006. PageRank is linear in
 * where the surfer jumps to: with all jumps it is p, with jumps to the trusted pages alone p', and p - p' is what the others
 * contribute. Relative to p:
 *
 *   spam mass of a page = 1 - p' / p
 *
 * A trusted core is far smaller than the honest part of the web that it stands for. So its jumps are weighted to sum to γ, the
 * share of pages that are taken to be honest, instead of to the core's own share: p' is then about as large as p where pages
 * are honest. A page close to the core may get more than p, and its mass is below 0; no mass is above 1.
 *
 * The paper lets the score of dangling pages vanish, since only so are contributions additive; S10 sends it where the surfer
 * jumps. That is a factor alone, the same for all pages, which is taken back here. Scores are in the paper's scale, times n / (1 -
 * d): a page that nothing links to has 1.
 */
import { RankwardError } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { Graph } from './graph.ts'
import { pageRank } from './pagerank.ts'

export interface SpamMassOptions {
  /** Weights of the trusted pages, 0 for all others; of any sum. */
  readonly trust: Float64Array
  readonly damping?: number
  /** γ, the share of honest pages; 0.85 unless given, as in the paper. */
  readonly gamma?: number
  /** The scores of `pageRank` with the same damping, where they are known already. */
  readonly pageRank?: Float64Array
  readonly threads?: number
  readonly progress?: Progress
  readonly signal?: AbortSignal
}

export interface SpamMass {
  /** p, 1 or more for every page. */
  readonly rank: Float64Array
  /** p'. */
  readonly trusted: Float64Array
  /** 1 - p' / p, at most 1. */
  readonly relative: Float64Array
}

export const gammaDefault = 0.85

export async function spamMass(graph: Graph, options: SpamMassOptions): Promise<SpamMass> {
  const { trust, damping = 0.85, gamma = gammaDefault, pageRank: known, ...running } = options
  if (!(gamma > 0 && gamma <= 1)) {
    throw new RankwardError(
      'USAGE',
      `gamma is ${gamma}; expected the share of honest pages, above 0 and at most 1, such as 0.85.`,
    )
  }
  const all = known ?? (await pageRank(graph, { damping, ...running })).scores
  const core = (await pageRank(graph, { damping, trust, ...running })).scores
  const rank = additive(graph, all, damping, 1)
  const trusted = additive(graph, core, damping, gamma)
  return { rank, trusted, relative: rank.map((score, page) => 1 - trusted[page] / score) }
}

/**
 * S10's scores as the paper has them, for jumps that sum to `jumps`. With D on dangling pages S10 is r = d A r + (1 - d + d D)
 * t, and the paper's p = d A p + (1 - d) t: r is (1 - d + d D) / (1 - d) times p.
 */
function additive(graph: Graph, scores: Float64Array, damping: number, jumps: number): Float64Array {
  let dangling = 0
  for (let page = 0; page < graph.pages; page++) if (graph.outDegree(page) === 0) dangling += scores[page]
  const factor = (jumps * graph.pages) / (1 - damping + damping * dangling)
  return Float64Array.from(scores, (score) => score * factor)
}

export interface SpamThresholds {
  /** ρ: only pages that rank at least so high are worth suspecting; 10 unless given. */
  readonly rankMin?: number
  /** τ: the least relative mass; 0.98 unless given. */
  readonly spamMin?: number
}

export const thresholdDefaults = { rankMin: 10, spamMin: 0.98 } as const

/** The paper's suspects: pages with a high rank nearly all of which nobody vouches for. Most spam mass first, then higher rank. */
export function spamSuspects({ rank, relative }: SpamMass, thresholds: SpamThresholds = {}): Uint32Array {
  const { rankMin, spamMin } = { ...thresholdDefaults, ...thresholds }
  const pages = Uint32Array.from(relative, (_, page) => page)
  return pages
    .filter((page) => rank[page] >= rankMin && relative[page] >= spamMin)
    .sort((a, b) => relative[b] - relative[a] || rank[b] - rank[a] || a - b)
}
