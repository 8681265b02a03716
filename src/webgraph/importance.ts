/**
 * The importance I(p) of a page, by the metrics of Cho, Garcia-Molina and Page (1998): backlinks IB, forward
 * links IF, location IL and PageRank IR. (Similarity to a query, IS, needs the pages' text.) A finished crawl
 * is evaluated by one of them; strategies have no access to them, except the oracle strategies.
 */
import { linkingPages, outDegrees } from './degrees.ts'
import { locationScore, type LocationRules } from './location.ts'
import { pageRank, type PageRankOptions } from './pagerank/pagerank.ts'
import type { Web } from './web.ts'

export interface ImportanceMetric {
  readonly name: 'backlinks' | 'forward-links' | 'location' | 'pagerank'
  /** One number per page; higher is more important. */
  measure(web: Web): Promise<Float64Array>
}

export function backlinks(): ImportanceMetric {
  return { name: 'backlinks', measure: async ({ graph }) => Float64Array.from(linkingPages(graph)) }
}

export function forwardLinks(): ImportanceMetric {
  return { name: 'forward-links', measure: async ({ graph }) => Float64Array.from(outDegrees(graph)) }
}

/** From the URL alone. In a web without URLs all pages have the same score. */
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

/** Scaled to a mean of 1, as in Cho et al. (docs/theory/semantics.md S10). */
export function pageRankImportance(options: PageRankOptions = {}): ImportanceMetric {
  return {
    name: 'pagerank',
    async measure({ graph }) {
      const { scores } = await pageRank(graph, options)
      return scores.map((score) => score * graph.pages)
    },
  }
}
