/** `explain --cluster`: reading a crawl from the journals of its shards. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { bestSeed } from '../src/graph/reachability.ts'
import { syntheticGraph } from '../src/graph/synthetic/synthetic-graph.ts'
import { explain, explainCluster, type Explanation } from '../src/index.ts'
import { CrawlFolder } from '../src/record/crawl-folder.ts'
import { serveWeb, type ServedWeb } from '../src/served/served-web.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { shardFolders, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 60, sites: 8, seed: 5, linksPerPage: 4 })
const { seed } = bestSeed(web.graph)
const shards = 3

describe.skipIf(withoutNats)(`reading a crawl on a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb
  let cluster: WorkerCluster
  let on: string[]
  const workerFolder = join(folder, 'worker')
  const cache = join(folder, 'cache')

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    served = await serveWeb(web, {})
    const options = { seeds: [served.urlOf(seed)], scope: 'any', wait: 0, allowPrivate: true } as const
    cluster = await WorkerCluster.create({
      servers,
      connection,
      folder,
      name: 'web',
      shards,
      crawl: { ...options, threads: 1, out: 'unused' },
    })
    on = ['--cluster', `nats://${servers.addresses[0]}`, '--name', 'web']
    await cluster.ended(await cluster.start(workerFolder))
  })
  afterAll(async () => {
    await cluster.stop()
    await servers.stop()
    await served.close()
  })

  /** The URLs that the shards own, by shard. */
  async function ownUrls(copies: readonly string[]): Promise<string[][]> {
    const urls: string[][] = []
    for (const copy of copies) {
      const record = await CrawlFolder.open(copy).readRecord()
      urls.push([...record.outcomes()].map(([page]) => record.found(page).url))
      record.close()
    }
    return urls
  }

  it("explains a page by the shard that owns it, as that shard's worker does", async () => {
    const copies = shardFolders(workerFolder)
    const urls = await ownUrls(copies)
    expect(urls.filter((own) => own.length > 0).length).toBeGreaterThan(1)
    for (const [shard, [url]] of urls.entries()) {
      if (url === undefined) continue
      const here = await explainCluster(url, { cluster: [servers.addresses[0]], name: 'web', cache })
      const there = await explain(copies[shard], url)
      expect(here.state).toBe('fetched')
      expect(here).toEqual(there)
    }
    const explained = await rankwardJson<Explanation & Record<string, unknown>>([
      'explain',
      ...on,
      '--cache',
      cache,
      urls.flat()[0],
    ])
    expect(explained).toMatchObject({ url: urls.flat()[0], state: 'fetched' })
  })

  it('copies a journal once, and then only what is new', async () => {
    const [url] = (await ownUrls(shardFolders(workerFolder))).flat()
    const one = join(folder, 'one')
    const options = { cluster: [servers.addresses[0]], name: 'web', cache: one }
    await explainCluster(url, options)
    expect(shardFolders(one)).toHaveLength(1)
    const groups = async (): Promise<number> => {
      const record = await CrawlFolder.open(shardFolders(one)[0]).readRecord()
      record.close()
      return record.groups
    }
    const before = await groups()
    await explainCluster(url, options)
    expect(await groups()).toBe(before)
    expect(before).toBeGreaterThan(1)
  })

  it('refuses a cache with files of others or of another crawl, and leaves them as they are', async () => {
    const url = served.urlOf(seed)
    const foreign = join(folder, 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'notes.txt'), 'mine')
    const explainIn = (path: string) => rankward(['explain', ...on, '--cache', path, url])
    expectRefusal(
      await explainIn(foreign),
      2,
      /holds files that Rankward did not write \(notes\.txt\).*--cache/,
    )
    expect(readdirSync(foreign)).toEqual(['notes.txt'])
    writeFileSync(join(foreign, 'cluster.json'), '{"id":"another"}')
    expectRefusal(await explainIn(foreign), 2, /holds copies of another crawl/)
    expect(readdirSync(foreign)).toEqual(['cluster.json', 'notes.txt'])
  })

  it.each([
    [['crawl'], /Expected the folder of a crawl and a URL, or --cluster/],
    [[], /Expected the folder of a crawl and a URL, or --cluster/],
  ])('explain refuses the arguments %j', async (args, message) => {
    expectRefusal(await rankward(['explain', ...args]), 2, message)
  })

  it('explain refuses a folder together with --cluster, and a page that is no URL', async () => {
    const both = ['explain', 'crawl', served.urlOf(seed), ...on]
    expectRefusal(await rankward(both), 2, /A folder and --cluster are given/)
    expectRefusal(await rankward(['explain', ...on, 'about']), 2, /"about" cannot be explained/)
  })
})
