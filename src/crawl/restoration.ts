/**
 * Brings a crawl back to where its record ends, by replaying the groups in order: each fact goes to the tables of pages, sites and contents first and
 * then to the engine, as it did when the crawl ran. The engine's decisions on the way are those it made then.
 */
import type { Engine } from '../engine/engine.ts'
import { readFacts, type FactListener, type FactWriter } from '../engine/fact.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { TrapWatch } from '../traps/trap-watch.ts'
import type { ContentSeen } from '../worlds/real/content-seen.ts'
import type { NearSeen } from '../worlds/real/near-seen.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'
import { noteForTraps } from '../worlds/real/trap-notes.ts'
import type { Counts } from './tally.ts'

export interface Restored {
  readonly record: RecordWriter
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
  const { record, engine, facts, counts } = restored
  const tables = tablesOf(restored)
  for await (const group of record.groupsToReplay()) {
    readFacts(group.section('facts'), tables, engine)
    // They are in the record already.
    facts.takeBytes()
  }
  Object.assign(counts, record.record.counts)
}

/** Pages, sites, contents and traps, brought up to date by the facts and by the records of the pages in them. */
function tablesOf({ record, sites, pages, content, near, traps }: Restored): Partial<FactListener> {
  const requested = (page: number): ReturnType<RecordWriter['outcome']> => {
    const outcome = record.outcome(page)
    if (outcome !== undefined && outcome.status > 0) sites.ask(pages.found(page).site)
    return outcome
  }
  return {
    seed: () => pages.restore(record.found(pages.known)),
    failed: requested,
    fetched(page, links, linkCount) {
      const outcome = requested(page)
      const { prints, duplicateOf, sameText, nearDuplicateOf, sketch, shape } = outcome ?? {}
      if (prints !== undefined && (duplicateOf === undefined || sameText === true)) {
        content.body(page, prints[0], prints[1])
      }
      if (prints !== undefined && duplicateOf === undefined) content.text(page, prints[2], prints[3])
      if (sketch !== undefined) near?.add(page, sketch)
      const knownBefore = pages.known
      for (let i = 0; i < linkCount; i++) {
        if (links[i] === pages.known) pages.restore(record.found(pages.known))
      }
      if (traps === undefined) return
      noteForTraps(traps, pages, page, {
        links,
        linkCount,
        knownBefore,
        isCopy: duplicateOf !== undefined && sameText !== true,
        isSameText: sameText === true,
        isAlike: nearDuplicateOf !== undefined,
        text: prints?.[2] ?? 0,
        shape: shape ?? 0,
      })
    },
  }
}
