/**
 * Brings a crawl back to where its journal ends: sites, pages and content from the records, the engine by telling it all
 * facts again. What it decides on the way is what it decided then.
 */
import type { Engine } from '../engine/engine.ts'
import { readFacts, type FactWriter } from '../engine/fact.ts'
import type { ContentSeen } from '../worlds/real/content-seen.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'
import type { CrawlStore } from './store.ts'
import type { Counts } from './tally.ts'

export interface Restored {
  readonly store: CrawlStore
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly content: ContentSeen
  readonly engine: Engine
  readonly facts: FactWriter
  readonly counts: Counts
}

export async function restore({
  store,
  sites,
  pages,
  content,
  engine,
  facts,
  counts,
}: Restored): Promise<void> {
  for await (const name of store.sites()) sites.numberOf(name)
  for await (const { url, depth } of store.foundPages()) pages.restore(url, depth)
  for await (const bytes of store.facts()) {
    readFacts(bytes, engine)
    // They are in the journal already.
    facts.takeBytes()
  }
  for await (const [page, record] of store.outcomes()) {
    if (record.status > 0) sites.ask(engine.pages.siteOf(page))
    const { prints, duplicateOf, sameText } = record
    if (prints === undefined) continue
    if (duplicateOf === undefined || sameText === true) content.body(page, prints[0], prints[1])
    if (duplicateOf === undefined) content.text(page, prints[2], prints[3])
  }
  Object.assign(counts, await store.totals())
}
