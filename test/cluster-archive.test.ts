/** A crawl on a cluster with `--archive`: its pages are read from a machine that fetched none of them. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { crawl, exportCluster, search } from '../src/index.ts'
import type { AuditResult, VerifyResult } from '../src/index.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { s3Server, type S3Server } from './s3-server.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { calmTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 120, sites: 12, seed: 5, linksPerPage: 5 })
const { seed } = bestSeed(web.graph)

interface Row {
  readonly url: string
  readonly text?: string
  readonly warc_file: string
}

describe.skipIf(withoutNats)(`a crawl on a cluster with an archive${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb
  let store: S3Server

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    served = await serveWeb(web)
    store = await s3Server(join(folder, 's3'))
  })
  afterAll(async () => {
    await servers.stop()
    await served.close()
  })

  const on = (name: string): string[] => ['--cluster', `nats://${servers.addresses[0]}`, '--name', name]

  const clusterOf = (name: string, archive: string | undefined, keep?: number): Promise<WorkerCluster> =>
    WorkerCluster.create({
      servers,
      connection,
      folder,
      name,
      shards: 4,
      timing: calmTiming,
      crawl: {
        seeds: [served.urlOf(seed)],
        scope: 'any',
        wait: 0,
        allowPrivate: true,
        threads: 1,
        archive,
        archiveKeep: keep,
        warcBytesMax: 20_000,
      },
    })

  /** Crawls with two workers, in folders of their own; returns these. */
  async function crawled(name: string, archive: string | undefined, keep?: number): Promise<string[]> {
    const cluster = await clusterOf(name, archive, keep)
    const folders = [join(folder, `${name}-a`), join(folder, `${name}-b`)]
    const workers = [await cluster.start(folders[0]), await cluster.start(folders[1])]
    for (const worker of workers) await cluster.ended(worker)
    await cluster.stop()
    return folders
  }

  const rowsOf = (path: string): Row[] =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)

  it('has the pages of all workers in one place', async () => {
    const folders = await crawled('news', store.direct('news'), 30_000)
    for (const each of folders) {
      const warc = join(each, 'warc')
      const sizes = readdirSync(warc).map((name) =>
        name.endsWith('.gz') ? statSync(join(warc, name)).size : 0,
      )
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(30_000)
    }
    // Another machine has none of these.
    for (const each of folders) rmSync(each, { recursive: true })
    const to = join(folder, 'news.jsonl')
    const given = ['--to', to, '--table', 'pages', '--content', 'text', '--where', 'state=fetched']
    await rankwardJson(['export', ...on('news'), ...given, '--copies', join(folder, 'copies')])
    const rows = rowsOf(to)
    expect(rows.length).toBeGreaterThan(90)
    expect(rows.every(({ text = '' }) => text.length > 0)).toBe(true)
    const workers = new Set(rows.map(({ warc_file: file }) => file.replace(/-\d+-\d+\.warc\.gz$/, '')))
    expect(workers.size).toBe(2)

    const wacz = await exportCluster({
      cluster: [`nats://${servers.addresses[0]}`],
      name: 'news',
      cache: join(folder, 'copies'),
      to: join(folder, 'news.wacz'),
      content: ['text'],
    })
    expect(wacz.files[0].rows).toBe(rows.length)
  })

  it('is searched, audited and made a data set of as a crawl on one machine is', async () => {
    const single = join(folder, 'single')
    const settings = { scope: 'any', wait: 0, allowPrivate: true, threads: 1 } as const
    await crawl({ seeds: [served.urlOf(seed)], out: single, ...settings }).run()
    const copies = ['--copies', join(folder, 'copies')]
    interface Found {
      readonly pages: number
      readonly matches: number
      readonly results: readonly { readonly url: string; readonly pageRank: number }[]
    }
    const words = ['hill', '--limit', '500', '--json']
    const [one, all, again] = [
      await rankwardJson<Found>(['search', single, ...words]),
      await rankwardJson<Found>(['search', ...on('news'), ...copies, ...words]),
      await search(join(folder, 'copies'), 'hill', { limit: 500, index: false }),
    ]
    const ranks = ({ results }: Found): ReadonlyMap<string, string> =>
      new Map(results.map(({ url, pageRank }) => [url, pageRank.toFixed(6)]))
    expect(one.matches).toBeGreaterThan(0)
    expect(all).toMatchObject({ pages: one.pages, matches: one.matches })
    expect(ranks(all)).toEqual(ranks(one))
    expect(again.results).toEqual(all.results)

    const documents = (data: string): string[] =>
      readFileSync(join(data, 'documents-00000.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { url: string; text: string; rank_mass: number })
        .map(({ url, text, rank_mass: mass }) => `${url} ${mass.toFixed(6)} ${text}`)
        .toSorted()
    const options = ['--format', 'jsonl', '--dedup', 'none', '--json']
    const [oneData, allData] = [join(folder, 'one-data'), join(folder, 'all-data')]
    await rankwardJson(['dataset', single, '--to', oneData, ...options])
    await rankwardJson(['dataset', ...on('news'), ...copies, '--to', allData, ...options])
    expect(documents(allData)).toEqual(documents(oneData))
    expect(documents(allData).length).toBeGreaterThan(90)

    const audited = async (args: readonly string[]): Promise<unknown> => {
      const { pages, read, counts } = await rankwardJson<AuditResult>(['audit', ...args, '--json'])
      return { pages, read, counts }
    }
    expect(await audited([...on('news'), ...copies])).toEqual(await audited([single]))
    expectRefusal(await rankward(['report', join(folder, 'copies')]), 2, /rankward dashboard --cluster/)
  })

  it('is verified, journals and files of all workers', async () => {
    const given = ['verify', ...on('news'), '--copies', join(folder, 'copies'), '--json']
    const warcOf = ({ parts }: VerifyResult): VerifyResult['parts'][number] =>
      parts.find(({ name }) => name === 'warc')!
    const whole = await rankwardJson<VerifyResult>(given)
    expect(whole).toMatchObject({ state: 'good' })
    expect(Number(warcOf(whole).checked.split(' ')[0])).toBeGreaterThan(90)
    const stored = readdirSync(join(folder, 's3'), { recursive: true, encoding: 'utf8' })
    const warcs = stored
      .map((name) => join(folder, 's3', name))
      .filter((path) => /news.*\.warc\.gz[^/]*$/.test(path) && statSync(path).isFile())
    const damaged = warcs.find((path) => statSync(path).size > 2000)!
    const bytes = readFileSync(damaged)
    bytes[bytes.length >> 1] ^= 0xff
    writeFileSync(damaged, bytes)
    const { exitCode, stdout } = await rankward(given)
    expect(exitCode).toBe(5)
    expect(warcOf(JSON.parse(stdout) as VerifyResult).damageCount).toBeGreaterThan(0)
  })

  it('fails the worker that could not send its files, which sends them when it starts again', async () => {
    const cluster = await clusterOf('late', store.place('late'))
    store.intercept = ({ method, url = '' }, response) => {
      if (method !== 'PUT' || !url.includes('.warc')) return false
      response.writeHead(503).end()
      return true
    }
    const own = join(folder, 'late-a')
    const worker = await cluster.start(own)
    const code = new Promise((resolve) => void worker.once('exit', resolve))
    await cluster.ended(worker)
    expect(await code).not.toBe(0)
    store.intercept = undefined
    const again = await cluster.start(own)
    const codeAgain = new Promise((resolve) => void again.once('exit', resolve))
    await cluster.ended(again)
    expect(await codeAgain).toBe(0)
    await cluster.stop()
    const sent = new Set(store.requests.filter((line) => line.startsWith('PUT') && line.includes('late')))
    const files = readdirSync(join(own, 'warc')).filter((name) => name.endsWith('.warc.gz'))
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) expect([...sent].some((line) => line.includes(file))).toBe(true)
  })

  it('says without one which worker has a page', async () => {
    const folders = await crawled('local', undefined)
    expect(existsSync(join(folders[0], 'archived.jsonl'))).toBe(false)
    const tables = ['--to', join(folder, 'local.jsonl'), '--table', 'pages', '--content', 'text']
    expectRefusal(
      await rankward(['export', ...on('local'), ...tables, '--copies', join(folder, 'local-copies')]),
      2,
      /is on the machine of the worker \S+, in the folder warc\/ of that worker/,
    )
    expectRefusal(
      await rankward(['search', ...on('local'), 'hill', '--copies', join(folder, 'local-copies')]),
      2,
      /is on the machine of the worker/,
    )
    const given = ['verify', ...on('local'), '--copies', join(folder, 'local-copies'), '--json']
    const unchecked = await rankwardJson<VerifyResult>(given)
    expect(unchecked.parts.flatMap(({ notes }) => notes).join(' ')).toContain('machines of the workers')
    // As the folder of a worker, which has its own shards.
    rmSync(join(folder, 'local-copies', 'shards', '002'), { recursive: true })
    const some = await rankward(['search', join(folder, 'local-copies'), 'hill'])
    expectRefusal(some, 2, /has 3 of the 4 shards .* Give --cluster/)
  })
})
