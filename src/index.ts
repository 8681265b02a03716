/** The public surface of the library. test/public-surface.test.ts holds its declarations. */

// Crawling
import './crawler/parts/index.ts'
import './crawler/parts/options.ts'
import './view/dashboard/register.ts'
export { crawl, recrawl, resumeCrawl } from './crawler/crawler.ts'
export type {
  Crawl,
  CrawlCoverage,
  CrawledPage,
  CrawlEvent,
  CrawlOptions,
  CrawlProgress,
  CrawlTotals,
  RecrawlOptions,
  ResumeOptions,
  StopOptions,
} from './crawler/crawler.ts'
export type { PartEvents } from './crawler/options/crawl-options.ts'
export { init, type InitOptions, type InitResult } from './crawler/session/init.ts'
export { check } from './crawler/session/check.ts'
export type { CheckOptions, CrawlCheck } from './crawler/session/check.ts'
export type { StopReason } from './engine/engine-options.ts'
export type { CanonicalRules } from './web/url/canonical-rules.ts'
export type { ChangeRule } from './crawler/world/looks/change.ts'
export type { ScopeKind } from './web/url/scope.ts'
export type {
  FrontierChoice,
  FrontierFunction,
  InlineKind,
  ScorerChoice,
  StrategyChoice,
  StrategyFunction,
} from './engine/user-code/inline-code.ts'
export type { ScoredPage, ScoreFunction, ScorerObject } from './engine/user-code/page-scorer.ts'
export type {
  FoundSite,
  HandledLink,
  HandledPage,
  HandlerChoice,
  PageFailure,
  PageHandler,
  PageItems,
  PageSelection,
} from './engine/user-code/page-handler.ts'

// Reading a crawl: the commands of the same names (`export` is a reserved word)
export { changes, type ChangesOptions, type PageChange } from './crawler/read/changes.ts'
export { tail, type RecordedPage, type TailOptions } from './crawler/read/tail.ts'
export { compact, type CompactOptions } from './crawler/record/compact.ts'
export type { CompactResult } from './crawler/record/compaction.ts'
export { duplicates } from './crawler/read/duplicate-clusters.ts'
export type { Duplicates, DuplicatesOptions } from './crawler/read/duplicate-clusters.ts'
export { explain } from './crawler/read/explanation.ts'
export { verify, type VerifyOptions, type VerifyResult } from './crawler/read/verify/verify.ts'
export type { ExplainOptions, Explanation } from './crawler/read/explanation.ts'
export type { CrawlSettings } from './crawler/options/crawl-settings.ts'
export type { Verdict } from './engine/recrawl-policy.ts'
export type { LogLevel } from './crawler/options/log-levels.ts'
export { exportCrawl } from './crawler/read/export/export.ts'
export type { ExportOptions, ExportResult } from './crawler/read/export/export.ts'
export type { ContentName, ExportFormat, ExportTable } from './crawler/read/export/destination.ts'
export { report } from './view/reporter.ts'
export type { ReportOptions, ReportResult } from './view/reporter.ts'
export {
  search,
  type SearchOptions,
  type SearchResult,
  type SearchResults,
} from './crawler/parts/search/search.ts'
export { status, type CrawlStatus } from './crawler/read/status.ts'

// A crawl on a cluster
export {
  clusterCrawls,
  clusterStatus,
  clusterStorage,
  deleteCluster,
  explainCluster,
  exportCluster,
  pauseCluster,
  resumeCluster,
  stopCluster,
} from './cluster/operator.ts'
export type {
  ClusterCommandResult,
  ClusterCrawlStatus,
  ClusterCrawlState,
  ClusterStorage,
  ExplainClusterOptions,
  ExportClusterOptions,
  StopClusterOptions,
} from './cluster/operator.ts'
export type { ClusterConnection, ClusterCrawlOptions } from './crawler/options/cluster-options.ts'

// Simulating
export { readRecordedSite, type ReadChangesOptions } from './webgraph/formats/recorded-site-reader.ts'
export type { ChangeKind } from './webgraph/formats/recorded-versions.ts'
export { webOfRecorded, type RecordedSite } from './webgraph/recorded-site.ts'
export { lookVerdicts } from './simulator/recrawl-run.ts'
export { repeatedRuns, type RepeatedRun } from './simulator/repeats.ts'
export { simulate, type SimulateOptions, type SimulateResult } from './simulator/simulator.ts'
export type { ClusterFaults, ClusterOptions } from './simulator/cluster-options.ts'
export type { RunResult } from './simulator/judgement.ts'
export type { TimeOptions } from './simulator/time.ts'

