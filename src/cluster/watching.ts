/** The dashboard of a crawl on a cluster, provided from above (view/dashboard/cluster/register.ts): a crawl draws nothing. */
import type { NatsConnection } from '@nats-io/transport-node'
import type { CrawlOptions } from '../crawler/options/crawl-options.ts'
import { Provided } from '../lib/provided.ts'

interface ClusterWatchOptions extends Pick<CrawlOptions, 'dashboardToken' | 'dashboardNames'> {
  readonly connection: NatsConnection
  readonly crawl: string
  /** Its address; the option was checked. */
  readonly dashboard: string
  readonly onProblem: (what: string) => void
}

export interface ClusterWatch {
  readonly url: string
  readonly token: string
  /** Whether reading needs the token too, and not only control. */
  readonly needsToken: boolean
  close(): Promise<void>
}

export const clusterWatching = new Provided<(options: ClusterWatchOptions) => Promise<ClusterWatch>>(
  'A dashboard',
)
