/** Options of a crawl with data or code of the user, or of owners, on workers: scorers, earlier scores, frequencies of words, purposes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { clusterSettings, createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import { explainCluster } from '../src/cluster/operator.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { natsNote, withoutNats } from './support/nats-server.ts'
import { pageWith, type SmallSites } from './support/small-web.ts'
import { quickTiming } from './support/worker-cluster.ts'
import { jsonLines, WorkedWeb } from './support/worked-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const home = '127.12.0.1'
const hosts = Array.from({ length: 9 }, (_, i) => `127.12.0.${2 + i}`)
/** Every third host has good pages, which link to one another across hosts. */
const isGood = (host: string): boolean => hosts.indexOf(host) % 3 === 0
const good = hosts.filter(isGood)
const owner = '127.12.1.1'

interface Scored {
  readonly url: string
  readonly relevance?: number
}

const at = (host: string, path: string): string => `http://${host}:PORT${path}`
const sites: SmallSites = {
  [home]: { '/': pageWith('home', ...hosts.map((host) => at(host, '/'))) },
  ...Object.fromEntries(
    hosts.map((host) => [
      host,
      {
        '/': pageWith(isGood(host) ? 'fine' : 'poor', at(host, '/a')),
        '/a': pageWith(
          isGood(host) ? 'fine too' : 'poor too',
          at(host, '/b'),
          ...(isGood(host) ? good.map((other) => at(other, '/b')) : []),
        ),
        '/b': pageWith(isGood(host) ? 'fine as well' : 'poor as well'),
      },
    ]),
  ),
  [owner]: {
    '/robots.txt': {
      body: 'User-agent: *\nContent-Usage: /blog/ train-ai=n\n',
      headers: { 'content-type': 'text/plain' },
    },
    '/.well-known/tdmrep.json': {
      body: '[{"location":"/reserved/*","tdm-reservation":1}]',
      headers: { 'content-type': 'application/json' },
    },
    '/': pageWith('owner', '/blog/1', '/reserved/1', '/free', '/tagged'),
    '/blog/1': pageWith('blog'),
    '/reserved/1': pageWith('reserved'),
    '/free': pageWith('free'),
    '/tagged': { body: pageWith('tagged'), headers: { 'tdm-reservation': '1' } },
  },
}

