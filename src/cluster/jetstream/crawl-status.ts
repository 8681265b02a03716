/** The status of a crawl on a cluster, with what it left out. Part of the public surface, so it names no type of NATS. */
import type { Omissions } from '../../options/omissions.ts'
import type { ClusterStatus } from '../cluster-status.ts'

export type ClusterCrawlStatus = ClusterStatus & Omissions
