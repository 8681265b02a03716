/** `export --cluster` and `explain --cluster`: reading a crawl from the journals of its shards. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { crawl, explain, explainCluster, exportCluster, exportCrawl } from '../src/index.ts'
import type { CrawlOptions, Explanation, ExportResult } from '../src/index.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { commandEnd, expectRefusal, rankward, rankwardJson, startRankward } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { extendBeyondJournal, shardFolders, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 60, sites: 8, seed: 5, linksPerPage: 4 })
const { seed } = bestSeed(web.graph)
const shards = 3

type Row = Readonly<Record<string, string | number>>

function rowsOf(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

/** Links as pairs of URLs, in alphabetical order. */
function linksIn(tables: string): string[] {
  const urls = rowsOf(join(tables, 'pages.jsonl')).map(({ url }) => url)
  return rowsOf(join(tables, 'links.jsonl'))
    .map(({ from, to }) => `${urls[Number(from)]} ${urls[Number(to)]}`)
    .toSorted()
}

describe.skipIf(withoutNats)(`reading a crawl on a cluster${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection
  let served: ServedWeb
  let cluster: WorkerCluster
  let on: string[]
  const workerFolder = join(folder, 'worker')
  const cache = join(folder, 'cache')

  const options = (): CrawlOptions => ({
    // Two seeds, which may be on two shards.
    seeds: [served.urlOf(seed), served.urlOf(seed === 0 ? 1 : 0)],
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    threads: 1,
  })

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    connection = await servers.connect()
    served = await serveWeb(web, {})
    cluster = await WorkerCluster.create({
      servers,
      connection,
      folder,
      name: 'web',
      shards,
      crawl: { ...options(), out: 'unused' },
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

  it('exports the pages and links of all shards as the tables of the same crawl on one machine', async () => {
    const single = join(folder, 'single')
    await crawl({ ...options(), out: single }).run()
    const one = join(folder, 'one-tables')
    const all = join(folder, 'all-tables')
    const expected = await exportCrawl(single, { to: one, format: ['jsonl', 'edges'] })
    const tables = ['--to', all, '--format', 'jsonl,edges', '--copies', cache]
    const exported = await rankwardJson<ExportResult & Record<string, unknown>>(['export', ...on, ...tables])
    const { pages, fetched, redirects, links, linksOutside } = expected
    expect(exported).toMatchObject({ name: 'web', pages, fetched, redirects, links, linksOutside })
    expect(exported.linksNotArrived).toBe(0)
    expect(exported.rankMass).toBeCloseTo(expected.rankMass!, 8)
    expect(fetched).toBeGreaterThan(shards)

    const rows = rowsOf(join(all, 'pages.jsonl'))
    expect(rows.map(({ page }) => page)).toEqual([...rows.keys()])
    const byUrl = new Map(rows.map((row) => [row['url'], row]))
    const expectedRows = rowsOf(join(one, 'pages.jsonl'))
    expect(byUrl.size).toBe(expectedRows.length)
    for (const { url, site, state, status, title, links: out, ...row } of expectedRows) {
      const here = byUrl.get(url)!
      expect(here).toMatchObject({ site, state, status, title, links: out })
      for (const score of ['rank_mass', 'page_rank', 'spam'])
        expect(Number(here[score])).toBeCloseTo(Number(row[score]), 6)
    }
    expect(linksIn(all)).toEqual(linksIn(one))
    expect(linksIn(all)).toHaveLength(links)
    expect(exported.files.map(({ table, rows: count }) => [table, count])).toEqual(
      expected.files.map(({ table, rows: count }) => [table, count]),
    )
  })

  it('exports one table of a cluster, by a condition, and versions', async () => {
    const servedBy = { cluster: [servers.addresses[0]], name: 'web', cache }
    const to = join(folder, 'fetched.jsonl')
    const { fetched } = await exportCluster({ ...servedBy, to, where: 'state=fetched' })
    expect(rowsOf(to)).toHaveLength(fetched)
    const versions = join(folder, 'versions.jsonl')
    await exportCluster({ ...servedBy, to: versions, table: 'versions' })
    const urls = (path: string): unknown[] => rowsOf(path).map(({ url }) => url)
    expect(urls(versions)).toEqual(urls(to))
  })

  it('counts links to pages that their shard does not know yet, and proves no mass by them', async () => {
    const copies = shardFolders(workerFolder)
    /** A folder with copies of these shards, and with the others before their first group. */
    const folderOf = async (name: string, filled: readonly number[]): Promise<string> => {
      const path = join(folder, name)
      for (const [number, copy] of copies.entries()) {
        const { options: settings, id, shard } = CrawlFolder.open(copy).file
        const own = join(path, 'shards', `00${number}`)
        if (filled.includes(number)) cpSync(copy, own, { recursive: true })
        else await CrawlFolder.create(own, { options: settings, id, shard })
      }
      return path
    }
    const whole = await exportCrawl(workerFolder, { to: join(folder, 'whole') })
    const part = await exportCrawl(await folderOf('some', [0]), { to: join(folder, 'part') })
    expect(part.linksNotArrived).toBeGreaterThan(0)
    expect(part.linksOutside).toBe(part.linksNotArrived)
    expect(part.pages).toBeLessThan(whole.pages)
    expect(part.rankMass).toBeLessThan(whole.rankMass! - 0.01)
    expect(whole.linksNotArrived).toBe(0)
    const none = await exportCrawl(await folderOf('empty', []), { to: join(folder, 'none') })
    expect(none).toMatchObject({ pages: 0, links: 0, rankMass: 0 })
  })

  it('refuses a wrong condition and existing files before any journal is copied', async () => {
    const unused = join(folder, 'unused-cache')
    const exportTo = (to: string, ...more: string[]) =>
      rankward(['export', ...on, '--copies', unused, '--to', to, ...more])
    expectRefusal(await exportTo(join(folder, 'x.csv'), '--where', 'colour=red'), 2, /colour/)
    const mine = join(folder, 'mine.csv')
    writeFileSync(mine, 'mine')
    expectRefusal(await exportTo(mine), 2, /mine\.csv already exists/)
    expect(existsSync(unused)).toBe(false)
    expectRefusal(
      await rankward(['export', 'crawl', '--copies', unused]),
      2,
      /--copies is for crawls on a cluster/,
    )
  })

  it("explains a page by the shard that owns it, as that shard's worker does", async () => {
    const copies = shardFolders(workerFolder)
    const urls = await ownUrls(copies)
    expect(urls.filter((own) => own.length > 0).length).toBeGreaterThan(1)
    for (const [shard, [url]] of urls.entries()) {
      if (url === undefined) continue
      const here = await explainCluster(url, { cluster: [servers.addresses[0]], name: 'web', cache })
      const there = await explain(copies[shard], url)
      expect(here.state).toBe('fetched')
      // The copy of a shard does not have the state of the whole crawl.
      expect(there.shard).toEqual({ number: shard, shards, phase: undefined })
      expect(here).toEqual({ ...there, shard: { number: shard, shards, phase: 'finished' } })
    }
    const explained = await rankwardJson<Explanation & Record<string, unknown>>([
      'explain',
      ...on,
      '--copies',
      cache,
      urls.flat()[0],
    ])
    expect(explained).toMatchObject({ url: urls.flat()[0], state: 'fetched' })
  })

  it('says of a page what its shard knows, and no more', async () => {
    const copies = shardFolders(workerFolder)
    let arrived = 0
    for (const [shard, urls] of (await ownUrls(copies)).entries()) {
      const record = await CrawlFolder.open(copies[shard]).readRecord()
      const parents = new Map([...record.foundPages()].map(({ url, parent }) => [url, parent]))
      record.close()
      for (const url of urls) {
        const text = explanationText(undefined, await explain(copies[shard], url))
        // Mass and links also come from other shards, whose journals are not read.
        expect(text).not.toMatch(/RankMass that had reached it|Rests|sitemap|interrupted|of the crawl:/)
        expect(text).toMatch(/as page \d+ of its shard: 200/)
        expect(text).toMatch(/\d+ links? of pages that its shard had fetched led to it/)
        const isArrived = parents.get(url) === undefined && !options().seeds.includes(url)
        expect(text.includes('by another shard, known to its own')).toBe(isArrived)
        if (isArrived) arrived++
      }
    }
    expect(arrived).toBeGreaterThan(0)
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

  it('says that a copy with groups that its journal has lost was set aside', async () => {
    const ahead = join(folder, 'ahead')
    const servedBy = { cluster: [servers.addresses[0]], name: 'web', cache: ahead }
    const notices: string[] = []
    const exported = (to: string): Promise<ExportResult> =>
      exportCluster({ ...servedBy, to: join(folder, to), onNotice: (line) => notices.push(line) })
    const { pages } = await exported('ahead-1.jsonl')
    expect(notices).toEqual([])
    await extendBeyondJournal(shardFolders(ahead)[1])
    expect((await exported('ahead-2.jsonl')).pages).toBe(pages)
    expect(notices).toEqual([expect.stringContaining('record-lost-1')])
    await extendBeyondJournal(shardFolders(ahead)[1])
    const [url] = (await ownUrls(shardFolders(workerFolder)))[1]
    const { exitCode, stderr } = await rankward(['explain', ...on, '--copies', ahead, url])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^rankward: note: .*record-lost-2\.\n$/)
  })

  it('keeps copies in a private folder for temporary files unless --copies is given', async () => {
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    const args = ['explain', ...on, served.urlOf(seed)]
    const { exitCode } = await commandEnd(startRankward(args, folder, { TMPDIR: temporary }))
    expect(exitCode).toBe(0)
    const [copies, ...others] = readdirSync(temporary)
    expect(others).toEqual([])
    expect(copies).toMatch(/^rankward-[0-9a-f-]{36}$/)
    expect(statSync(join(temporary, copies)).mode & 0o777).toBe(0o700)
    expect(shardFolders(join(temporary, copies))).toHaveLength(1)
  })

  it('refuses a cache with files of others or of another crawl, and leaves them as they are', async () => {
    const url = served.urlOf(seed)
    const foreign = join(folder, 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'notes.txt'), 'mine')
    const explainIn = (path: string) => rankward(['explain', ...on, '--copies', path, url])
    expectRefusal(
      await explainIn(foreign),
      2,
      /holds files that Rankward did not write \(notes\.txt\).*--copies/,
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
