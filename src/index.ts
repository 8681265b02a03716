/** The public surface of the library. test/public-surface.test.ts holds its declarations. */

// Crawling
import './crawler/parts/index.ts'
import './view/dashboard/register.ts'
export { crawl, recrawl, resumeCrawl } from './crawler/crawler.ts'
export type {
  Crawl,
  CrawlCoverage,
  CrawledPage,
  CrawlEvent,
  CrawlOptions,
  CrawlFreshness,
  CrawlProgress,
  CrawlTotals,
  RecrawlOptions,
  ResumeOptions,
  StopOptions,
} from './crawler/crawler.ts'
export type { PartEvents } from './crawler/options/crawl-options.ts'
export type { ContentOptions, ResumableContent } from './crawler/options/content-options.ts'
export { init, type InitOptions, type InitResult } from './crawler/session/init.ts'
export { check } from './crawler/session/check.ts'
export type {
  ChangedOption,
  CheckedSeed,
  CheckedSite,
  CheckOptions,
  CrawlCheck,
} from './crawler/session/check.ts'
export type { CrawlPace } from './crawler/session/check-forecast.ts'
export type { StopReason } from './engine/engine-options.ts'
export type { PageState, PageTotals } from './engine/page-totals.ts'
export type { CanonicalRules } from './web/url/canonical-rules.ts'
export type { ChangeRule } from './crawler/world/looks/change.ts'
export type { ScopeKind } from './web/url/scope.ts'
export type {
  FrontierChoice,
  FrontierFunction,
  InlineCode,
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
export type { CrawlCallbacks, HandlerOptions, HandlerSettings } from './crawler/options/handler-settings.ts'

// Reading a crawl: the commands of the same names (`export` is a reserved word)
export { changes, type ChangesOptions, type PageChange } from './crawler/read/changes.ts'
export { tail, type RecordedPage, type TailOptions } from './crawler/read/tail.ts'
export type { FollowOptions } from './crawler/read/followed-record.ts'
export type { ArchivePlace } from './crawler/options/recorded-page.ts'
export type { PageFreshness, PageLook } from './crawler/read/page-freshness.ts'
export type { HeldState } from './engine/recrawl-view.ts'
export { compact, type CompactOptions } from './crawler/record/compact.ts'
export type { CompactResult } from './crawler/record/compaction.ts'
export { duplicates } from './crawler/read/duplicate-clusters.ts'
export type {
  Cluster,
  Copy,
  CopyKind,
  Duplicates,
  DuplicatesOptions,
} from './crawler/read/duplicate-clusters.ts'
export { explain } from './crawler/read/explanation.ts'
export { verify, type VerifyOptions, type VerifyResult } from './crawler/read/verify/verify.ts'
export type { Damage, PartFiles, VerifiedPart, VerifiedPartName } from './crawler/read/verify/findings.ts'
export type {
  ExplainOptions,
  Explanation,
  Found,
  Outcome,
  Score,
  Waited,
} from './crawler/read/explanation.ts'
export type { SettingsAt } from './crawler/read/settings-history.ts'
export type { RobotsVerdict } from './crawler/read/explanation-robots.ts'
export type { Discovery, TakenBefore } from './crawler/read/page-history.ts'
export type { Omissions, UnfollowedLinks } from './crawler/options/omissions.ts'
export type {
  ArchiveOptions,
  ArchiveSettings,
  RequisiteSettings,
  WarcNames,
} from './crawler/options/archive-options.ts'
export type { CrawlSettings, RecrawlSettings } from './crawler/options/crawl-settings.ts'
export type { Verdict } from './engine/recrawl-policy.ts'
export type { FetchCost } from './engine/recrawl-options.ts'
export type { LogLevel } from './crawler/options/log-levels.ts'
export type { FailureCause } from './engine/world.ts'
export type { LookRecord } from './crawler/record/look-record.ts'
export type { OutcomeRecord, WarcPlace } from './crawler/record/outcome-record.ts'
export type { Miscoding } from './web/http/content-coding.ts'
export type { HttpFault } from './web/http/http-fault.ts'
export { exportCrawl } from './crawler/read/export/export.ts'
export type { ExportedFile, ExportOptions, ExportResult, ExportStage } from './crawler/read/export/export.ts'
export type {
  ContentName,
  ExportFormat,
  ExportTable,
  PartTables,
  PlannedFile,
} from './crawler/read/export/destination.ts'
export { report } from './view/reporter.ts'
export type { ReportOfCrawl, ReportOfSimulations, ReportOptions, ReportResult } from './view/reporter.ts'
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
  ClusterCopyOptions,
  ClusterCrawlStatus,
  ClusterCrawlState,
  ClusterStorage,
  ExplainClusterOptions,
  ExportClusterOptions,
  StopClusterOptions,
} from './cluster/operator.ts'
export type {
  ClusterMass,
  ClusterPhase,
  ClusterStatus,
  ShardPhase,
  ShardStatus,
  WorkerStatus,
} from './cluster/protocol/cluster-status.ts'
export type { LostCut } from './cluster/protocol/heads.ts'
export type { ClusterConnection, ClusterCrawlOptions } from './crawler/options/cluster-options.ts'

