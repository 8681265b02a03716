/** Begins a crawl on a cluster: checks that shards can run it, creates its streams, then states its settings. */
import type { NatsConnection } from '@nats-io/transport-node'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlOptions } from '../../crawler/options/crawl-options.ts'
import { proxyList } from '../../crawler/options/request-options.ts'
import { localOptions } from '../../crawler/options/option-table.ts'
import { settingsOf, type CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { shardedStrategies } from '../../engine/strategies/index.ts'
import { isInline } from '../../engine/user-code/inline-code.ts'
import { isSecretHeader } from '../../web/http/request-headers.ts'
import { CrawlStreams } from '../jetstream/crawl-streams.ts'
import { JetStreamControl } from '../jetstream/jetstream-control.ts'
import { JetStreamMembers } from '../jetstream/jetstream-members.ts'
import type { OrderKind } from '../protocol/page-order.ts'

interface NewClusterCrawl {
  readonly connection: NatsConnection
  readonly name: string
  readonly shards: number
  /** Servers that store each group: 1 or 3. */
  readonly replicas: number
  readonly options: CrawlOptions
  /** The order of pages between workers; `strict` unless given, if the crawl ends at a number of pages or at a coverage. */
  readonly order?: OrderKind | undefined
}

/** The settings of a crawl on a cluster; USAGE if shards cannot run it. */
export function clusterSettings(options: CrawlOptions): CrawlSettings {
  const given = Object.entries(options)
    .filter(([name, value]) => localOptions.includes(name) && value !== undefined && value !== false)
    .map(([name]) => name)
  if (given.length > 0) {
    throw new RankwardError(
      'USAGE',
      `A crawl on a cluster does not support ${given.join(' and ')} yet: leave ${given.length === 1 ? 'it' : 'them'} out, or crawl on one machine.`,
    )
  }
  const settings = settingsOf({ ...options, warc: options.warc ?? true })
  const header = settings.headers.find(([name]) => isSecretHeader(name))
  const hasPassword = proxyList(settings).some((proxy) => new URL(proxy).username !== '')
  if (header !== undefined || hasPassword)
    throw new RankwardError(
      'USAGE',
      `A crawl on a cluster takes no ${header === undefined ? 'password of a proxy' : `${header[0]} header`}: its settings are stored on the NATS servers, which hold no secrets.`,
    )
  const { strategy, damping, seed } = settings
  const able = shardedStrategies({ damping, seed, webPages: 1 })
  if (isInline(settings, 'strategy') || isInline(settings, 'frontier') || !able.includes(strategy)) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${strategy} does not run on several shards. These do: ${able.join(', ')}.`,
    )
  }
  return settings
}

function orderOf({ pages, coverage, frontier }: CrawlSettings, given: OrderKind | undefined): OrderKind {
  const isRanked = frontier === 'two-level'
  if (given === 'strict' && !isRanked)
    throw new RankwardError(
      'USAGE',
      `The order strict needs the frontier two-level: ${frontier} does not take the best page of all sites. Use --worker-order fast.`,
    )
  return given ?? (isRanked && (pages !== undefined || coverage !== undefined) ? 'strict' : 'fast')
}

/** CRAWL_EXISTS if the cluster has a crawl of this name. */
export async function createCrawl(crawl: NewClusterCrawl): Promise<JetStreamControl> {
  const { connection, name, shards, replicas, options } = crawl
  const settings = clusterSettings(options)
  const order = orderOf(settings, crawl.order)
  const { seeds } = settings
  const trust = seeds.map((url) => (options.trust === undefined ? 1 : (options.trust.get(url) ?? 0)))
  if (!trust.some((weight) => weight > 0))
    throw new RankwardError('BAD_SEED', 'No seed is trusted: the trust file names none of the seeds.')
  await JetStreamControl.checkNew(connection, name)
  // Before the settings, so that no worker begins: nats-server 2.9 has stopped responding for good where several clients
  // created streams while others published.
  const streams = await CrawlStreams.open({ connection, crawl: name, shards, replicas })
  await streams.create()
  await JetStreamMembers.create(connection, name, replicas)
  return JetStreamControl.create(connection, name, {
    shards,
    replicas,
    seeds,
    trust,
    order,
    settings: settings as unknown as Readonly<Record<string, unknown>>,
  })
}
