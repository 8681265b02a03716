/**
 * Brings a crawl back to where its record ends, by replaying the groups in order: each fact goes to the tables of pages, sites and contents first and
 * then to the engine, as it did when the crawl ran. The engine's decisions on the way are those it made then.
 */
import type { FactListener } from '../engine/fact.ts'
import { readFacts } from '../engine/fact-reader.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { ContentSeen } from '../worlds/real/content-seen.ts'
import { copyNote, noCopy } from '../worlds/real/copies.ts'
import { noteForTraps } from '../worlds/real/trap-notes.ts'
import type { CrawlState } from './crawl-state.ts'
import { restoreCounts, type Counts } from '../record/tally.ts'

/** Replays the groups that a state does not contain yet. */
export async function replayTail(state: CrawlState, counts: Counts): Promise<void> {
  const { record, engine, facts, sites } = state
  const tables = tablesOf(state)
  for await (const group of record.groupsToReplay()) {
    readFacts(group.section('facts'), tables, engine)
    // They are in the record already.
    facts.takeBytes()
  }
  sites.recount(engine.pages)
  restoreCounts(counts, record.record.counts)
}

/** Pages, sites, contents and traps, brought up to date by the facts and by the records of the pages in them. */
function tablesOf({ record, pages, content, near, traps }: CrawlState): Partial<FactListener> {
  return {
    seed: () => pages.restore(record.found(pages.known)),
    fetched(page, links, linkCount) {
      const outcome = record.outcome(page)
      if (outcome !== undefined) restoreContent(content, page, pages.found(page).site, outcome)
      if (outcome?.sketch !== undefined) near?.add(page, outcome.sketch)
      const knownBefore = pages.known
      for (let i = 0; i < linkCount; i++) {
        if (links[i] === pages.known) pages.restore(record.found(pages.known))
      }
      if (traps === undefined) return
      noteForTraps(traps, pages, page, {
        links,
        linkCount,
        knownBefore,
        ...copyNote(outcome ?? noCopy),
        text: outcome?.prints?.[2] ?? 0,
        shape: outcome?.shape ?? 0,
      })
    },
  }
}

/** As copies.ts left it: only pages without an error are compared. */
function restoreContent(content: ContentSeen, page: number, site: number, record: OutcomeRecord): void {
  const { prints, duplicateOf, sameText, siteOriginal, copyOnCopy, error } = record
  if (copyOnCopy === 'followed') content.spendAllowance(site)
  if (prints === undefined || error !== undefined) return
  const [bodyLow, bodyHigh, textLow, textHigh] = prints
  if (duplicateOf === undefined || sameText === true) content.body(page, site, bodyLow, bodyHigh)
  else if (siteOriginal === undefined) content.siteBody(page, site, bodyLow, bodyHigh)
  if (duplicateOf === undefined) content.text(page, textLow, textHigh)
}