// Strategies and frontiers
export { strategies, strategyNames, strategyOf } from './engine/strategies/index.ts'
export type { StrategyEntry, StrategyName, StrategySetting, StrategySpec } from './engine/strategies/index.ts'
export type { Strategy, StrategyServices } from './engine/strategy.ts'
export { frontierOf, frontiers } from './engine/frontiers/index.ts'
export type { FrontierEntry, FrontierName, FrontierOptions } from './engine/frontiers/index.ts'
export type { Frontier } from './engine/frontier.ts'
export type { KnownLinks } from './engine/known-links.ts'
export type { Reading } from './engine/reading.ts'
export type { StateCodec } from './lib/state.ts'

// Freshness
export { crawlValue, type ValueOptions } from './engine/recrawl/value.ts'
export { optimalRates, type OptimalRates, type OptimalRatesOptions } from './engine/recrawl/optimal-rates.ts'
export { changeEstimate, type ChangeEstimate, type Look } from './engine/recrawl/estimators.ts'
export type { EstimatorName } from './engine/recrawl/estimators.ts'

// Imports of others' data
export { importUrls, type ImportOptions, type ImportResult } from './webgraph/imports/import-urls.ts'
export { readLinkGraph, type LinkGraph, type LinkGraphOptions } from './webgraph/imports/link-graph.ts'

// Web graphs
export { readGraph, writeGraph, type ReadGraphOptions } from './webgraph/formats/index.ts'
export type { CompressedGraph } from './webgraph/compressed-graph.ts'
export type { Graph, LinkCursor, SharedCompressedGraph, SharedCsrGraph } from './webgraph/graph.ts'
export { graphOf, type CsrGraph } from './webgraph/csr-graph.ts'
export { webOf, idOf, pageOfId, type Web, type WebParts } from './webgraph/web.ts'
export type { Sites } from './webgraph/sites.ts'
export type { UrlList } from './webgraph/url-list.ts'
export { pageRank } from './webgraph/pagerank/pagerank.ts'
export type { PageRankOptions, PageRankResult } from './webgraph/pagerank/pagerank.ts'
export { spamMass, spamSuspects } from './webgraph/spam-mass.ts'
export type { SpamMass, SpamMassOptions, SpamThresholds } from './webgraph/spam-mass.ts'
export { backlinks, forwardLinks, location, pageRankImportance } from './webgraph/importance.ts'
export type { ImportanceMetric } from './webgraph/importance.ts'
export type { LocationRules } from './webgraph/location.ts'
export { strongComponents, type Components } from './webgraph/components.ts'
export { bestSeed, reachableFrom, type Reachable } from './webgraph/reachability.ts'
export { SyntheticWeb } from './webgraph/synthetic/synthetic-web.ts'
export { syntheticGraph, type SyntheticGraph } from './webgraph/synthetic/synthetic-graph.ts'
export { topicalWeb, type TopicalWeb } from './webgraph/synthetic/topical-web.ts'
export type { PageTopics, Relevance } from './webgraph/synthetic/page-topics.ts'
export type { FarmLinks, Farms, FarmSettings, HijackedFrom, HonestPart } from './webgraph/synthetic/farms.ts'
export type { SyntheticWebOptions, SyntheticWebSettings } from './webgraph/synthetic/synthetic-options.ts'
export { serveWeb } from './webgraph/served/served-web.ts'
export type { ServableWeb, ServedWeb, ServeOptions } from './webgraph/served/served-web.ts'
export type { Access } from './webgraph/served/access.ts'
export type { WebUrls } from './webgraph/served/web-urls.ts'

// Parts
export { robotsAllows, parseRobots } from './web/robots/robots-file.ts'
export type { RequestRate, RobotsExtensions, RobotsRule, RobotsRules } from './web/robots/robots-rules.ts'
export { canonicalUrl } from './web/url/canonical-url.ts'
export { parseSitemap } from './web/sitemap/sitemap-reader.ts'
export type { Sitemap, SitemapLimits } from './web/sitemap/sitemap.ts'
export { extractLinks, extractPage } from './web/html/page.ts'
export type { Page, PageLink, PageOptions } from './web/html/page.ts'
export { readPageContents } from './simulator/contents/page-contents.ts'
export type { PageContent } from './webgraph/formats/page-contents.ts'
export { readWarc } from './web/warc/reader.ts'
export type { WarcRecord } from './web/warc/warc-record.ts'
export { WarcWriter } from './web/warc/warc-writer.ts'
export type { Exchange, RecordPlace, WarcFileEnd, WarcWriterOptions } from './web/warc/warc-writer.ts'
export type { Progress } from './lib/progress.ts'
export { RankwardError, type ErrorCode } from './lib/errors.ts'
