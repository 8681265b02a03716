/** Shards of a stored web whose journals and links log are in JetStream: claims, hand-over, fences and the exchange of mass. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { coverageOf } from '../src/cluster/protocol/heads.ts'
import type { ShardOwner } from '../src/cluster/protocol/shard-owner.ts'
import type { ShardHead } from '../src/cluster/protocol/shard-group.ts'
import { subjectOf } from '../src/cluster/protocol/stream-names.ts'
import { exactRankMass } from '../src/engine/strategies/exact-rankmass.ts'
import { simulatedCrawl } from './simulated-crawl.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import {
  Crawl,
  damping,
  fetchPages,
  graph,
  seeds,
  sites,
  trust,
  until,
  work,
  workUntilFinished,
} from './support/virtual-shards.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

describe.skipIf(withoutNats)(`shards in JetStream${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
  })
  afterAll(() => servers.stop())

  const claimAll = (crawl: Crawl): Promise<ShardOwner[]> =>
    Promise.all(crawl.journals.map((_, shard) => crawl.claim(shard)))

  async function expectWhole(crawl: Crawl, heads: readonly ShardHead[]): Promise<void> {
    const web = { lists: graph, seeds, sites: [...sites.ofPage] }
    const { order, engine } = await simulatedCrawl(web, () =>
      exactRankMass({ damping, trust: (i) => trust[i] }),
    )
    const byNumber = (a: number, b: number): number => a - b
    expect((await crawl.fetched()).toSorted(byNumber)).toEqual(order.toSorted(byNumber))
    expect(engine.finished).toBe(true)
    // Both stop passing mass on when a millionth of it is left.
    expect(Math.abs(coverageOf(heads, damping) - engine.strategy.coverage!())).toBeLessThan(2e-6)
    expect(coverageOf(heads, damping)).toBeGreaterThan(1 - 2e-6)
  }

  it('hold the pages and the coverage of the single engine at the end', async () => {
    const crawl = await Crawl.create(connection, 1)
    await expectWhole(crawl, await workUntilFinished(crawl, await claimAll(crawl)))
  })

  it('go on after a take-over; the owner before is fenced, and neither its pages nor its messages count', async () => {
    const crawl = await Crawl.create(connection, 1)
    const stale = await claimAll(crawl)
    for (let round = 0; round < 4; round++) await work(crawl, stale)
    // These are not journaled before another worker takes over.
    for (const { shard } of stale) fetchPages(shard, 3)
    const owners = await claimAll(crawl)
    for (const owner of stale) owner.flush()
    await until(() => stale.every(({ state }) => state === 'fenced'))
    await expectWhole(crawl, await workUntilFinished(crawl, owners))
  })

  it('are handed over by a release, without a page fetched twice', async () => {
    const crawl = await Crawl.create(connection, 1)
    const first = await claimAll(crawl)
    for (let round = 0; round < 4; round++) await work(crawl, first)
    const fetchedBefore = first.map(({ shard }) => shard.engine.pages.crawledCount)
    for (const owner of first) owner.release()
    await until(() => first.every(({ state }) => state === 'released'))
    expect((await crawl.heads()).map((head) => head?.kind)).toEqual(first.map(() => 'released'))
    const second = await claimAll(crawl)
    expect(second.map(({ shard }) => shard.engine.pages.crawledCount)).toEqual(fetchedBefore)
    await expectWhole(crawl, await workUntilFinished(crawl, second))
  })

  it('lose nothing when the server is killed', async () => {
    const crawl = await Crawl.create(connection, 1)
    const owners = await claimAll(crawl)
    for (let round = 0; round < 4; round++) await work(crawl, owners)
    for (const { shard } of owners) fetchPages(shard, 3)
    for (const owner of owners) owner.flush()
    await servers.kill(0)
    servers.startServer(0)
    await servers.connect()
    await expectWhole(crawl, await workUntilFinished(crawl, owners))
  })

  it('skip bytes of other programs in the links log', async () => {
    const crawl = await Crawl.create(connection, 1)
    const owners = await claimAll(crawl)
    const [stream] = crawl.journals.map((journal) => journal.stream.replace(/J0$/, 'LINKS'))
    for (let round = 0; round < 10; round++) {
      await work(crawl, owners)
      // The second begins as a message does.
      for (const bytes of ['hello', Uint8Array.of(0xc1, 1, 200, 1, 3, 9)])
        await jetstream(connection).publish(subjectOf(stream), bytes)
    }
    await expectWhole(crawl, await workUntilFinished(crawl, owners))
    expect(crawl.links.foreignCount).toBeGreaterThan(0)
  })

  it('purge the links log up to the position that every shard has read', async () => {
    const crawl = await Crawl.create(connection, 1)
    const owners = await claimAll(crawl)
    for (let round = 0; round < 10; round++) await work(crawl, owners)
    const heads = await crawl.heads()
    const position = Math.min(...heads.map((head) => head!.position))
    expect(position).toBeGreaterThan(0)
    await crawl.links.purge(0)
    expect((await crawl.links.read(0)).messages.length).toBeGreaterThanOrEqual(position)
    await crawl.links.purge(position)
    const { messages, position: end } = await crawl.links.read(0)
    expect(messages.length).toBe(end - position)
    await expectWhole(crawl, await workUntilFinished(crawl, owners))
  })
})
