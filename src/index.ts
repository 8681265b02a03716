/** The public surface of the library. test/public-surface.test.ts holds its declarations. */

// Crawling
import './dashboard/register.ts'
export { crawl, recrawl, resumeCrawl } from './crawler.ts'
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
} from './crawler.ts'
export type { ContentOptions, ResumableContent } from './options/content-options.ts'
export { init, type InitOptions, type InitResult } from './crawl/init.ts'
export { check } from './crawl/check.ts'
export type { ChangedOption, CheckedSeed, CheckedSite, CheckOptions, CrawlCheck } from './crawl/check.ts'
export type { CrawlPace } from './crawl/check-forecast.ts'
export type { StopReason } from './engine/engine-options.ts'
export type { PageState, PageTotals } from './engine/page-totals.ts'
export type { CanonicalRules } from './worlds/real/url/canonical-rules.ts'
export type { ChangeRule } from './worlds/real/looks/change.ts'
export type { ScopeKind } from './worlds/real/url/scope.ts'
export type {
  FrontierChoice,
  FrontierFunction,
  InlineCode,
  InlineKind,
  ScorerChoice,
  StrategyChoice,
  StrategyFunction,
} from './user-code/inline-code.ts'
export type { ScoredPage, ScoreFunction, ScorerObject } from './user-code/page-scorer.ts'
export type {
  FoundSite,
  HandledLink,
  HandledPage,
  HandlerChoice,
  PageFailure,
  PageHandler,
  PageItems,
  PageSelection,
} from './user-code/page-handler.ts'
export type { CrawlCallbacks, HandlerOptions, HandlerSettings } from './options/handler-settings.ts'

// Reading a crawl: the commands of the same names (`export` is a reserved word)
export { changes, type ChangesOptions, type PageChange } from './inspect/changes.ts'
export { tail, type RecordedPage, type TailOptions } from './inspect/tail.ts'
export type { FollowOptions } from './inspect/followed-record.ts'
export type { ArchivePlace } from './options/recorded-page.ts'
export type { PageFreshness, PageLook } from './inspect/page-freshness.ts'
export type { HeldState } from './engine/recrawl-view.ts'
export { compact, type CompactOptions } from './record/compact.ts'
export type { CompactResult } from './record/compaction.ts'
export { duplicates } from './inspect/duplicate-clusters.ts'
export type { Cluster, Copy, CopyKind, Duplicates, DuplicatesOptions } from './inspect/duplicate-clusters.ts'
export { explain } from './inspect/explanation.ts'
export { verify, type VerifyOptions, type VerifyResult } from './inspect/verify/verify.ts'
export type { Damage, VerifiedPart, VerifiedPartName } from './inspect/verify/findings.ts'
export type { ExplainOptions, Explanation, Found, Outcome, Score, Waited } from './inspect/explanation.ts'
export type { SettingsAt } from './inspect/settings-history.ts'
export type { RobotsVerdict } from './inspect/explanation-robots.ts'
export type { Discovery, TakenBefore } from './inspect/page-history.ts'
export type { Omissions, UnfollowedLinks } from './options/omissions.ts'
export type { LeftOutLinks } from './worlds/real/fetch-result.ts'
export type {
  ArchiveOptions,
  ArchiveSettings,
  RequisiteSettings,
  WarcNames,
} from './options/archive-options.ts'
export type { CrawlSettings, RecrawlSettings } from './options/crawl-settings.ts'
export type { Verdict } from './engine/recrawl-policy.ts'
export type { FetchCost } from './engine/recrawl-options.ts'
export type { LogLevel } from './options/log-levels.ts'
export type { FailureCause } from './engine/world.ts'
export type { LookRecord } from './record/look-record.ts'
export type { OutcomeRecord, WarcPlace } from './record/outcome-record.ts'
export type { PageSummary, PageOutcome } from './worlds/real/fetch-result.ts'
export type { ResponseSummary } from './worlds/real/fetch/response-summary.ts'
export type { CopyOf } from './worlds/real/copies.ts'
export type { Miscoding } from './worlds/real/fetch/content-coding.ts'
export type { HttpFault } from './worlds/real/fetch/http-fault.ts'
export { exportCrawl } from './inspect/export/export.ts'
export type { ExportedFile, ExportOptions, ExportResult, ExportStage } from './inspect/export/export.ts'
export type { ContentName, ExportFormat, ExportTable, PlannedFile } from './inspect/export/destination.ts'
export { report } from './reporter.ts'
export type { ReportOfCrawl, ReportOfSimulations, ReportOptions, ReportResult } from './reporter.ts'
export { search, type SearchOptions, type SearchResult, type SearchResults } from './search/search.ts'
export { status, type CrawlStatus } from './inspect/status.ts'

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
} from './operator.ts'
export type {
  ClusterCommandResult,
  ClusterCopyOptions,
  ClusterCrawlStatus,
  ClusterCrawlState,
  ClusterStorage,
  ExplainClusterOptions,
  ExportClusterOptions,
  StopClusterOptions,
} from './operator.ts'
export type {
  ClusterMass,
  ClusterPhase,
  ClusterStatus,
  ShardPhase,
  ShardStatus,
  WorkerStatus,
} from './cluster/cluster-status.ts'
export type { LostCut } from './cluster/heads.ts'
export type { ClusterConnection, ClusterCrawlOptions } from './options/cluster-options.ts'

