/** A small web (small-web.ts) that workers crawl over real nats-servers: what tests of single options on shards have in common. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { exportCluster } from '../../src/cluster/operator.ts'
import type { CrawlOptions } from '../../src/crawler/crawler.ts'
import type { ExportOptions } from '../../src/crawler/read/export/export.ts'
import { NatsServers } from './nats-server.ts'
import { serveSmall, type SmallSites, type SmallWeb } from './small-web.ts'
import { journaledUrls, WorkerCluster, type WorkerClusterOptions } from './worker-cluster.ts'

/** Of crawls in this web: everything is in scope, and sites rest hardly at all. */
type More = Partial<Omit<WorkerClusterOptions, 'crawl' | 'name'>>

export class WorkedWeb {
  readonly folder: string
  readonly servers: NatsServers
  readonly connection: NatsConnection
  readonly web: SmallWeb
  readonly shards = 4

  private constructor(folder: string, servers: NatsServers, connection: NatsConnection, web: SmallWeb) {
    this.folder = folder
    this.servers = servers
    this.connection = connection
    this.web = web
  }

  static async start(folder: string, sites: SmallSites): Promise<WorkedWeb> {
    const servers = await NatsServers.start(folder)
    return new WorkedWeb(folder, servers, await servers.connect(), await serveSmall(sites))
  }

  async stop(): Promise<void> {
    await this.servers.stop()
    await this.web.close()
  }

  /** `seed`: `127.0.0.1/a`. */
  options(seed: string, more: Partial<CrawlOptions> = {}): CrawlOptions {
    return {
      seeds: [this.web.url(seed)],
      scope: 'any',
      allowPrivate: true,
      robotsTxt: false,
      threads: 1,
      wait: 0.01,
      waitFactor: 0,
      waitPerAddress: 0,
      traps: false,
      nearDuplicates: false,
      out: 'unused',
      ...more,
    }
  }

  create(name: string, crawl: CrawlOptions, more: More = {}): Promise<WorkerCluster> {
    const { servers, connection, shards } = this
    return WorkerCluster.create({
      servers,
      connection,
      folder: join(this.folder, name),
      name,
      shards,
      crawl,
      ...more,
    })
  }

  /** Runs workers until the crawl is over. Returns why they ended, and the URLs in the journals. */
  async crawled(
    name: string,
    crawl: CrawlOptions,
    { workers = 1, ...more }: More & { readonly workers?: number } = {},
  ): Promise<{ readonly ends: (string | undefined)[]; readonly urls: string[] }> {
    const cluster = await this.create(name, crawl, more)
    const started = await Promise.all(Array.from({ length: workers }, () => cluster.start()))
    const ends = await Promise.all(started.map((worker) => cluster.ended(worker)))
    const urls = await journaledUrls(cluster.streams, more.shards ?? this.shards)
    await cluster.stop()
    return { ends, urls }
  }

  /** The rows of a table, as `rankward export --cluster` writes them. */
  async rows<Row>(
    name: string,
    table: ExportOptions['table'] = 'pages',
    more: ExportOptions = {},
  ): Promise<Row[]> {
    const to = join(this.folder, `${name}-${table}.jsonl`)
    const cache = join(this.folder, `${name}-copies`)
    await exportCluster({ cluster: this.servers.addresses, name, cache, to, table, overwrite: true, ...more })
    return jsonLines(to)
  }
}

/** The rows of a file. */
export function jsonLines<Row>(path: string): Row[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}
