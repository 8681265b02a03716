/** The status of a crawl on a cluster, with what it left out. Part of the public surface, so it names no type of NATS. */
import type { Omissions } from '../../crawler/options/omissions.ts'
import type { ClusterStatus } from '../protocol/cluster-status.ts'

export type ClusterCrawlStatus = ClusterStatus & Omissions
