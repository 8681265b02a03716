import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { honestSite, serveTraps, traps } from '../../../test/support/trap-web.ts'
import { crawl } from '../crawler.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { pageHistory } from './page-history.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { recordedPages } from '../replay/recorded-pages.ts'

const folder = join(temporaryFolder(), 'crawl')

/** Pages that the watch for traps put last, in order. */
async function demotedPages(record: CrawlRecord): Promise<number[]> {
  const demoted: number[] = []
  await record.replay({
    postponed: (page, why) => {
      if (why === 'last') demoted.push(page)
    },
  })
  return demoted
}

it('a page that was put last is replayed as put last, with the decisions of the crawl', async () => {
  const web = await serveTraps(new Map([['honest', honestSite('honest', 60)], ...Object.entries(traps)]))
  const options = { scope: 'any', strategy: 'breadth-first', wait: 0, allowPrivate: true } as const
  await crawl({ ...options, seeds: [web.seed], out: folder, warc: false, pages: 3000 }).run()
  await web.close()
  const record = await CrawlFolder.open(folder).readRecord()
  try {
    const pages = recordedPages(record)
    const demoted = await demotedPages(record)
    expect(demoted.length).toBeGreaterThan(0)
    const [page] = demoted
    const source = { folder: CrawlFolder.open(folder), record, pages, progress: () => {} }
    const { engine } = await pageHistory(page, source)
    expect(demoted.filter((each) => !engine.pages.isDemoted(each))).toEqual([])
    const came = new Set<number>()
    for (const [each, outcome] of record.outcomes()) if (outcome.status > 0) came.add(each)
    for (const each of came) expect(engine.pages.isWaiting(each)).toBe(false)
  } finally {
    record.close()
  }
})
