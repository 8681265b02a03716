/** What a crawl left in its folder, read back with the parts that wrote it, once it has ended. */
import { crawlEngine } from '../../src/crawl/crawl-engine.ts'
import { CrawlFolder } from '../../src/crawl/crawl-folder.ts'
import type { FoundRecord, OutcomeRecord } from '../../src/crawl/records.ts'
import { CrawlStore } from '../../src/crawl/store.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { readFacts } from '../../src/engine/fact.ts'
import { savedState } from '../../src/lib/state.ts'
import { PageTable } from '../../src/worlds/real/page-table.ts'
import { SiteTable } from '../../src/worlds/real/site-table.ts'

export interface PageRecord extends FoundRecord {
  readonly page: number
  /** Undefined: it was never asked for, nor refused. */
  readonly outcome: OutcomeRecord | undefined
}

/** Every known page, in the order of discovery. */
export async function pageRecords(folder: string): Promise<PageRecord[]> {
  const store = await CrawlStore.open(CrawlFolder.open(folder).journal)
  try {
    const outcomes = new Map<number, OutcomeRecord>()
    for await (const [page, record] of store.outcomes()) outcomes.set(page, record)
    const records: PageRecord[] = []
    for await (const found of store.foundPages()) {
      const page = records.length
      records.push({ ...found, page, outcome: outcomes.get(page) })
    }
    return records
  } finally {
    await store.close()
  }
}

/** Pages that were asked for and answered, by URL. */
export async function fetchedUrls(folder: string): Promise<string[]> {
  const records = await pageRecords(folder)
  return records.filter(({ outcome }) => outcome !== undefined && outcome.status > 0).map(({ url }) => url)
}

export interface Replay {
  /** Pages in the order in which the engine took them, those it had to put back included, with their scores. */
  readonly taken: readonly (readonly [page: number, score: number])[]
  readonly engine: Engine
}

/** A new engine that is told the journal's facts and nothing else. */
export async function replayed(path: string): Promise<Replay> {
  const folder = CrawlFolder.open(path)
  const store = await CrawlStore.open(folder.journal)
  try {
    const taken: [number, number][] = []
    const engine = await crawlEngine({
      folder,
      pages: new PageTable(new SiteTable(), store),
      onTaken: (page, score) => taken.push([page, score]),
    })
    for await (const bytes of store.facts()) readFacts(bytes, engine)
    return { taken, engine }
  } finally {
    await store.close()
  }
}

/** All that the engine remembers, as text. */
export function stateOf(engine: Engine): string {
  return Buffer.concat(savedState([engine])).toString('hex')
}
