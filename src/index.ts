/** What Rankward offers as a library. */
export { readGraph, writeGraph, type ReadGraphOptions } from './graph/formats/index.ts'
export type { Graph, LinkCursor } from './graph/graph.ts'
export { graphOf } from './graph/csr-graph.ts'
export { webOf, idOf, pageOfId, type Web } from './graph/web.ts'
export { pageRank, type PageRankOptions, type PageRankResult } from './graph/pagerank.ts'
export { spamMass, spamSuspects, type SpamMass, type SpamMassOptions } from './graph/spam-mass.ts'
export {
  backlinks,
  forwardLinks,
  location,
  pageRankImportance,
  type ImportanceMetric,
} from './graph/importance.ts'
export { strongComponents } from './graph/components.ts'
export { bestSeed, reachableFrom } from './graph/reachability.ts'
export { SyntheticWeb } from './graph/synthetic/synthetic-web.ts'
export { syntheticGraph } from './graph/synthetic/synthetic-graph.ts'
export { topicalWeb, type TopicalWeb } from './graph/synthetic/topical-web.ts'
export type { FarmLinks, Farms, HijackedFrom } from './graph/synthetic/farms.ts'
export type { SyntheticWebOptions } from './graph/synthetic/synthetic-options.ts'
export { simulate, type SimulateOptions, type SimulateResult } from './simulator.ts'
export type { RunResult } from './simulation/judgement.ts'
export { strategies, strategyOf, type StrategySetting } from './strategies/index.ts'
export type { Strategy, StrategyServices } from './engine/strategy.ts'
export { crawlValue, type ValueOptions } from './recrawl/value.ts'
export { optimalRates, type OptimalRates, type OptimalRatesOptions } from './recrawl/optimal-rates.ts'
export { changeEstimate, type ChangeEstimate, type Look } from './recrawl/estimators.ts'
export type { StateCodec } from './lib/state.ts'
export { RankwardError, type ErrorCode } from './lib/errors.ts'
export { robotsAllows, parseRobots } from './worlds/real/robots/robots-file.ts'
export { canonicalUrl } from './worlds/real/url/canonical-url.ts'
export type { CanonicalRules } from './worlds/real/url/canonical-rules.ts'
export { parseSitemap } from './worlds/real/sitemap/sitemap-reader.ts'
export { extractLinks, extractPage } from './worlds/real/html/page.ts'
export { readPageContents } from './contents/page-contents.ts'
export type { PageContent } from './graph/formats/page-contents.ts'
export { readWarc } from './warc/reader.ts'
export { WarcWriter } from './warc/warc-writer.ts'
export { crawl, resumeCrawl } from './crawler.ts'
export type {
  Crawl,
  CrawledPage,
  CrawlEvent,
  CrawlOptions,
  CrawlCoverage,
  CrawlProgress,
  CrawlTotals,
} from './crawler.ts'
export type { ResumeOptions, StoppedBecause } from './crawler.ts'
export { serveWeb, type ServeOptions, type ServedWeb } from './served/served-web.ts'
export { searchCrawl, type SearchOptions, type SearchResult, type SearchResults } from './search/search.ts'
