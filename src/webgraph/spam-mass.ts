/**
 * Spam mass: the part of a page's PageRank that does not come from trusted pages.
 *
 * Gyöngyi, Berkhin, Garcia-Molina and Pedersen, "Link Spam Detection Based on Mass Estimation", 2006.
 * PageRank is linear in the jump distribution: with all jumps it is p, with jumps to the trusted pages alone
 * p', and p - p' is the contribution of all other pages. Relative to p:
 *
 *   spam mass of a page = 1 - p' / p
 *
 * A trusted core is far smaller than the honest part of the web that it represents. So its jumps are weighted
 * to sum to γ, the assumed share of honest pages, instead of the core's own share: p' is then about as large
 * as p on honest pages. Close to the core p' may exceed p, so the mass can be negative; it never exceeds 1.
 *
 * In the paper the score of dangling pages vanishes, which makes contributions additive; in S10 it goes to
 * the jump distribution. The two differ by a factor that is the same for all pages and is divided out here.
 * Scores are in the paper's scale, times n / (1 - d): a page without in-links has 1.
 */
import { RankwardError } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { Graph } from './graph.ts'
import { pageRanks } from './pagerank/pagerank.ts'

export interface SpamMassOptions {
  /** Weights of the trusted pages, 0 for all others; of any sum. */
  readonly trust: Float64Array
  readonly damping?: number
  /** γ, the share of honest pages; default 0.85, as in the paper. */
  readonly gamma?: number
  /** The scores of `pageRank` with the same damping, if already computed. */
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
  const surfers = known === undefined ? [{ trust }, {}] : [{ trust }]
  const [core, all] = (await pageRanks(graph, surfers, { damping, ...running })).map(({ scores }) => scores)
  const rank = additive(graph, known ?? all, damping, 1)
  const trusted = additive(graph, core, damping, gamma)
  return { rank, trusted, relative: rank.map((score, page) => 1 - trusted[page] / score) }
}

/**
 * Converts the scores of S10 to the paper's, for jumps that sum to `jumps`. With D on dangling pages, S10 is
 * r = d A r + (1 - d + d D) t, and the paper's p = d A p + (1 - d) t: r is (1 - d + d D) / (1 - d) times p.
 */
function additive(graph: Graph, scores: Float64Array, damping: number, jumps: number): Float64Array {
  let dangling = 0
  for (let page = 0; page < graph.pages; page++) if (graph.outDegree(page) === 0) dangling += scores[page]
  const factor = (jumps * graph.pages) / (1 - damping + damping * dangling)
  return Float64Array.from(scores, (score) => score * factor)
}

export interface SpamThresholds {
  /** ρ: the minimum rank of a suspect; default 10. */
  readonly rankMin?: number
  /** τ: the minimum relative mass; default 0.98. */
  readonly spamMin?: number
}

export const thresholdDefaults = { rankMin: 10, spamMin: 0.98 } as const

/**
 * The paper's suspects: pages of high rank, nearly all of it untrusted. Sorted by spam mass, then by rank,
 * descending.
 */
export function spamSuspects({ rank, relative }: SpamMass, thresholds: SpamThresholds = {}): Uint32Array {
  const { rankMin, spamMin } = { ...thresholdDefaults, ...thresholds }
  const pages = Uint32Array.from(relative, (_, page) => page)
  return pages
    .filter((page) => rank[page] >= rankMin && relative[page] >= spamMin)
    .sort((a, b) => relative[b] - relative[a] || rank[b] - rank[a] || a - b)
}
