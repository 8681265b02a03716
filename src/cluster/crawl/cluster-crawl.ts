/** A crawl on several machines, as its control stream describes it, and what each shard of it begins with. */
import { createHash } from 'node:crypto'
import { fingerprint } from '../../lib/fingerprint.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { registeredDomain, siteOf } from '../../web/url/site.ts'
import type { ControlState } from '../protocol/control.ts'
import { placedSeeds, shardOf, type PlacedSeeds } from '../protocol/placement.ts'

export interface ClusterCrawl {
  readonly name: string
  /** A UUID, in every folder and archive of the crawl. */
  readonly id: string
  readonly createdAt: string
  readonly shards: number
  /** Servers that store each group: 1 or 3. */
  readonly replicas: number
  readonly settings: CrawlSettings
  /** The weight of each seed. */
  readonly trust: readonly number[]
  /** Data of the user in the object store. */
  readonly inputs: readonly string[]
}

export function clusterCrawl({ crawl: name, settings: made }: ControlState): ClusterCrawl {
  const { shards, replicas, trust, inputs = [], settings, createdAt } = made
  return {
    name,
    id: uuidOf(`${name} ${createdAt}`),
    createdAt,
    shards,
    replicas,
    trust,
    inputs,
    settings: settings as unknown as CrawlSettings,
  }
}

/** The same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const words = new Uint32Array(2)

/** The shard that owns a site: all sites of a registered domain are on one. */
export function shardOfSite(site: string, shards: number): number {
  fingerprint(registeredDomain(site), words, 0)
  return shardOf(words[0], shards)
}

export function shardOfUrl(url: string, shards: number): number {
  return shardOfSite(siteOf(url) ?? url, shards)
}

/** The seeds of the crawl as one shard knows them. */
export function seedsOfShard({ settings, shards, trust }: ClusterCrawl, shard: number): PlacedSeeds {
  const owners = settings.seeds.map((url) => shardOfUrl(url, shards))
  return placedSeeds(shard, owners, trust)
}
