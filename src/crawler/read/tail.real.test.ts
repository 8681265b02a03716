import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { PageArchive } from './page-archive.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { smallCrawl, type SmallCrawl } from './export/small-crawl.cases.ts'
import { tail, type RecordedPage, type TailOptions } from './tail.ts'

const folder = temporaryFolder()
let made: SmallCrawl
let pages: RecordedPage[]

async function listed(options: TailOptions = {}): Promise<RecordedPage[]> {
  const list: RecordedPage[] = []
  for await (const page of tail(made.folder, options)) list.push(page)
  return list
}

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
  pages = await listed()
})

describe('the tail of a crawl', () => {
  it('has every page with an outcome once, in the order in which they were recorded', () => {
    const { known, waiting } = made.totals
    expect(pages.length).toBe(known - waiting)
    expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length)
    expect(pages[0]).toMatchObject({ url: made.urls[0], status: 200, depth: 0, foundOn: undefined })
  })

  it('says what became of a page, where it was found and where it is archived', () => {
    const of = (page: number): RecordedPage => pages.find(({ url }) => url === made.urls[page])!
    expect(of(8)).toMatchObject({ status: 404, error: 'http-404', foundOn: made.urls[3], depth: 2 })
    expect(of(6)).toMatchObject({ status: 301, location: made.urls[7] })
    expect(of(9)).toMatchObject({ status: 0, error: 'robots' })
    const { warc, digest } = of(1)
    expect(digest).toMatch(/^sha1:[A-Z2-7]{32}$/)
    const crawlFolder = CrawlFolder.open(made.folder)
    const path = join(crawlFolder.warc, warc!.file)
    const response = new PageArchive(crawlFolder).response(basename(path), warc!.offset)
    expect(Buffer.from(response.body).toString()).toContain('</html>')
  })

  it('has the fields that the documents describe', () => {
    const text = readFileSync(new URL('../../../docs/reference/crawl-output.md', import.meta.url), 'utf8')
    const section = text.slice(text.indexOf('`rankward tail`\n'), text.indexOf('\n## Faulty responses'))
    const cells = Array.from(section.matchAll(/^\| (`.*?) \|/gm), ([, cell]) => cell)
    const described = cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name))
    const ofHandlers = ['items', 'handlerError']
    expect([...Object.keys(pages[0]), ...ofHandlers].toSorted()).toEqual(described.toSorted())
  })

  it('begins at a time, and waits for more if it follows', async () => {
    expect(await listed({ since: new Date(Date.now() + 86_400_000) })).toEqual([])
    const iterator = tail(made.folder, { follow: true })
    for (const { url } of pages) expect((await iterator.next()).value).toMatchObject({ url })
    await expect(listed({ since: 'soon' })).rejects.toMatchObject({ code: 'USAGE' })
  })
})