describe.skipIf(withoutNats)(`data and code of the user on workers${natsNote}`, () => {
  let worked: WorkedWeb

  beforeAll(async () => {
    worked = await WorkedWeb.start(folder, sites)
  })
  afterAll(() => worked.stop())

  const ofGood = (urls: readonly string[]): number =>
    urls.filter((url) => isGood(new URL(url).hostname)).length
  // With all homes, and then the pages of good hosts only.
  const pages = 1 + hosts.length + 2 * good.length

  it('a scorer scores each page once, in one thread of each worker, and leads across shards', async () => {
    const scorer = join(folder, 'score.mjs')
    writeFileSync(
      scorer,
      `import { appendFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
export default ({ url, title }) => {
  appendFileSync(${JSON.stringify(join(folder, 'scored'))}, process.pid + '.' + threadId + ' ' + url + '\\n')
  if (title === 'poor too') throw new Error('no')
  return title.startsWith('fine') ? 1 : 0.1
}
`,
    )
    const places = good.map((host) => shardOfUrl(worked.web.url(`${host}/`), worked.shards))
    expect(new Set(places).size).toBeGreaterThan(1)
    const options = worked.options(`${home}/`, { scorer, pages, connections: 1 })
    expect(clusterSettings(options).strategy).toBe('best-first')
    const { ends, urls } = await worked.crawled('scorer', options, { files: { scorer: [scorer] } })
    expect(ends).toEqual(['pages'])
    expect(urls).toHaveLength(pages)
    // Grants go to shards before all their pages are known, so a few others are among them.
    expect(ofGood(urls)).toBeGreaterThan(0.75 * 3 * good.length)
    const scored = readFileSync(join(folder, 'scored'), 'utf8').trim().split('\n')
    expect(scored.map((line) => line.split(' ')[1]).toSorted()).toEqual(urls.toSorted())
    expect(new Set(scored.map((line) => line.split(' ')[0])).size).toBe(1)
    const rows = await worked.rows<Scored>('scorer')
    const relevance = new Map(rows.map((row) => [row.url, row.relevance]))
    for (const url of urls.filter((each) => isGood(new URL(each).hostname)))
      expect(relevance.get(url)).toBe(1)
  })

  it('a scorer that cannot be loaded, or is code, is refused', async () => {
    const scorer = join(folder, 'broken.mjs')
    writeFileSync(scorer, 'export default 7\n')
    const { connection } = worked
    const options = worked.options(`${home}/`, { scorer })
    await createCrawl({ connection, name: 'broken', shards: 1, replicas: 1, options })
    const work = runWorker({
      connection,
      crawl: 'broken',
      folder: join(folder, 'broken'),
      timing: quickTiming,
      files: { scorer: [scorer] },
    })
    await expect(work).rejects.toThrow(/^Cannot use the scorer .*broken\.mjs/)
    expect(() => clusterSettings(worked.options(`${home}/`, { scorer: () => 1 }))).toThrow(
      /needs its scorer as a module/,
    )
  })

  it.each(['zero', 'parent'] as const)(
    'scores of an earlier crawl order the pages of all shards (%s)',
    async (kind) => {
      const { web } = worked
      const known = good.flatMap((host) => [
        `${host}/`,
        ...(kind === 'parent' ? [] : [`${host}/a`, `${host}/b`]),
      ])
      const historicalScores = new Map(known.map((place) => [web.url(place), 0.5]))
      const count = 1 + 3 * good.length
      const options = worked.options(`${home}/`, {
        strategy: `historical-pagerank-${kind}`,
        historicalScores,
        pages: count,
        connections: 1,
      })
      const name = `earlier-${kind}`
      const { ends, urls } = await worked.crawled(name, options)
      expect(ends).toEqual(['pages'])
      expect(urls).toHaveLength(count)
      expect(ofGood(urls)).toBeGreaterThan(0.75 * 3 * good.length)
      // Copies on other machines have the scores too: they replay the order.
      const [first] = good
      const explained = await explainCluster(web.url(`${first}/`), {
        cluster: worked.servers.addresses,
        name,
        cache: join(folder, `${name}-copies`),
      })
      expect(JSON.stringify(explained)).toContain('"fetched"')
    },
  )

  it('frequencies of words are those of the user on every shard', async () => {
    const counts = Uint32Array.from({ length: 1 << 16 }, (_, cell) => cell % 997)
    const topic = { topic: 'fine', wordFrequencies: { documents: 1000, counts } }
    const options = worked.options(`${home}/`, topic)
    const { ends } = await worked.crawled('words', options, { workers: 2 })
    expect(ends).toEqual(['finished', 'finished'])
    const alone = join(folder, 'alone')
    await crawl({ ...options, out: alone }).run()
    const to = join(folder, 'alone.jsonl')
    await exportCrawl(alone, { to, table: 'pages' })
    const relevances = (rows: readonly Scored[]): [string, number | undefined][] =>
      rows.toSorted((a, b) => (a.url < b.url ? -1 : 1)).map(({ url, relevance }) => [url, relevance])
    const onShards = relevances(await worked.rows<Scored>('words'))
    expect(onShards).toEqual(relevances(jsonLines(to)))
    expect(onShards.filter(([, relevance]) => relevance! > 0)).toHaveLength(3 * good.length)
  })

  it('a crawl with a purpose reads the files of owners before their pages, and fetches what it may use', async () => {
    const options = worked.options(`${owner}/`, { purpose: 'train-ai', robotsTxt: true })
    const { ends, urls } = await worked.crawled('purpose', options)
    expect(ends).toEqual(['finished'])
    const paths = urls.map((url) => new URL(url).pathname)
    expect(paths.toSorted()).toEqual(['/', '/free', '/tagged'])
    const asked = worked.web.asked.filter((place) => place.startsWith(owner))
    const files = ['/robots.txt', '/.well-known/tdmrep.json']
    expect(asked.slice(0, 2)).toEqual(files.map((path) => `${owner}${path}`))
    // What a page itself says is known once it is fetched: it is left out of what is exported.
    const rows = await worked.rows<{ url: string }>('purpose', 'pages', { purpose: 'train-ai' })
    expect(rows.map(({ url }) => new URL(url).pathname)).not.toContain('/tagged')
  })
})
