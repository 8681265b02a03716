/** The files that pages use, on workers: each shard fetches those of its pages, and all workers together keep the gaps of their hosts. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { gapsBelow, overlaps } from './support/access-log.ts'
import { natsNote, withoutNats } from './support/nats-server.ts'
import { pageWith, type SmallAnswer, type SmallSites } from './support/small-web.ts'
import { WorkedWeb } from './support/worked-web.ts'
import { journaledUrls } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const hosts = Array.from({ length: 8 }, (_, i) => `127.13.0.${1 + i}`)
const [cdn, slow] = ['127.13.1.1', '127.13.1.2']
const wait = 0.15

const at = (host: string, path: string): string => `http://${host}:PORT${path}`
/** Of one page. */
const images = (page: number): string[] => [0, 1, 2, 3].map((i) => `/${page}-${i}.png`)
const png: SmallAnswer = { headers: { 'content-type': 'image/png' }, body: 'PNG' }
const css = {
  headers: { 'content-type': 'text/css' },
  body: `body { background: url(${at(cdn, '/bg.png')}) }`,
}
const sites: SmallSites = {
  ...Object.fromEntries(
    hosts.map((host, i) => [
      host,
      {
        '/robots.txt': '',
        '/': `${pageWith(host, ...(i === 0 ? hosts.slice(1).map((other) => at(other, '/')) : []))}
          <link rel=stylesheet href="${at(cdn, `/${i % 2}.css`)}"><img src=/own.png>${images(i)
            .map((path) => `<img src="${at(cdn, path)}">`)
            .join('')}<img src="${at(slow, `/${i}.png`)}">`,
        '/own.png': png,
      },
    ]),
  ),
  [cdn]: {
    '/robots.txt': '',
    '/0.css': css,
    '/1.css': css,
    '/bg.png': png,
    ...Object.fromEntries(hosts.flatMap((_, i) => images(i)).map((path) => [path, png])),
  },
  [slow]: {
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nCrawl-delay: 1\n' },
    ...Object.fromEntries(hosts.map((_, i) => [`/${i}.png`, png])),
  },
}

interface RequisiteRow {
  readonly url: string
  readonly state: string
  readonly error?: string
  readonly warc_file?: string
}

describe.skipIf(withoutNats)(`requisites on workers${natsNote}`, () => {
  let worked: WorkedWeb

  beforeAll(async () => {
    worked = await WorkedWeb.start(folder, sites)
  })
  afterAll(() => worked.stop())

  it('are fetched for the pages of each shard and archived, with the gaps of all hosts, although a worker is killed', async () => {
    const { web, shards } = worked
    const shardOf = (host: string): number => shardOfUrl(web.url(`${host}/`), shards)
    expect(new Set(hosts.map((host) => shardOf(host))).size).toBeGreaterThan(2)
    const options = worked.options(`${hosts[0]}/`, { requisites: true, robotsTxt: true, wait })
    const cluster = await worked.create('files', options)
    const workers = await Promise.all([cluster.start(), cluster.start()])
    // Many files wait.
    await cluster.untilFetched(hosts.length)
    await cluster.kill(workers[0])
    expect(await cluster.ended(workers[1])).toBe('finished')
    expect(await journaledUrls(cluster.streams, shards)).toHaveLength(hosts.length)
    await cluster.stop()

    const rows = await worked.rows<RequisiteRow>('files', 'requisites')
    const ofHost = (host: string): RequisiteRow[] => rows.filter(({ url }) => new URL(url).hostname === host)
    for (const host of hosts) expect(ofHost(host).map(({ state }) => state)).toEqual(['fetched'])
    expect(new Set(ofHost(cdn).map(({ state }) => state))).toEqual(new Set(['fetched']))
    expect(new Set(ofHost(cdn).map(({ url }) => new URL(url).pathname))).toEqual(
      new Set(['/0.css', '/1.css', '/bg.png', ...hosts.flatMap((_, i) => images(i))]),
    )
    const archives = ['worker-0', 'worker-1'].flatMap((worker) =>
      readdirSync(join(folder, 'files', worker, 'warc')),
    )
    for (const { warc_file: file } of ofHost(cdn)) expect(archives).toContain(file)
    // Only the shard of the host keeps a longer gap than the usual one.
    for (const { url, error } of ofHost(slow)) {
      const page = hosts[Number.parseInt(new URL(url).pathname.slice(1), 10)]
      expect(error).toBe(shardOf(page) === shardOf(slow) ? undefined : 'crawl-delay')
    }
    for (const host of [...hosts, cdn]) {
      const accesses = web.accesses.filter(({ site }) => site === host)
      expect(overlaps(accesses)).toEqual([])
      expect(gapsBelow(accesses, wait, { toleranceMs: 3 })).toEqual([])
    }
  })
})
