/**
 * Brings a crawl back to where its journal ends: sites, pages and content from the records, the engine by telling it all
 * facts again. What it decides on the way is what it decided then.
 */
import type { Engine } from '../engine/engine.ts'
import { readFacts, type FactListener, type FactWriter } from '../engine/fact.ts'
import type { TrapWatch } from '../traps/trap-watch.ts'
import type { ContentSeen } from '../worlds/real/content-seen.ts'
import type { NearSeen } from '../worlds/real/near-seen.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { noteForTraps } from '../worlds/real/trap-notes.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'
import { decodeSketch } from './records.ts'
import type { CrawlStore } from './store.ts'
import { restoreCounts, type Counts } from './tally.ts'

export interface Restored {
  readonly store: CrawlStore
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly content: ContentSeen
  readonly near: NearSeen | undefined
  readonly engine: Engine
  readonly facts: FactWriter
  readonly counts: Counts
  readonly traps: TrapWatch | undefined
}

export async function restore(restored: Restored): Promise<void> {
  const { store, sites, pages, content, near, engine, facts, counts } = restored
  for await (const name of store.sites()) sites.numberOf(name)
  for await (const record of store.foundPages()) pages.restore(record)
  const listener = listenerOf(restored)
  for await (const bytes of store.facts()) {
    readFacts(bytes, listener)
    // They are in the journal already.
    facts.takeBytes()
  }
  for await (const [page, record] of store.outcomes()) {
    if (record.status > 0) sites.ask(engine.pages.siteOf(page))
    const { prints, duplicateOf, sameText, sketch } = record
    if (sketch !== undefined) near?.add(page, decodeSketch(sketch))
    if (prints === undefined) continue
    if (duplicateOf === undefined || sameText === true) content.body(page, prints[0], prints[1])
    if (duplicateOf === undefined) content.text(page, prints[2], prints[3])
  }
  restoreCounts(counts, await store.totals())
}

/** The engine is told every fact, and the watch for traps of every page that came. */
function listenerOf({ engine, traps, pages, store }: Restored): FactListener {
  if (traps === undefined) return engine
  return {
    seed: (site) => engine.seed(site),
    failed: (page, cause) => engine.failed(page, cause),
    postponed: (page, last) => engine.postponed(page, last),
    closed: (site, freeAt) => engine.closed(site, freeAt),
    dispatchAt: (now) => engine.dispatchAt(now),
    budget: (pagesMax, coverage, failuresMax) => engine.budget(pagesMax, coverage, failuresMax),
    fetched(page, links, linkCount, newSites, reading, isRedirect) {
      const record = store.outcome(page)
      noteForTraps(traps, pages, page, {
        links,
        linkCount,
        knownBefore: engine.known,
        isCopy: record?.duplicateOf !== undefined && record.sameText !== true,
        isSameText: record?.sameText === true,
        isAlike: record?.nearDuplicateOf !== undefined,
        text: record?.prints?.[2] ?? 0,
        shape: record?.shape ?? 0,
      })
      engine.fetched(page, links, linkCount, newSites, reading, isRedirect)
    },
  }
}