// Simulating
export { readRecordedSite, type ReadChangesOptions } from './graph/formats/recorded-site-reader.ts'
export type { ChangeKind } from './graph/formats/recorded-versions.ts'
export {
  webOfRecorded,
  type RecordedLinks,
  type RecordedSignals,
  type RecordedSite,
} from './graph/recorded-site.ts'
export type { RecrawlChoice } from './simulation/recrawl-choice.ts'
export { lookVerdicts, type Looks, type RecrawlRunOptions } from './simulation/recrawl-run.ts'
export type { Band } from './lib/mean-band.ts'
export { repeatedRuns, type CurveBand, type RepeatedRun } from './simulation/repeats.ts'
export { simulate, type SimulateOptions, type SimulateResult, type Visits } from './simulator.ts'
export type { SkippedStrategy } from './simulation/chosen-strategies.ts'
export type { ClusterOptions, ClusterSummary } from './simulation/cluster/cluster-run.ts'
export type { ClusterFaults } from './simulation/cluster/faults.ts'
export type { ClusterCounts } from './simulation/cluster/virtual-cluster.ts'
export type { FreshnessResult, JudgeOptions, RankMassJudgement, RunResult } from './simulation/judgement.ts'
export type { DiscoveryMeasures, FreshnessMeasures } from './measures/freshness.ts'
export type { RunOptions } from './simulation/run.ts'
export type { TimeOptions } from './simulation/time.ts'
export type { WebWords } from './simulation/web-words.ts'
export type { TopicSettings } from './topic/topic.ts'
export type { HotShare } from './measures/crawl-and-stop.ts'
export type { SeriesPoint } from './worlds/virtual/step-series.ts'
export type { Periods, TimeSummary } from './worlds/virtual/time-summary.ts'

// Strategies and frontiers
export { strategies, strategyNames, strategyOf } from './strategies/index.ts'
export type {
  StrategyEntry,
  StrategyName,
  StrategyNeed,
  StrategySetting,
  StrategySpec,
} from './strategies/index.ts'
export type { MassAccount, Sharding } from './engine/sharding.ts'
export type { Strategy, StrategyServices } from './engine/strategy.ts'
export { frontierOf, frontiers } from './frontiers/index.ts'
export type { FrontierEntry, FrontierName, FrontierOptions } from './frontiers/index.ts'
export type { Frontier } from './engine/frontier.ts'
export type { KnownLinks } from './engine/known-links.ts'
export type { Reading } from './engine/reading.ts'
export type { GrowingArray } from './lib/growing-array.ts'
export type { NumberArray, StateCodec } from './lib/state.ts'

// Freshness
export { crawlValue, type ValueOptions } from './recrawl/value.ts'
export { optimalRates, type OptimalRates, type OptimalRatesOptions } from './recrawl/optimal-rates.ts'
export { changeEstimate, type ChangeEstimate, type Look } from './recrawl/estimators.ts'
export type { EstimatorName } from './recrawl/estimators.ts'

// Imports of others' data
export { importUrls, type ImportOptions, type ImportResult } from './imports/import-urls.ts'
export { readLinkGraph, type LinkGraph, type LinkGraphOptions } from './imports/link-graph.ts'

