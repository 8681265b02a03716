/**
 * Restores a crawl to the end of its record by replaying the groups in order: each fact is applied to the
 * tables of pages, sites and contents first and then to the engine, as in the original crawl. The engine
 * repeats its decisions.
 */
import type { FactListener } from '../../engine/fact.ts'
import { readFacts } from '../../engine/fact-reader.ts'
import { looksOf } from '../record/crawl-record.ts'
import type { LookRecord } from '../record/look-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { ContentSeen } from '../parts/duplicates/content-seen.ts'
import { copyNote, noCopy } from '../parts/duplicates/copies.ts'
import { validatorAfter } from './fetched-pages.ts'
import { noteForTraps } from '../parts/traps/trap-notes.ts'
import type { CrawlState } from './crawl-state.ts'
import { restoreCounts, type Counts } from '../record/tally.ts'

/** Replays the groups that a state does not contain yet. */
export async function replayTail(state: CrawlState, counts: Counts): Promise<void> {
  const { record, engine, facts, sites, parts } = state
  const tables = tablesOf(state)
  for await (const group of record.groupsToReplay()) {
    readFacts(group.section('facts'), ...tables, engine)
    for (const [page, look] of looksOf(group)) restoreLook(state, page, look)
    parts.replay(group)
    // These facts are already in the record.
    facts.takeBytes()
  }
  parts.restored()
  sites.recount(engine.pages)
  restoreCounts(counts, record.record.counts)
}

/** Pages, sites, contents, traps and parts, updated by the facts and the records of their pages. */
export function tablesOf(state: Omit<CrawlState, 'facts'>): Partial<FactListener>[] {
  return [pageTables(state), ...state.parts.facts]
}

function pageTables(state: Omit<CrawlState, 'facts'>): Partial<FactListener> {
  const { record, pages, content, near, traps } = state
  const restore = (page: number, links: Uint32Array, linkCount: number): OutcomeRecord | undefined => {
    const outcome = record.outcome(page)
    if (outcome !== undefined) restoreContent(content, page, pages.found(page).site, outcome)
    if (outcome?.sketch !== undefined) near?.add(page, outcome.sketch)
    for (let i = 0; i < linkCount; i++) {
      if (links[i] === pages.known) pages.restore(record.found(pages.known))
    }
    return outcome
  }
  return {
    seed: () => pages.restore(record.found(pages.known)),
    listed: () => pages.restore(record.found(pages.known)),
    arrived(_source, _number, arrival) {
      for (let i = 0; i < arrival.count; i++) {
        if (arrival.pages[i] === pages.known) pages.restore(record.found(pages.known))
      }
    },
    looked(page, _seconds, verdict, links = noLinks, linkCount = 0) {
      if (verdict === 'changed') restore(page, links, linkCount)
    },
    failed(page, cause) {
      if (cause === 'failed') traps?.failed(pages.url(page))
    },
    fetched(page, links, linkCount) {
      const knownBefore = pages.known
      const outcome = restore(page, links, linkCount)
      if (traps === undefined) return
      noteForTraps(traps, pages, page, {
        links,
        linkCount,
        knownBefore,
        ...copyNote(outcome ?? noCopy),
        text: outcome?.prints?.[2] ?? 0,
        shape: outcome?.shape ?? 0,
        // Only originals have a recorded sketch.
        isDistinct: outcome?.sketch !== undefined,
      })
    },
  }
}

const noLinks = new Uint32Array(0)

/** Counts a recorded look for the audits of validators, which facts know nothing about. */
function restoreLook({ validators, record, engine }: CrawlState, page: number, look: LookRecord): void {
  const { verdict, status, startMs, durationMs } = look
  if (verdict === 'first') validators?.first(page)
  if (validators === undefined || (verdict !== 'changed' && verdict !== 'same')) return
  const isChanged = verdict === 'changed'
  const [, before] = record.record.looks(page)
  const [version, older] = isChanged ? record.record.versions(page) : [record.outcome(page)]
  validators.looked({
    page,
    site: engine.pages.siteOf(page),
    status,
    isConditional: look.conditional === true,
    isChanged,
    isOtherBody: look.lie === true,
    before: validatorAfter(before, isChanged ? older : version),
    now: validatorAfter(look, version),
    lastLookAt: (before?.observedMs ?? before?.startMs ?? 0) / 1000,
    at: (startMs + durationMs) / 1000,
  })
}

/** As in copies.ts: only pages without an error are compared. */
function restoreContent(content: ContentSeen, page: number, site: number, record: OutcomeRecord): void {
  const { prints, duplicateOf, sameText, siteOriginal, copyOnCopy, error } = record
  if (copyOnCopy === 'followed') content.spendAllowance(site)
  if (prints === undefined || error !== undefined) return
  const [bodyLow, bodyHigh, textLow, textHigh] = prints
  if (duplicateOf === undefined || sameText === true) content.body(page, site, bodyLow, bodyHigh)
  else if (siteOriginal === undefined) content.siteBody(page, site, bodyLow, bodyHigh)
  if (duplicateOf === undefined) content.text(page, textLow, textHigh)
}
