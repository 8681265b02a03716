/**
 * What the looks of a continuous crawl show: changes over time, how often sites, kinds of pages and single pages
 * change, and how long new pages wait for their first fetch. One pass over the record; memory holds three
 * numbers per known page.
 */
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import type { CrawlRecord, GroupResults } from '../../record/crawl-record.ts'
import { isAbsent, type LookRecord } from '../../record/look-record.ts'
import { pooledRate } from '../../../engine/recrawl/estimators.ts'
import { kindOf } from '../../../web/traps/page-kind.ts'
import { siteOf } from '../../../web/url/site.ts'
import type { ReportedChanges, ReportedFreshness } from './reported-crawl.ts'
import { LogHistogram } from './log-histogram.ts'
import { TopList } from './top-list.ts'

const dayMs = 86_400_000
const binCount = 80
const topCount = 20
/** Kinds of pages are arbitrary: only this many are counted separately. */
const kindsMax = 10_000

/** Undefined if the crawl fetched every page once. */
export async function freshnessFigures(
  record: CrawlRecord,
  startMs: number,
): Promise<ReportedFreshness | undefined> {
  const counter = new LookCounter(record, startMs)
  for await (const group of record.results(0)) counter.add(group)
  return counter.result()
}

/** Changes, and the time of looks with and without one, in days. */
class Changes {
  looks = 0
  changes = 0
  #changedDays = 0
  #sameDays = 0

  add(days: number, hasChanged: boolean): void {
    this.looks++
    if (hasChanged) {
      this.changes++
      this.#changedDays += days
    } else this.#sameDays += days
  }

  count(name: string): ReportedChanges {
    const perDay = pooledRate(this.changes, this.#changedDays, this.#sameDays)
    return { name, looks: this.looks, changes: this.changes, perDay }
  }
}

class LookCounter {
  readonly #record: CrawlRecord
  readonly #startMs: number
  readonly #binMs: number
  readonly #all = new Changes()
  readonly #sites = new Map<string, Changes>()
  readonly #kinds = new Map<string, Changes>()
  readonly #waits = new LogHistogram()
  /** By page: the time of the last look that observed it, and numbers of looks and changes. */
  readonly #observedMs = new GrowingFloat64()
  readonly #lookCounts = new GrowingUint32()
  readonly #changeCounts = new GrowingUint32()
  readonly #course = {
    looks: new Array<number>(binCount).fill(0),
    changes: new Array<number>(binCount).fill(0),
    discoveries: new Array<number>(binCount).fill(0),
  }
  readonly #fresh: [number, number][] = []
  #gone = 0
  #failed = 0

  constructor(record: CrawlRecord, startMs: number) {
    this.#record = record
    this.#startMs = startMs
    this.#binMs = Math.max(1, (record.lastAt - startMs) / binCount)
  }

  add(group: GroupResults): void {
    for (const [page, look] of group.looks) this.#look(page, look)
    this.#freshness(group)
  }

  #look(page: number, look: LookRecord): void {
    const { startMs, verdict } = look
    this.#observedMs.ensure(page)
    if (verdict === 'first') this.#discovered(page, startMs)
    else if (verdict === 'failed' || verdict === 'forbidden') {
      this.#failed++
      return
    } else {
      if (isAbsent(look)) this.#gone++
      this.#observed(page, startMs, verdict !== 'same')
    }
    this.#observedMs.array[page] = startMs
  }

  #discovered(page: number, startMs: number): void {
    this.#course.discoveries[this.#bin(startMs)]++
    const { parent } = this.#record.found(page)
    if (parent === undefined) return
    const on = this.#record.outcome(parent)
    if (on !== undefined) this.#waits.add(Math.max(0, startMs - on.startMs - on.durationMs) / 1000)
  }

  #observed(page: number, startMs: number, hasChanged: boolean): void {
    const beforeMs = this.#observedMs.array[page] || this.#fetchedMs(page, startMs)
    const days = Math.max(0, startMs - beforeMs) / dayMs
    const bin = this.#bin(startMs)
    this.#course.looks[bin]++
    if (hasChanged) this.#course.changes[bin]++
    this.#lookCounts.ensure(page)
    this.#changeCounts.ensure(page)
    this.#lookCounts.array[page]++
    if (hasChanged) this.#changeCounts.array[page]++
    const { url } = this.#record.found(page)
    const kind = kindOf(url)
    const isCounted = this.#kinds.has(kind) || this.#kinds.size < kindsMax
    for (const changes of [
      this.#all,
      entry(this.#sites, siteOf(url) ?? url),
      entry(this.#kinds, isCounted ? kind : 'other kinds'),
    ])
      changes.add(days, hasChanged)
  }

  /** When a page was fetched first, in a crawl that fetched every page once up to then. */
  #fetchedMs(page: number, beforeMs: number): number {
    let fetchedMs = beforeMs
    for (const { startMs } of this.#record.versions(page)) fetchedMs = Math.min(fetchedMs, startMs)
    return fetchedMs
  }

  /** The expected freshness that the crawl recorded, once per bin. */
  #freshness({ closedMs, freshCoverage }: GroupResults): void {
    const bin = this.#bin(closedMs)
    const last = this.#fresh.at(-1)
    if (last !== undefined && this.#bin(this.#startMs + last[0] * 1000) === bin) return
    const share = freshCoverage()
    if (share !== undefined) this.#fresh.push([(closedMs - this.#startMs) / 1000, share])
  }

  #bin(ms: number): number {
    return Math.min(binCount - 1, Math.max(0, Math.floor((ms - this.#startMs) / this.#binMs)))
  }

  result(): ReportedFreshness | undefined {
    const { looks, changes } = this.#all
    if (looks === 0 && this.#failed === 0) return undefined
    return {
      looks,
      changes,
      gone: this.#gone,
      failed: this.#failed,
      course: { binSeconds: this.#binMs / 1000, ...this.#course, fresh: this.#fresh },
      sites: topOf(this.#sites),
      kinds: topOf(this.#kinds),
      pages: this.#topPages(),
      waits: this.#waits.result(),
    }
  }

  #topPages(): ReportedChanges[] {
    const counts = this.#changeCounts.array
    const top = new TopList<number>(topCount, (page) => counts[page])
    for (let page = 0; page < this.#changeCounts.length; page++) if (counts[page] > 0) top.add(page)
    return top.items.map((page) => this.#pageCount(page))
  }

  /** The intervals between the looks at a page are read again: most pages are not shown. */
  #pageCount(page: number): ReportedChanges {
    const changes = new Changes()
    let later: LookRecord | undefined
    for (const look of this.#record.looks(page)) {
      if (look.verdict === 'failed' || look.verdict === 'forbidden') continue
      if (later !== undefined) changes.add((later.startMs - look.startMs) / dayMs, later.verdict !== 'same')
      later = look
    }
    return changes.count(this.#record.found(page).url)
  }
}

function entry(map: Map<string, Changes>, name: string): Changes {
  const known = map.get(name)
  if (known !== undefined) return known
  const added = new Changes()
  map.set(name, added)
  return added
}

/** Those with the most changes. */
function topOf(map: ReadonlyMap<string, Changes>): ReportedChanges[] {
  const top = new TopList<readonly [string, Changes]>(
    topCount,
    ([, { changes, looks }]) => changes + looks * 1e-9,
  )
  for (const each of map) top.add(each)
  return top.items.map(([name, changes]) => changes.count(name))
}
