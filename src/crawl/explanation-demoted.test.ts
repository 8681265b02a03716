import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { honestSite, serveTraps, traps } from '../../test/support/trap-web.ts'
import { readFacts, type FactListener } from '../engine/fact.ts'
import { crawl } from '../crawler.ts'
import { CrawlFolder } from './crawl-folder.ts'
import { pageHistory } from './explanation-replay.ts'
import { CrawlStore } from './store.ts'
import { SiteTable } from '../worlds/real/site-table.ts'
import { PageTable } from '../worlds/real/page-table.ts'

const folder = join(temporaryFolder(), 'crawl')

/** Pages that the watch for traps put last, in order. */
async function demotedPages(store: CrawlStore): Promise<number[]> {
  const demoted: number[] = []
  const nothing = (): void => {}
  const listener: FactListener = {
    seed: nothing,
    fetched: nothing,
    failed: nothing,
    postponed: (page, last) => {
      if (last === true) demoted.push(page)
    },
    retry: nothing,
    proven: nothing,
    slow: nothing,
    closed: nothing,
    dispatchAt: nothing,
    budget: nothing,
  }
  for await (const bytes of store.facts()) readFacts(bytes, listener)
  return demoted
}

it('a page that was put last is replayed as put last, with the decisions of the crawl', async () => {
  const web = await serveTraps(new Map([['honest', honestSite('honest', 60)], ...Object.entries(traps)]))
  const options = { scope: 'any', strategy: 'breadth-first', wait: 0, allowPrivate: true } as const
  await crawl({ ...options, seeds: [web.seed], out: folder, warc: false, pages: 3000 }).run()
  await web.close()
  const store = await CrawlStore.open(join(folder, 'journal'))
  try {
    const pages = new PageTable(new SiteTable(), store, undefined)
    for await (const record of store.foundPages()) pages.restore(record)
    const demoted = await demotedPages(store)
    expect(demoted.length).toBeGreaterThan(0)
    const [page] = demoted
    const source = { folder: CrawlFolder.open(folder), store, pages, progress: () => {} }
    const { engine } = await pageHistory(page, source)
    expect(demoted.filter((each) => !engine.pages.isDemoted(each))).toEqual([])
    const came = new Set<number>()
    for await (const [each, record] of store.outcomes()) if (record.status > 0) came.add(each)
    for (const each of came) expect(engine.pages.isWaiting(each)).toBe(false)
  } finally {
    await store.close()
  }
}, 60_000)
