/** `rankward/webgraph`: stored webs. Reading and writing, PageRank and other measures, synthetic webs, and serving them over HTTP. */
export { readGraph, writeGraph, type ReadGraphOptions } from './formats/index.ts'
export type { CompressedGraph } from './compressed-graph.ts'
export type { Graph, LinkCursor, SharedCompressedGraph, SharedCsrGraph } from './graph.ts'
export { graphOf, type CsrGraph } from './csr-graph.ts'
export { webOf, idOf, pageOfId, type Web, type WebParts } from './web.ts'
export type { Sites } from './sites.ts'
export type { UrlList } from './url-list.ts'
export type { PageContent } from './formats/page-contents.ts'

// Webs that change
export { readRecordedSite, type ReadChangesOptions } from './formats/recorded-site-reader.ts'
export type { ChangeKind } from './formats/recorded-versions.ts'
export { webOfRecorded, type RecordedSite } from './recorded-site.ts'

// Imports of others' data
export { importUrls, type ImportOptions, type ImportResult } from './imports/import-urls.ts'
export { readLinkGraph, type LinkGraph, type LinkGraphOptions } from './imports/link-graph.ts'

// Measures
export { pageRank } from './pagerank/pagerank.ts'
export type { PageRankOptions, PageRankResult } from './pagerank/pagerank.ts'
export { spamMass, spamSuspects } from './spam-mass.ts'
export type { SpamMass, SpamMassOptions, SpamThresholds } from './spam-mass.ts'
export { backlinks, forwardLinks, location, pageRankImportance } from './importance.ts'
export type { ImportanceMetric } from './importance.ts'
export type { LocationRules } from './location.ts'
export { strongComponents, type Components } from './components.ts'
export { bestSeed, reachableFrom, type Reachable } from './reachability.ts'

// Synthetic webs
export { SyntheticWeb } from './synthetic/synthetic-web.ts'
export { syntheticGraph, type SyntheticGraph } from './synthetic/synthetic-graph.ts'
export { topicalWeb, type TopicalWeb } from './synthetic/topical-web.ts'
export type { PageTopics, Relevance } from './synthetic/page-topics.ts'
export type { FarmLinks, Farms, FarmSettings, HijackedFrom, HonestPart } from './synthetic/farms.ts'
export type { SyntheticWebOptions, SyntheticWebSettings } from './synthetic/synthetic-options.ts'

// Serving
export { serveWeb } from './served/served-web.ts'
export type { ServableWeb, ServedWeb, ServeOptions } from './served/served-web.ts'
export type { Access } from './served/access.ts'
export type { WebUrls } from './served/web-urls.ts'
export type { Progress } from '../lib/progress.ts'
export { RankwardError, type ErrorCode } from '../lib/errors.ts'
