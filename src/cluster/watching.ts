/** The dashboard of a crawl on a cluster, registered from above (view/dashboard/register.ts): a crawl draws nothing. */
import type { NatsConnection } from '@nats-io/transport-node'
import type { CrawlOptions } from '../crawler/options/crawl-options.ts'
import { RankwardError } from '../lib/errors.ts'

export interface ClusterWatchOptions extends Pick<
  CrawlOptions,
  'dashboard' | 'dashboardToken' | 'dashboardNames'
> {
  readonly connection: NatsConnection
  readonly crawl: string
  readonly onProblem: (what: string) => void
}

export interface ClusterWatch {
  readonly url: string
  readonly token: string
  /** Whether reading needs the token too, and not only control. */
  readonly needsToken: boolean
  close(): Promise<void>
}

let open: ((options: ClusterWatchOptions) => Promise<ClusterWatch>) | undefined

export function registerClusterWatch(given: (options: ClusterWatchOptions) => Promise<ClusterWatch>): void {
  open = given
}

/** Undefined if nothing watches the crawl. */
export async function openClusterWatch(options: ClusterWatchOptions): Promise<ClusterWatch | undefined> {
  if (options.dashboard === undefined) return undefined
  if (open === undefined)
    throw new RankwardError('USAGE', 'A dashboard needs the whole package: import it from rankward.')
  return open(options)
}
