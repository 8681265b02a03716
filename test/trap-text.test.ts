/** Trap detection by text: views of pages come after the pages, and mazes of generated text after honest sites. */
import { describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { mazes, repositorySite } from './support/maze-web.ts'
import { honestPages, honestSite, serveTraps, type Site } from './support/trap-web.ts'

const settings = { scope: 'any', wait: 0, allowPrivate: true, warc: false } as const
const strategies = ['breadth-first', 'exact-rankmass']

describe.each(strategies)('by %s', (strategy) => {
  it('commits come before their views', async () => {
    const commits = 300
    const web = await serveTraps(new Map([['repo', repositorySite('repo', commits)]]))
    await crawl({ seeds: [web.seed], strategy, ...settings, connections: 1, pages: 450 }).run()
    await web.close()
    const asked = web.asked.get('repo')!
    const got = new Set(asked.filter((path) => path.startsWith('/repo/commit/?id=')))
    expect(got.size).toBe(commits)
  })

  it('mazes of text by a Markov chain cost little beside honest sites', async () => {
    const articles = 150
    const sites = new Map<string, Site>()
    for (let i = 0; i < 12; i++) sites.set(`honest${i}`, honestSite(`honest${i}`, articles))
    for (const [name, make] of Object.entries(mazes)) sites.set(name, make())
    const honest = 12 * honestPages(articles)
    const web = await serveTraps(sites)
    await crawl({ seeds: [web.seed], strategy, ...settings, pages: honest + 600 }).run()
    await web.close()
    const got = [...web.asked].filter(([name]) => name.startsWith('honest'))
    expect(got.reduce((sum, [, paths]) => sum + new Set(paths).size, 0)).toBe(honest)
  })
})
