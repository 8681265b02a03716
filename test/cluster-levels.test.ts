/** Orders that count levels and links, on shards of a worker of the real web: they are those of one engine. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { countByDepth, hubWeb } from './support/hub-web.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { journaledUrls, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const homes = 24
const web = hubWeb({ homes, pagesMax: 15, down: 4, across: 2 })
const shards = 12
/** The hub, all homes, and most of the pages of the next level. */
const pages = 150

describe.skipIf(withoutNats)(`a worker that owns all shards${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    const ofPage = new Uint32Array(new SharedArrayBuffer(4 * web.sites.length))
    ofPage.set(web.sites)
    const sites = {
      count: homes + 1,
      ofPage,
      keys: Uint32Array.from({ length: homes + 1 }, (_, site) => site),
    }
    served = await serveWeb({ graph: graphOf(web.lists), sites })
  })
  afterAll(async () => {
    await servers.stop()
    await served.close()
  })

  const countsOf = async (strategy: string): Promise<number[]> => {
    const cluster = await WorkerCluster.create({
      servers,
      connection,
      folder: join(folder, strategy),
      name: strategy,
      shards,
      crawl: {
        seeds: [served.urlOf(0)],
        scope: 'any',
        strategy,
        pages,
        connections: 4,
        wait: 0,
        waitFactor: 0,
        robotsTxt: false,
        allowPrivate: true,
        threads: 1,
        out: 'unused',
      },
    })
    const worker = await cluster.start()
    expect(await cluster.ended(worker)).toBe('pages')
    const urls = await journaledUrls(cluster.streams, shards)
    await cluster.stop()
    return countByDepth(
      web,
      urls.map((url) => served.pageOf(url)!),
    )
  }

  // Pages of the budget are granted at beats. Until then a shard may take a few pages of the level below.
  it('crawls breadth first', async () => {
    const counts = await countsOf('breadth-first')
    expect(counts[1]).toBe(homes)
    expect(counts[3]).toBeLessThan(pages / 4)
  })

  it('counts links of all shards, of which pages of the second level have most', async () => {
    const counts = await countsOf('backlink-count')
    expect(counts[2]).toBeGreaterThan((2 * pages) / 3)
    expect(counts[3]).toBeLessThan(pages / 4)
  })

  it('passes cash on between shards: with opic, pages of the last level come before most homes', async () => {
    const counts = await countsOf('opic')
    expect(counts[1]).toBeLessThan(homes)
    expect(counts[3]).toBeGreaterThan(pages / 8)
  })
})
