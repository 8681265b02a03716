/** A crawl with a topic, on workers: links that mention it lead the way across shards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shardOfUrl } from '../src/cluster/crawl/cluster-crawl.ts'
import { clusterSettings } from '../src/cluster/crawl/create-crawl.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { natsNote, withoutNats } from './support/nats-server.ts'
import { WorkedWeb } from './support/worked-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const home = '127.11.0.1'
const hosts = Array.from({ length: 12 }, (_, i) => `127.11.0.${2 + i}`)
/** On several shards; the others have as many pages without a word about the topic. */
const isSolar = (host: string): boolean => hosts.indexOf(host) % 3 === 0
const words = (host: string): string => (isSolar(host) ? 'Solar energy' : 'Cooking recipes')

const page = (title: string, links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><p>${title} today.${links.join('')}`

const options = (worked: WorkedWeb, more: Partial<CrawlOptions> = {}): CrawlOptions =>
  worked.options(`${home}/`, { topic: 'solar energy', connections: 1, ...more })

describe.skipIf(withoutNats)(`a topic on workers${natsNote}`, () => {
  let worked: WorkedWeb

  beforeAll(async () => {
    const link = (host: string, path: string): string =>
      `<a href="http://${host}:PORT${path}">${words(host)} ${path.slice(1)}</a> `
    const paths = ['/', '/a', '/b', '/c']
    worked = await WorkedWeb.start(folder, {
      [home]: {
        '/': page(
          'Home',
          hosts.map((host) => link(host, '/')),
        ),
      },
      ...Object.fromEntries(
        hosts.map((host) => [
          host,
          Object.fromEntries(
            paths.map((path) => [
              path,
              page(
                `${words(host)} ${path}`,
                paths.map((to) => link(host, to)),
              ),
            ]),
          ),
        ]),
      ),
    })
  })
  afterAll(() => worked.stop())

  it('is followed across shards within a page budget, and all hot pages are known as such', async () => {
    const solar = hosts.filter(isSolar)
    const solarShards = solar.map((host) => shardOfUrl(worked.web.url(`${host}/`), worked.shards))
    expect(new Set(solarShards).size).toBeGreaterThan(1)
    const pages = 1 + 4 * solar.length
    const { urls } = await worked.crawled('topic', options(worked, { pages }))
    expect(urls).toHaveLength(pages)
    const onTopic = urls.filter((url) => isSolar(new URL(url).hostname))
    // Grants go to shards before all their pages are known, so a few others are among them: a third would be by chance.
    expect(onTopic.length).toBeGreaterThan(0.75 * pages)
    const rows = await worked.rows<{ url: string; hot?: boolean }>('topic')
    const hot = rows.filter((row) => row.hot === true)
    expect(hot.map(({ url }) => url).toSorted()).toEqual(onTopic.toSorted())
  })

  it('has a strategy of its own there, and refuses those that need what all shards have read', () => {
    expect(clusterSettings(options(worked)).strategy).toBe('anchor-similarity')
    expect(clusterSettings(options(worked, { strategy: 'rankmass' })).strategy).toBe('rankmass')
    for (const strategy of ['learned-topic', 'hot-queue-breadth-first'] as const)
      expect(() => clusterSettings(options(worked, { strategy }))).toThrow(/does not run on several shards/)
  })
})
