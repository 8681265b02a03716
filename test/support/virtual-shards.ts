/** Shards of a small stored web whose journals and links log are in JetStream, for tests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { isFinished } from '../../src/cluster/protocol/heads.ts'
import { JetStreamJournal } from '../../src/cluster/jetstream/jetstream-journal.ts'
import { JetStreamLinks } from '../../src/cluster/jetstream/jetstream-links.ts'
import { ShardOwner } from '../../src/cluster/protocol/shard-owner.ts'
import { readShardGroup, type ShardHead } from '../../src/cluster/protocol/shard-group.ts'
import type { Shard } from '../../src/cluster/protocol/shard.ts'
import { readFacts } from '../../src/engine/fact-reader.ts'
import { TwoLevelFrontier } from '../../src/engine/frontiers/two-level.ts'
import { syntheticGraph } from '../../src/webgraph/synthetic/synthetic-graph.ts'
import { VirtualCluster } from '../../src/simulator/cluster/virtual-cluster.ts'
import type { VirtualNames } from '../../src/simulator/cluster/virtual-names.ts'
import { exactRankMass } from '../../src/engine/strategies/exact-rankmass.ts'
import { untilDone } from './nats-server.ts'

export const { graph, sites } = syntheticGraph({ pages: 300, sites: 20, seed: 7, linksPerPage: 6 })
export const seeds = [0, 75]
export const trust = [0.5, 0.5]
export const damping = 0.85
export const shards = 4

/** Only makes shards: it is never run. */
export const factory = new VirtualCluster({
  graph,
  siteOf: sites.ofPage,
  siteHashes: sites.keys,
  seeds,
  trust,
  damping,
  shards,
  workers: 1,
  seed: 1,
  makeStrategy: (weights) => exactRankMass({ damping, trust: (seed) => weights[seed] }),
  makeFrontier: () => new TwoLevelFrontier({}),
})

let crawls = 0
let writers = 0

/** The streams of one crawl. */
export class Crawl {
  readonly journals: readonly JetStreamJournal[]
  readonly links: JetStreamLinks

  private constructor(journals: readonly JetStreamJournal[], links: JetStreamLinks) {
    this.journals = journals
    this.links = links
  }

  static async create(connection: NatsConnection, replicas: number, name = String(crawls++)): Promise<Crawl> {
    const crawl = `RW_${name}`
    const numbers = Array.from({ length: shards }, (_, shard) => shard)
    const journals = numbers.map((shard) =>
      JetStreamJournal.open({ connection, replicas, stream: `${crawl}_J${shard}` }),
    )
    const links = await JetStreamLinks.open({ connection, replicas, stream: `${crawl}_LINKS` })
    return new Crawl(await Promise.all(journals), links)
  }

  heads(): Promise<(ShardHead | undefined)[]> {
    return Promise.all(
      this.journals.map(async (journal) => {
        const last = await journal.lastGroup()
        return last && readShardGroup(last.bytes).head
      }),
    )
  }

  async replayed(number: number): Promise<{ shard: Shard; sequence: number }> {
    const shard = factory.emptyShard(number)
    let at = 0
    for await (const { sequence, bytes } of this.journals[number].read(0)) {
      shard.replay(bytes)
      at = sequence
    }
    return { shard, sequence: at }
  }

  async claim(number: number): Promise<ShardOwner> {
    const { shard, sequence } = await this.replayed(number)
    return this.claimWith(number, shard, sequence)
  }

  /** Claims a shard that was restored up to this sequence. */
  claimWith(number: number, shard: Shard, sequence: number): Promise<ShardOwner> {
    return new Promise((resolve, reject) => {
      const owner: ShardOwner = new ShardOwner({
        shard,
        sequence,
        writer: `worker.${writers++}`,
        ports: {
          append: (record) =>
            void this.journals[number]
              .append(record)
              .then((stored) => owner.appended(stored))
              .catch(reject),
          publish: (message, bytes) =>
            void this.links
              .publish(bytes)
              .then((isStored) => owner.publishAnswered(message, isStored))
              .catch(reject),
          claimed: () => {
            if (!shard.isSeeded) shard.seed()
            for (const page of shard.engine.pages.underWay()) shard.engine.postponed(page)
            for (const site of shard.engine.busySites) shard.engine.closed(site, 0)
            resolve(owner)
          },
          ended: () => reject(new Error('fenced')),
        },
      })
      owner.claim()
    })
  }

  /** Each node that a journal has as fetched, in the order of the journals. */
  async fetched(): Promise<number[]> {
    const nodes: number[] = []
    for (const [number, journal] of this.journals.entries()) {
      const { names } = (await this.replayed(number)).shard
      for await (const { bytes } of journal.read(0))
        readFacts(readShardGroup(bytes).facts, {
          fetched: (page) => void nodes.push((names as VirtualNames).nodeOf(page)),
        })
    }
    return nodes
  }
}

/** Fetches up to so many pages of a shard. */
export function fetchPages(shard: Shard, count: number): void {
  const { engine } = shard
  const names = shard.names as VirtualNames
  const cursor = graph.cursor()
  for (let i = 0; i < count && engine.waitingCount > 0; i++) {
    let site = 0
    let page = 0
    engine.dispatch({
      now: () => 0,
      fetch: (ofSite, pages) => {
        site = ofSite
        page = pages[0]
      },
      deliver: () => {},
      wait: () => undefined,
    })
    cursor.seek(names.nodeOf(page))
    const { targets, start, end } = cursor
    const known = names.known
    const links = Uint32Array.from(targets.subarray(start, end), (node) => names.pageOf(node))
    const newSites = Uint32Array.from({ length: names.known - known }, (_, each) =>
      names.siteOf(known + each),
    )
    engine.fetched(page, links, links.length, newSites)
    engine.closed(site, 0)
    shard.touched()
  }
}

/** One round of a worker: fetches, cuts, flushes, publishes and receives. */
export async function work(crawl: Crawl, owners: readonly ShardOwner[]): Promise<void> {
  for (const owner of owners.filter(({ isOwning }) => isOwning)) {
    const { shard } = owner
    fetchPages(shard, 5)
    const { waitingCount, strategy } = shard.engine
    if (waitingCount > 0) shard.makeCut(strategy.sharding!.limit(1e-6), false)
    else if (shard.isUnsettled) shard.makeCut(strategy.sharding!.limit(0), true)
    owner.flush()
    owner.publishNext()
    const { messages, position } = await untilDone(() => crawl.links.read(shard.position))
    for (const message of messages) shard.receive(message)
    shard.position = position
  }
  await sleep(1)
}

export async function workUntilFinished(crawl: Crawl, owners: readonly ShardOwner[]): Promise<ShardHead[]> {
  let before = await untilDone(() => crawl.heads())
  for (;;) {
    for (let round = 0; round < 5; round++) await work(crawl, owners)
    const heads = await untilDone(() => crawl.heads())
    if (isFinished(before, heads)) return heads as ShardHead[]
    before = heads
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}
