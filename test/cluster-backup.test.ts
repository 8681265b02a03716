/** `rankward cluster backup` and `restore`: a crawl continues on other servers where it was stopped. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CrawlStreams } from '../src/cluster/jetstream/crawl-streams.ts'
import { backupCluster, clusterStatus, restoreCluster, resumeCluster, stopCluster } from '../src/index.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { pageWith } from './support/small-web.ts'
import { WorkedWeb } from './support/worked-web.ts'
import { journaledUrls, startWorker } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const hosts = Array.from({ length: 6 }, (_, i) => `127.14.0.${1 + i}`)
const paths = Array.from({ length: 8 }, (_, i) => `/${i}`)
const at = (host: string, path: string): string => `http://${host}:PORT${path}`

describe.skipIf(withoutNats)(`a backup of a crawl${natsNote}`, () => {
  let worked: WorkedWeb
  let others: NatsServers

  beforeAll(async () => {
    const links = hosts.flatMap((host) => [at(host, '/'), ...paths.map((path) => at(host, path))])
    worked = await WorkedWeb.start(
      folder,
      Object.fromEntries(
        hosts.map((host) => [
          host,
          {
            '/': pageWith(host, ...links),
            ...Object.fromEntries(paths.map((path) => [path, pageWith(path, ...links)])),
          },
        ]),
      ),
    )
    others = await NatsServers.start(temporaryFolder())
  })
  afterAll(async () => {
    await others.stop()
    await worked.stop()
  })

  it('is restored on other servers, where workers go on to the end, each page once', async () => {
    const { servers, shards, web } = worked
    const name = 'news'
    const crawl = { cluster: servers.addresses, name }
    const cluster = await worked.create(name, worked.options(`${hosts[0]}/`, { wait: 0.15 }))
    const worker = await cluster.start()
    await cluster.untilFetched(10)
    const to = join(folder, 'backup')
    await expect(backupCluster({ ...crawl, to })).rejects.toMatchObject({ code: 'CRAWL_RUNNING' })
    await stopCluster(crawl)
    expect(await cluster.ended(worker)).toBe('stop')
    const before = await journaledUrls(cluster.streams, shards)
    await cluster.stop()

    const written = await rankward([
      'cluster',
      'backup',
      '--cluster',
      `nats://${servers.addresses[0]}`,
      '--name',
      name,
      '--to',
      to,
    ])
    expect(written).toMatchObject({ exitCode: 0, stderr: '' })
    expect(written.stdout).toMatch(new RegExp(`^news is written: ${shards + 4} streams, `))
    // Not a second time, and not over the crawl itself.
    await expect(backupCluster({ ...crawl, to })).rejects.toMatchObject({ code: 'FOREIGN_FILES' })
    await expect(restoreCluster({ cluster: servers.addresses, from: to })).rejects.toMatchObject({
      code: 'CRAWL_EXISTS',
    })

    const there = { cluster: others.addresses, name }
    const restored = await restoreCluster({ cluster: others.addresses, from: to })
    expect(restored).toMatchObject({ name, streams: shards + 4 })
    const of = async (which: typeof crawl) => {
      const { pages, waiting, stoppedBecause, coverage } = await clusterStatus(which)
      return { pages, waiting, stoppedBecause, coverage }
    }
    expect(await of(there)).toEqual(await of(crawl))
    await resumeCluster(there)
    const next = await startWorker({ servers: others, name, folder: join(folder, 'other') })
    expect(await next.ended).toBe('finished')
    const connection = await others.connect()
    const streams = await CrawlStreams.open({ connection, crawl: name, shards, replicas: 1 })
    const urls = await journaledUrls(streams, shards)
    streams.close()
    const all = hosts.flatMap((host) => ['/', ...paths].map((path) => web.url(`${host}${path}`)))
    expect(before.length).toBeLessThan(all.length)
    for (const url of before) expect(urls).toContain(url)
    expect(urls.toSorted()).toEqual(all.toSorted())
  })

  it('that is damaged or incomplete is refused, and nothing is written to the servers', async () => {
    const from = join(folder, 'backup')
    const file = join(from, 'RW_news_J1.snapshot')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 1))
    const on = ['--cluster', `nats://${worked.servers.addresses[0]}`]
    expectRefusal(
      await rankward(['cluster', 'restore', from, ...on]),
      1,
      /damaged: RW_news_J1\.snapshot is not the file that was written\. Nothing was restored/,
    )
    expectRefusal(await rankward(['cluster', 'restore', folder, ...on]), 2, /is no backup of a crawl/)
  })
})
