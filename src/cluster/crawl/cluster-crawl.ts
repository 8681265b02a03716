/** A crawl on several machines, as its control stream describes it, and what each shard of it begins with. */
import { fingerprint } from '../../lib/fingerprint.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { registeredDomain, siteOf } from '../../web/url/site.ts'
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
