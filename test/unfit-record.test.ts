/** A record that another build of Rankward would not have written cannot be replayed, but it can be read. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { crawl, resumeCrawl, tail } from '../src/index.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('a crawl whose strategy orders pages differently now is refused with the reason', async () => {
  const out = join(temporaryFolder(), 'crawl')
  const web = await serveSmall({
    '127.1.0.1': {
      '/': pageWith('Home', '/a', '/b', '/c'),
      '/a': pageWith('A', '/d'),
      '/b': pageWith('B', '/e'),
      '/c': pageWith('C'),
      '/d': pageWith('D'),
      '/e': pageWith('E'),
    },
  })
  const seeds = [web.url('127.1.0.1/')]
  const settings = { connections: 1, threads: 1, wait: 0, allowPrivate: true }
  await crawl({ seeds, ...settings, strategy: 'breadth-first', pages: 4, out }).run()
  const folder = CrawlFolder.open(out)
  // In place of a build in which the strategy differs.
  folder.update({ options: { ...folder.file.options, strategy: 'depth-first' } })
  rmSync(join(out, 'record', 'snapshots'), { recursive: true, force: true })
  await expect(resumeCrawl({ out, pages: 6 }).run()).rejects.toMatchObject({
    code: 'NO_CRAWL',
    message: expect.stringContaining('depth-first orders pages differently') as string,
  })
  const urls: string[] = []
  for await (const { url } of tail(out, { follow: false })) urls.push(url)
  expect(urls).toHaveLength(4)
  await web.close()
})
