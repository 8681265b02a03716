/** What a crawl left in its folder, read back with the parts that wrote it, once it has ended. */
import { crawlEngine } from '../../src/crawler/replay/crawl-engine.ts'
import { CrawlFolder } from '../../src/crawler/record/crawl-folder.ts'
import { recordedPages } from '../../src/crawler/replay/recorded-pages.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Verdict } from '../../src/engine/recrawl-policy.ts'
import { savedState } from '../../src/lib/state.ts'
import type { FoundRecord } from '../../src/crawler/record/found-record.ts'
import type { OutcomeRecord } from '../../src/crawler/record/outcome-record.ts'

export interface PageRecord extends FoundRecord {
  readonly page: number
  /** Undefined: it was never asked for, nor refused. */
  readonly outcome: OutcomeRecord | undefined
}

/** Every known page, in the order of discovery. */
export async function pageRecords(folder: string): Promise<PageRecord[]> {
  const record = await CrawlFolder.open(folder).readRecord()
  try {
    return Array.from(record.pages(), ([found, outcome], page) => ({ ...found, page, outcome }))
  } finally {
    record.close()
  }
}

/** Pages that were asked for and answered, by URL. */
export async function fetchedUrls(folder: string): Promise<string[]> {
  const records = await pageRecords(folder)
  return records.filter(({ outcome }) => outcome !== undefined && outcome.status > 0).map(({ url }) => url)
}

/** The facts of a crawl that fetches pages again. */
export interface RecordedFacts {
  /** Pages that sitemaps and feeds listed first. */
  readonly listed: number
  readonly signals: readonly { readonly page: number; readonly seconds: number }[]
  readonly looks: readonly { readonly page: number; readonly seconds: number; readonly verdict: Verdict }[]
}

export async function factsOf(path: string): Promise<RecordedFacts> {
  const record = await CrawlFolder.open(path).readRecord()
  let listed = 0
  const signals: { page: number; seconds: number }[] = []
  const looks: { page: number; seconds: number; verdict: Verdict }[] = []
  try {
    await record.replay({
      listed: () => void listed++,
      signal: (page, seconds) => void signals.push({ page, seconds }),
      looked: (page, seconds, verdict) => void looks.push({ page, seconds, verdict }),
    })
    return { listed, signals, looks }
  } finally {
    record.close()
  }
}

export interface Replay {
  /** Pages in the order in which the engine took them, those it had to put back included, with their scores. */
  readonly taken: readonly (readonly [page: number, score: number])[]
  readonly engine: Engine
}

/** A new engine that receives only the facts of the record. */
export async function replayed(path: string): Promise<Replay> {
  const folder = CrawlFolder.open(path)
  const record = await folder.readRecord()
  try {
    const taken: [number, number][] = []
    const engine = await crawlEngine({
      folder,
      pages: recordedPages(record),
      onTaken: (page, score) => taken.push([page, score]),
    })
    await record.replay(engine)
    return { taken, engine }
  } finally {
    record.close()
  }
}

/** All that the engine remembers, as text. */
export function stateOf(engine: Engine): string {
  return Buffer.concat(savedState([engine])).toString('hex')
}
