/**
 * Brings a crawl back to where its journal ends: sites, pages and content from the records, the engine by telling it all
 * facts again. What it decides on the way is what it decided then.
 */
import type { Engine } from '../engine/engine.ts'
import { readFacts, type FactListener, type FactWriter } from '../engine/fact.ts'
import type { TrapWatch } from '../traps/trap-watch.ts'
import { copyNote, type CopyOf } from '../worlds/real/copies.ts'
import type { ContentSeen } from '../worlds/real/content-seen.ts'
import type { NearSeen } from '../worlds/real/near-seen.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { noteForTraps } from '../worlds/real/trap-notes.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'
import { decodeSketch, type OutcomeRecord } from './records.ts'
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
    if (record.status > 0) {
      sites.ask(engine.pages.siteOf(page))
      sites.reached(engine.pages.siteOf(page))
    }
    if (record.sketch !== undefined) near?.add(page, decodeSketch(record.sketch))
    restoreContent(content, page, engine.pages.siteOf(page), record)
  }
  // An allowance is spent after all of it is known: records come by page number, not in the order of the crawl.
  for await (const [page, { copyOnCopy }] of store.outcomes()) {
    if (copyOnCopy === 'followed') content.spendAllowance(engine.pages.siteOf(page))
  }
  restoreCounts(counts, await store.totals())
}

/** As copies.ts left it: only pages without an error are compared. */
function restoreContent(content: ContentSeen, page: number, site: number, record: OutcomeRecord): void {
  const { prints, duplicateOf, sameText, siteOriginal, error } = record
  if (prints === undefined || error !== undefined) return
  const [bodyLow, bodyHigh, textLow, textHigh] = prints
  if (duplicateOf === undefined || sameText === true) content.body(page, site, bodyLow, bodyHigh)
  else if (siteOriginal === undefined) content.siteBody(page, site, bodyLow, bodyHigh)
  if (duplicateOf === undefined) content.text(page, textLow, textHigh)
}

function copyOf(record: OutcomeRecord | undefined): CopyOf {
  return {
    duplicateOf: record?.duplicateOf ?? -1,
    isSameText: record?.sameText === true,
    siteOriginal: record?.siteOriginal ?? -1,
    isSameLinks: record?.sameLinks === true,
    copyOnCopy: record?.copyOnCopy,
    nearDuplicateOf: record?.nearDuplicateOf ?? -1,
    similarity: record?.similarity ?? 0,
  }
}

/** The engine is told every fact, and the watch for traps of every page that came. */
function listenerOf({ engine, traps, pages, store }: Restored): FactListener {
  if (traps === undefined) return engine
  return {
    seed: (site) => engine.seed(site),
    failed: (page, cause) => engine.failed(page, cause),
    postponed: (page, last) => engine.postponed(page, last),
    retry: (page) => engine.retry(page),
    proven: (site) => engine.proven(site),
    slow: (site) => engine.slow(site),
    closed: (site, freeAt) => engine.closed(site, freeAt),
    dispatchAt: (now) => engine.dispatchAt(now),
    budget: (pagesMax, coverage, failuresMax) => engine.budget(pagesMax, coverage, failuresMax),
    fetched(page, links, linkCount, newSites, reading, isRedirect) {
      const record = store.outcome(page)
      noteForTraps(traps, pages, page, {
        links,
        linkCount,
        knownBefore: engine.known,
        ...copyNote(copyOf(record)),
        text: record?.prints?.[2] ?? 0,
        shape: record?.shape ?? 0,
      })
      engine.fetched(page, links, linkCount, newSites, reading, isRedirect)
    },
  }
}
