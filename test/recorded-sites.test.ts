/**
 * Small recordings of sites that real programs made (bench/real-sites/record.mjs), crawled again through `serve`: what a reader wants
 * comes before the views of it.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { serve } from '../src/web/replay/replay-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const recorded = (name: string): string => new URL(`recorded-sites/${name}.warc.gz`, import.meta.url).pathname

/** The URLs that a crawl fetched, in order. */
async function fetchedFrom(site: string, seed: string, traps: boolean, strategy: string): Promise<URL[]> {
  const archive = await serve(recorded(site))
  const fetched: URL[] = []
  const out = join(folder, `${site} ${strategy} ${traps}`)
  const options = { wait: 0, obeyNofollow: false, threads: 1, warc: false, traps, strategy }
  for await (const { url } of crawl({ seeds: [seed], out, proxy: [archive.url], ...options }))
    fetched.push(new URL(url))
  await archive.close()
  return fetched
}

/** How many downloads it takes until all content is fetched, and how much content there is. */
function costOf(
  fetched: readonly URL[],
  isContent: (url: URL) => boolean,
): { content: number; downloads: number } {
  return { content: fetched.filter(isContent).length, downloads: fetched.findLastIndex(isContent) + 1 }
}

describe.each(['exact-rankmass', 'breadth-first'])('by %s,', (strategy) => {
  it("Apache's listings in other orders come after the files", async () => {
    const isContent = ({ search }: URL): boolean => search === ''
    const seed = 'http://127.0.8.3:8802/'
    const watched = costOf(await fetchedFrom('autoindex', seed, true, strategy), isContent)
    const unwatched = costOf(await fetchedFrom('autoindex', seed, false, strategy), isContent)
    expect(watched.content).toBe(unwatched.content)
    expect(watched.downloads).toBeLessThan(1.2 * watched.content)
    expect(unwatched.downloads).toBeGreaterThan(1.3 * watched.content)
  })

  it('commits and files of cgit come before their differences, patches and old versions', async () => {
    const isContent = ({ pathname, searchParams }: URL): boolean => {
      const names = [...searchParams.keys()].join()
      return (pathname.endsWith('/commit/') && names === 'id') || (/\/tree\/./.test(pathname) && names === '')
    }
    const seed = 'http://127.0.8.1:8802/'
    const watched = costOf(await fetchedFrom('cgit', seed, true, strategy), isContent)
    const unwatched = costOf(await fetchedFrom('cgit', seed, false, strategy), isContent)
    expect(watched.content).toBe(unwatched.content)
    expect(watched.downloads).toBeLessThan(0.7 * unwatched.downloads)
  })
})
