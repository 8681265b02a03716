/** The public surface of the library. test/public-surface.test.ts holds its declarations. */

// Crawling
import './crawler/parts/index.ts'
import './view/audit/register.ts'
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
  PageMetadata,
  PageSelection,
} from './engine/user-code/page-handler.ts'

// Reading a crawl: the commands of the same names (`export` is a reserved word)
export { changes, type ChangesOptions, type PageChange } from './crawler/read/changes.ts'
export { tail, type RecordedPage, type TailOptions } from './crawler/read/tail.ts'
export { compact, type CompactOptions } from './crawler/record/compact.ts'
export type { CompactResult } from './crawler/record/compaction.ts'
export { audit, type AuditOptions, type AuditResult } from './crawler/audit/audit.ts'
export { auditReport } from './crawler/audit/audit-report.ts'
export type { AuditReport, AuditReportOptions } from './crawler/audit/audit-reports.ts'
export type { Finding } from './crawler/audit/finding.ts'
export { duplicates } from './crawler/read/duplicate-clusters.ts'
export type { Duplicates, DuplicatesOptions } from './crawler/read/duplicate-clusters.ts'
export { explain } from './crawler/read/explanation.ts'
export { verify, type VerifyOptions, type VerifyResult } from './crawler/read/verify/verify.ts'
export type { ExplainOptions, Explanation } from './crawler/read/explanation.ts'
export type { CrawlSettings } from './crawler/options/crawl-settings.ts'
export type { Verdict } from './engine/recrawl-policy.ts'
export type { LogLevel } from './crawler/options/running-options.ts'
export { exportCrawl } from './crawler/read/export/export.ts'
export type { ExportOptions, ExportResult } from './crawler/read/export/export.ts'
export type { ContentName, ExportFormat, ExportTable } from './crawler/read/export/destination.ts'
export { dataset, type DatasetOptions, type DatasetResult } from './crawler/dataset/dataset.ts'
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
  checkCluster,
  copyCluster,
  backupCluster,
  deleteCluster,
  restoreCluster,
  drainCluster,
  explainCluster,
  exportCluster,
  pauseCluster,
  resumeCluster,
  stopCluster,
} from './cluster/operator.ts'
export type {
  BackupClusterOptions,
  ClusterBackup,
  ClusterCommandResult,
  ClusterCrawlStatus,
  ClusterCrawlState,
  ClusterStorage,
  ExplainClusterOptions,
  ExportClusterOptions,
  CheckClusterOptions,
  CopyClusterOptions,
  ClusterCheck,
  DrainClusterOptions,
  DrainedWorker,
  RestoreClusterOptions,
  StopClusterOptions,
} from './cluster/operator.ts'
export type { ClusterConnection, ClusterCrawlOptions } from './crawler/options/cluster-options.ts'

// Simulating
export { lookVerdicts } from './simulator/look-log.ts'
export { repeatedRuns, type RepeatedRun } from './simulator/repeats.ts'
export { simulate, type SimulateResult } from './simulator/simulator.ts'
export type { SimulateOptions } from './simulator/options/simulate-options.ts'
export type { ClusterFaults, ClusterOptions } from './simulator/options/cluster-options.ts'
export type { RunResult } from './simulator/judgement.ts'
export type { TimeOptions } from './simulator/options/time-options.ts'

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

// Web graphs: also `rankward/webgraph`
export * from './webgraph/index.ts'

// Parts
export { useVerdict, type UseAnswer, type UseVerdict } from './web/preferences/verdict.ts'
export type { UsePurpose } from './web/preferences/known-signals.ts'
export { robotsAllows, parseRobots } from './web/robots/robots-file.ts'
export type { RequestRate, RobotsExtensions, RobotsRule, RobotsRules } from './web/robots/robots-rules.ts'
export { canonicalUrl } from './web/url/canonical-url.ts'
export { parseSitemap } from './web/sitemap/sitemap-reader.ts'
export type { Sitemap, SitemapLimits } from './web/sitemap/sitemap.ts'
export { extractLinks, extractPage } from './web/html/page.ts'
export type { Page, PageLink, PageOptions } from './web/html/page.ts'
export { mainContent, siteTemplate } from './web/content/main-content.ts'
export type { MainBlock, MainContent, MainContentOptions } from './web/content/main-content.ts'
export type { PageType } from './web/content/model.ts'
export type { SiteTemplate } from './web/content/site-template.ts'
export { readPageContents } from './simulator/contents/page-contents.ts'
export { readWarc } from './web/warc/reader.ts'
export type { WarcRecord } from './web/warc/warc-record.ts'
export { serve } from './web/replay/replay-server.ts'
export type { ServeArchiveOptions, ServedArchive } from './web/replay/replay-server.ts'
export { WarcWriter } from './web/warc/warc-writer.ts'
export type { Exchange, RecordPlace, WarcFileEnd, WarcWriterOptions } from './web/warc/warc-writer.ts'
