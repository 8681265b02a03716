/** Sitemaps of the seeds' sites, on workers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { gapsBelow } from './support/access-log.ts'
import { natsNote, withoutNats } from './support/nats-server.ts'
import { pageWith, type SmallPage } from './support/small-web.ts'
import { WorkedWeb } from './support/worked-web.ts'
import { journaledUrls } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const [home, linked, elsewhere] = ['127.10.0.1', '127.10.0.2', '127.10.0.3']
const hidden = Array.from({ length: 6 }, (_, i) => `/hidden-${i}`)

const xml = (body: string): SmallPage => ({
  body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  headers: { 'content-type': 'application/xml' },
})
const urls = (list: readonly string[]): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${list.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

describe.skipIf(withoutNats)(`sitemaps on workers${natsNote}`, () => {
  let worked: WorkedWeb

  beforeAll(async () => {
    const at = (host: string, path: string): string => `http://${host}:PORT${path}`
    worked = await WorkedWeb.start(folder, {
      [home]: {
        '/': pageWith('home', at(linked, '/')),
        '/sitemap.xml': xml(
          `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${at(home, '/one.xml')}</loc></sitemap></sitemapindex>`,
        ),
        '/one.xml': xml(urls([...hidden.map((path) => at(home, path)), at(elsewhere, '/')])),
        ...Object.fromEntries(hidden.map((path) => [path, pageWith(path)])),
      },
      [linked]: {
        '/': pageWith('linked'),
        // Not one of the seeds' sites.
        '/sitemap.xml': xml(urls([at(linked, '/never')])),
        '/never': pageWith('never'),
      },
      [elsewhere]: { '/': pageWith('elsewhere') },
    })
  })
  afterAll(() => worked.stop())

  it('the pages in the sitemaps of the seeds are crawled, on whichever shard they are, although a worker is killed', async () => {
    const expected = [`${home}/`, `${linked}/`, `${elsewhere}/`, ...hidden.map((path) => `${home}${path}`)]
    const places = new Set(expected.map((place) => shardOfUrl(worked.web.url(place), worked.shards)))
    expect(places.size).toBeGreaterThan(1)
    const { web, shards } = worked
    const cluster = await worked.create(
      'sitemap',
      worked.options(`${home}/`, { sitemap: true, wait: 0.05, waitPerAddress: undefined }),
    )
    const workers = [await cluster.start(), await cluster.start()]
    await cluster.untilFetched(1)
    await cluster.kill(workers[0])
    workers[0] = await cluster.start()
    const ends = await Promise.all(workers.map((worker) => cluster.ended(worker)))
    expect(ends).toEqual(['finished', 'finished'])
    const found = await journaledUrls(cluster.streams, shards)
    await cluster.stop()
    expect(found.toSorted()).toEqual(expected.map((place) => web.url(place)).toSorted())
    expect(web.asked).not.toContain(`${linked}/sitemap.xml`)
    const ofHome = web.accesses.filter(({ site }) => site === home)
    expect(gapsBelow(ofHome, 0.05, { toleranceMs: 3 })).toEqual([])
  })
})
