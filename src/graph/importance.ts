/**
 * What a page is worth, I(p), by the metrics of Cho, Garcia-Molina and Page (1998): backlinks IB, forward links IF,
 * location IL and PageRank IR. (Similarity to a query, IS, needs the pages' text.) A finished crawl is judged by one of
 * these; strategies never see them, except the oracle ones.
 */
import { inDegrees, outDegrees } from './degrees.ts'
import { locationScore, type LocationRules } from './location.ts'
import { pageRank, type PageRankOptions } from './pagerank.ts'
import type { Web } from './web.ts'

export interface ImportanceMetric {
  readonly name: 'backlinks' | 'forward-links' | 'location' | 'pagerank'
  /** One number a page; more is more important. */
  measure(web: Web): Promise<Float64Array>
}

export function backlinks(): ImportanceMetric {
  return { name: 'backlinks', measure: async ({ graph }) => Float64Array.from(inDegrees(graph)) }
}

export function forwardLinks(): ImportanceMetric {
  return { name: 'forward-links', measure: async ({ graph }) => Float64Array.from(outDegrees(graph)) }
}

/** From the URL alone; a web without URLs has the same score everywhere. */
export function location(rules?: LocationRules): ImportanceMetric {
  return {
    name: 'location',
    async measure({ graph, urls }) {
      const scores = new Float64Array(graph.pages)
      if (urls !== undefined)
        for (let page = 0; page < scores.length; page++) scores[page] = locationScore(urls.at(page), rules)
      return scores
    },
  }
}

/** In the scale of Cho et al., where the mean is 1 (docs/semantics.md S10). */
export function pageRankImportance(options: PageRankOptions = {}): ImportanceMetric {
  return {
    name: 'pagerank',
    async measure({ graph }) {
      const { scores } = await pageRank(graph, options)
      return scores.map((score) => score * graph.pages)
    },
  }
}