// Web graphs
export { readGraph, writeGraph, type ReadGraphOptions } from './graph/formats/index.ts'
export type { ReadOptions } from './graph/formats/format.ts'
export type { CompressedGraph } from './graph/compressed-graph.ts'
export type { KeepOptions } from './graph/list-sink.ts'
export type {
  Graph,
  LinkCursor,
  SharedClosedPart,
  SharedCompressedGraph,
  SharedCsrGraph,
  SharedGraph,
} from './graph/graph.ts'
export { graphOf, type CsrGraph } from './graph/csr-graph.ts'
export { webOf, idOf, pageOfId, type LinkCounts, type Web, type WebParts } from './graph/web.ts'
export type { Sites } from './graph/sites.ts'
export type { UrlList } from './graph/url-list.ts'
export { pageRank } from './graph/pagerank.ts'
export type { PageRankOptions, PageRankResult, PageRankSyncOptions } from './graph/pagerank.ts'
export { spamMass, spamSuspects } from './graph/spam-mass.ts'
export type { SpamMass, SpamMassOptions, SpamThresholds } from './graph/spam-mass.ts'
export { backlinks, forwardLinks, location, pageRankImportance } from './graph/importance.ts'
export type { ImportanceMetric } from './graph/importance.ts'
export type { LocationRules } from './graph/location.ts'
export { strongComponents, type Components } from './graph/components.ts'
export { bestSeed, reachableFrom, type Reachable } from './graph/reachability.ts'
export { SyntheticWeb } from './graph/synthetic/synthetic-web.ts'
export { syntheticGraph, type SyntheticGraph } from './graph/synthetic/synthetic-graph.ts'
export { topicalWeb, type TopicalWeb } from './graph/synthetic/topical-web.ts'
export type { PageTopics, Relevance } from './graph/synthetic/page-topics.ts'
export type { FarmLinks, Farms, FarmSettings, HijackedFrom, HonestPart } from './graph/synthetic/farms.ts'
export type { SyntheticWebOptions, SyntheticWebSettings } from './graph/synthetic/synthetic-options.ts'
export { serveWeb } from './served/served-web.ts'
export type { Asked, RequestHookAnswer, ServableWeb, ServedWeb, ServeOptions } from './served/served-web.ts'
export type { Access } from './served/access.ts'
export type { WebUrls } from './served/web-urls.ts'

// Parts
export { robotsAllows, parseRobots } from './worlds/real/robots/robots-file.ts'
export type {
  RequestRate,
  RobotsExtensions,
  RobotsRule,
  RobotsRules,
} from './worlds/real/robots/robots-rules.ts'
export { canonicalUrl } from './worlds/real/url/canonical-url.ts'
export { parseSitemap } from './worlds/real/sitemap/sitemap-reader.ts'
export type { Sitemap, SitemapLimits, SitemapUrl } from './worlds/real/sitemap/sitemap.ts'
export type { RequisiteCounts } from './worlds/real/requisites/requisite-queue.ts'
export type { SourceCounts } from './worlds/real/source-readings.ts'
export { extractLinks, extractPage } from './worlds/real/html/page.ts'
export type { Page, PageLink, PageOptions } from './worlds/real/html/page.ts'
export type { Refresh } from './worlds/real/html/meta-refresh.ts'
export type { Headers } from './worlds/real/html/robots-directives.ts'
export type { MarkLimits } from './worlds/real/html/marks.ts'
export type { LinkChoice } from './worlds/real/html/link-filter.ts'
export type { ScanOptions } from './worlds/real/html/scanner.ts'
export { readPageContents } from './contents/page-contents.ts'
export type { PageContent } from './graph/formats/page-contents.ts'
export { readWarc } from './warc/reader.ts'
export type { WarcRecord } from './warc/warc-record.ts'
export { WarcWriter } from './warc/warc-writer.ts'
export type { HttpMessage } from './warc/http-block.ts'
export type { Truncation } from './warc/record.ts'
export type { Exchange, RecordPlace, Revisited, WarcFileEnd, WarcWriterOptions } from './warc/warc-writer.ts'
export type { Progress } from './lib/progress.ts'
export { RankwardError, type ErrorCode } from './lib/errors.ts'