// Simulating
export { readRecordedSite, type ReadChangesOptions } from './webgraph/formats/recorded-site-reader.ts'
export type { ChangeKind } from './webgraph/formats/recorded-versions.ts'
export {
  webOfRecorded,
  type RecordedLinks,
  type RecordedSignals,
  type RecordedSite,
} from './webgraph/recorded-site.ts'
export type { RecrawlChoice } from './simulator/recrawl-choice.ts'
export { lookVerdicts, type Looks, type RecrawlRunOptions } from './simulator/recrawl-run.ts'
export type { Band } from './lib/mean-band.ts'
export { repeatedRuns, type CurveBand, type RepeatedRun } from './simulator/repeats.ts'
export { simulate, type SimulateOptions, type SimulateResult, type Visits } from './simulator/simulator.ts'
export type { SkippedStrategy } from './simulator/chosen-strategies.ts'
export type {
  ClusterCounts,
  ClusterFaults,
  ClusterOptions,
  ClusterSummary,
} from './simulator/cluster-options.ts'
export type { FreshnessResult, JudgeOptions, RankMassJudgement, RunResult } from './simulator/judgement.ts'
export type { DiscoveryMeasures, FreshnessMeasures } from './webgraph/measures/freshness.ts'
export type { RunOptions } from './simulator/run.ts'
export type { TimeOptions } from './simulator/time.ts'
export type { WebWords } from './simulator/web-words.ts'
export type { TopicSettings } from './web/topic/topic.ts'
export type { HotShare } from './webgraph/measures/crawl-and-stop.ts'
export type { SeriesPoint } from './simulator/worlds/step-series.ts'
export type { Periods, TimeSummary } from './simulator/worlds/time-summary.ts'

// Strategies and frontiers
export { strategies, strategyNames, strategyOf } from './engine/strategies/index.ts'
export type {
  StrategyEntry,
  StrategyName,
  StrategyNeed,
  StrategySetting,
  StrategySpec,
} from './engine/strategies/index.ts'
export type { MassAccount, Sharding } from './engine/sharding.ts'
export type { Strategy, StrategyServices } from './engine/strategy.ts'
export { frontierOf, frontiers } from './engine/frontiers/index.ts'
export type { FrontierEntry, FrontierName, FrontierOptions } from './engine/frontiers/index.ts'
export type { Frontier } from './engine/frontier.ts'
export type { KnownLinks } from './engine/known-links.ts'
export type { Reading } from './engine/reading.ts'
export type { GrowingArray } from './lib/growing-array.ts'
export type { NumberArray, StateCodec } from './lib/state.ts'

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
export type { ReadOptions } from './webgraph/formats/format.ts'
export type { CompressedGraph } from './webgraph/compressed-graph.ts'
export type { KeepOptions } from './webgraph/list-sink.ts'
export type {
  Graph,
  LinkCursor,
  SharedClosedPart,
  SharedCompressedGraph,
  SharedCsrGraph,
  SharedGraph,
} from './webgraph/graph.ts'
export { graphOf, type CsrGraph } from './webgraph/csr-graph.ts'
export { webOf, idOf, pageOfId, type LinkCounts, type Web, type WebParts } from './webgraph/web.ts'
export type { Sites } from './webgraph/sites.ts'
export type { UrlList } from './webgraph/url-list.ts'
export { pageRank } from './webgraph/pagerank/pagerank.ts'
export type { PageRankOptions, PageRankResult, PageRankSyncOptions } from './webgraph/pagerank/pagerank.ts'
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
export type {
  Asked,
  RequestHookAnswer,
  ServableWeb,
  ServedWeb,
  ServeOptions,
} from './webgraph/served/served-web.ts'
export type { Access } from './webgraph/served/access.ts'
export type { WebUrls } from './webgraph/served/web-urls.ts'

// Parts
export { robotsAllows, parseRobots } from './web/robots/robots-file.ts'
export type { RequestRate, RobotsExtensions, RobotsRule, RobotsRules } from './web/robots/robots-rules.ts'
export { canonicalUrl } from './web/url/canonical-url.ts'
export { parseSitemap } from './web/sitemap/sitemap-reader.ts'
export type { Sitemap, SitemapLimits, SitemapUrl } from './web/sitemap/sitemap.ts'
export type { RequisiteCounts } from './crawler/parts/requisites/requisite-queue.ts'
export type { SourceCounts } from './crawler/parts/sources/source-readings.ts'
export { extractLinks, extractPage } from './web/html/page.ts'
export type { Page, PageLink, PageOptions } from './web/html/page.ts'
export type { Refresh } from './web/html/meta-refresh.ts'
export type { Headers } from './web/html/robots-directives.ts'
export type { MarkLimits } from './web/html/marks.ts'
export type { LinkChoice } from './web/html/link-filter.ts'
export type { ScanOptions } from './web/html/scanner.ts'
export { readPageContents } from './simulator/contents/page-contents.ts'
export type { PageContent } from './webgraph/formats/page-contents.ts'
export { readWarc } from './web/warc/reader.ts'
export type { WarcRecord } from './web/warc/warc-record.ts'
export { WarcWriter } from './web/warc/warc-writer.ts'
export type { HttpMessage } from './web/warc/http-block.ts'
export type { Truncation } from './web/warc/record.ts'
export type {
  Exchange,
  RecordPlace,
  Revisited,
  WarcFileEnd,
  WarcWriterOptions,
} from './web/warc/warc-writer.ts'
export type { Progress } from './lib/progress.ts'
export { RankwardError, type ErrorCode } from './lib/errors.ts'
