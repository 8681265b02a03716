/**
 * Restores a crawl to the end of its record by replaying the groups in order: each fact is applied to the
 * tables of pages and sites and to parts first and then to the engine, as in the original crawl. The engine
 * repeats its decisions.
 */
import type { FactListener } from '../../engine/fact.ts'
import { readFacts } from '../../engine/fact-reader.ts'
import { looksOf } from '../record/crawl-record.ts'
import type { LookRecord } from '../record/look-record.ts'
import { validatorAfter } from './fetched-pages.ts'
import type { CrawlState, RecordedState } from './crawl-state.ts'
import type { GroupBytes } from '../record/group.ts'
import { restoreCounts } from '../record/tally.ts'

/** Replays the groups that a state does not contain yet. */
export async function replayTail(state: RecordedState): Promise<void> {
  const { record, engine, facts } = state
  for await (const group of record.groupsToReplay()) {
    replayGroup(state, group, (tables) => readFacts(group.section('facts'), ...tables, engine))
    // These facts are already in the record.
    facts.takeBytes()
  }
  endReplay(state)
}

/** Replays a group, which was added to the index. `apply` reports its facts to these listeners, then to the engine. */
export function replayGroup(
  state: CrawlState,
  group: GroupBytes,
  apply: (tables: readonly Partial<FactListener>[]) => void,
): void {
  apply(tablesOf(state))
  for (const [page, look] of looksOf(group)) restoreLook(state, page, look)
  state.parts.replay(group)
}

/** The state contains the last group. */
export function endReplay({ parts, sites, engine, counts, record }: CrawlState): void {
  parts.restored()
  sites.recount(engine.pages)
  restoreCounts(counts, record.record.counts)
}

/** Pages, sites and parts, updated by the facts and the records of their pages. */
function tablesOf(state: CrawlState): Partial<FactListener>[] {
  return [pageTables(state), ...state.parts.facts]
}

function pageTables({ record, pages }: CrawlState): Partial<FactListener> {
  const restore = (): void => pages.restore(record.found(pages.known))
  const restoreNew = (targets: Uint32Array, count: number): void => {
    for (let i = 0; i < count; i++) if (targets[i] === pages.known) restore()
  }
  return {
    seed: restore,
    listed: restore,
    arrived: (_source, _number, arrival) => restoreNew(arrival.pages, arrival.count),
    looked(_page, _seconds, verdict, links = noLinks, linkCount = 0) {
      if (verdict === 'changed') restoreNew(links, linkCount)
    },
    fetched: (_page, links, linkCount) => restoreNew(links, linkCount),
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
