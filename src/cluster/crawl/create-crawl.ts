/** Begins a crawl on a cluster: checks that shards can run it, creates its streams, then states its settings. */
import type { NatsConnection } from '@nats-io/transport-node'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlOptions } from '../../crawler/options/crawl-options.ts'
import { archiving, clientSettings } from '../../crawler/parts/all-parts.ts'
import { localOptions, optionSets } from '../../crawler/options/option-table.ts'
import { settingsOf, type CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { withDigests } from '../../crawler/options/worker-files.ts'
import { readSecrets } from '../../crawler/session/request-secrets.ts'
import { shardedStrategies, type StrategyNeed } from '../../engine/strategies/index.ts'
import { isInline } from '../../engine/user-code/inline-code.ts'
import { isSecretHeader } from '../../web/http/request-headers.ts'
import { clusterCrawl, shardOfUrl } from './cluster-crawl.ts'
import { CrawlStreams } from '../jetstream/crawl-streams.ts'
import type { InputName, JetStreamInputs } from '../jetstream/jetstream-inputs.ts'
import { JetStreamControl } from '../jetstream/jetstream-control.ts'
import { JetStreamMembers } from '../jetstream/jetstream-members.ts'

interface NewClusterCrawl {
  readonly connection: NatsConnection
  readonly name: string
  readonly shards: number
  /** Servers that store each group: 1 or 3. */
  readonly replicas: number
  readonly options: CrawlOptions
}

/** The settings of a crawl on a cluster, with the user's own paths of files; USAGE if shards cannot run it. */
export function clusterSettings(options: CrawlOptions): CrawlSettings {
  const given = Object.entries(options)
    .filter(([name, value]) => localOptions.has(name) && value !== undefined && value !== false)
    .map(([name]) => name)
  if (given.length > 0) {
    const reasons = given.map((name) => `${name}: ${localOptions.get(name)!}`)
    throw new RankwardError(
      'USAGE',
      `A crawl on a cluster does not support ${given.join(' and ')} yet: leave ${given.length === 1 ? 'it' : 'them'} out, or crawl on one machine. (${reasons.join('; ')}.)`,
    )
  }
  const settings = settingsOf(withStrategy(archiving?.onByDefault(options) ?? options))
  refuseSecrets(settings)
  const { strategy, damping, seed } = settings
  const inputs: StrategyNeed[] = [
    ...(topical(settings).topic === undefined ? [] : (['topic'] as const)),
    ...(givenInputs(options).historicalScores === undefined ? [] : (['history'] as const)),
  ]
  const able = shardedStrategies({ damping, seed, webPages: 1, earlier: () => undefined }, inputs)
  if (isInline(settings, 'strategy') || isInline(settings, 'frontier') || !able.includes(strategy)) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${strategy} does not run on several shards. These do: ${able.join(', ')}.`,
    )
  }
  for (const { onShards } of optionSets) onShards?.(settings)
  // Faults of the files are found here, not by the first worker.
  readSecrets(settings)
  return settings
}

/** The defaults on one machine, PageRank for continuous crawls and `learned-topic` for topics, need what all shards have read. */
function withStrategy(options: CrawlOptions): CrawlOptions {
  const { continuous, strategy, coverage } = options
  if (strategy !== undefined || coverage !== undefined) return options
  if (continuous === true) return { ...options, strategy: 'opic' }
  const { topic, scorer } = topical(options)
  // A scorer alone says nothing about the words of links.
  const chosen = topic !== undefined ? 'anchor-similarity' : scorer !== undefined ? 'best-first' : strategy
  return { ...options, strategy: chosen }
}

interface GivenInputs {
  readonly historicalScores?: ReadonlyMap<string, number> | undefined
  /** The part with topics may be left out. */
  readonly wordFrequencies?: { readonly documents: number; readonly counts: Uint32Array } | undefined
}

function givenInputs(options: object): GivenInputs {
  return options
}

/** Stores the user's data, and returns their names. */
async function storeInputs(
  inputs: JetStreamInputs,
  { shards, options }: NewClusterCrawl,
): Promise<InputName[]> {
  const { historicalScores, wordFrequencies } = givenInputs(options)
  if (historicalScores !== undefined)
    await inputs.putScores(historicalScores, shards, (url) => shardOfUrl(url, shards))
  if (wordFrequencies !== undefined) await inputs.putWords(wordFrequencies)
  return [
    ...(historicalScores === undefined ? [] : (['scores'] as const)),
    ...(wordFrequencies === undefined ? [] : (['words'] as const)),
  ]
}

/** The part with topics may be left out. */
function topical(options: object): { readonly topic?: unknown; readonly scorer?: unknown } {
  return options
}

/** The settings are stored on the NATS servers, which hold no secrets. */
function refuseSecrets(settings: CrawlSettings): void {
  const header = settings.headers.find(([name]) => isSecretHeader(name))
  const { proxies = [] } = clientSettings(settings)
  const hasPassword = proxies.some((proxy) => new URL(proxy).username !== '')
  if (header === undefined && !hasPassword) return
  const [what, remedy] =
    header === undefined
      ? ['password of a proxy', 'give the proxies in a file (--proxies)']
      : [`${header[0]} header`, 'give credentials in a file (--auth), or cookies (--cookies)']
  throw new RankwardError(
    'USAGE',
    `A crawl on a cluster takes no ${what}: its settings are stored on the NATS servers, which hold no secrets. Instead, ${remedy}, of which each worker has its own copy.`,
  )
}

/** CRAWL_EXISTS if the cluster has a crawl of this name. */
export async function createCrawl(crawl: NewClusterCrawl): Promise<JetStreamControl> {
  const { connection, name, shards, replicas, options } = crawl
  const settings = withDigests(clusterSettings(options))
  const { seeds } = settings
  const trust = seeds.map((url) => (options.trust === undefined ? 1 : (options.trust.get(url) ?? 0)))
  if (!trust.some((weight) => weight > 0))
    throw new RankwardError('BAD_SEED', 'No seed is trusted: the trust file names none of the seeds.')
  await JetStreamControl.checkNew(connection, name)
  await archiving?.checkNew(settings, '')
  // Before the settings, so that no worker begins: nats-server 2.9 has stopped responding for good where several clients
  // created streams while others published.
  const streams = await CrawlStreams.open({ connection, crawl: name, shards, replicas })
  await streams.create()
  const inputs = await storeInputs(streams.inputs, crawl)
  await JetStreamMembers.create(connection, name, replicas)
  const control = await JetStreamControl.create(connection, name, {
    shards,
    replicas,
    seeds,
    trust,
    ...(inputs.length > 0 && { inputs }),
    settings: settings as unknown as Readonly<Record<string, unknown>>,
  })
  // Workers send files only to a place that has been claimed: they would fill a folder that is not mounted.
  await archiving?.claim(settings, clusterCrawl(control.state).id)
  return control
}
