/**
 * What the looks of a continuous crawl show: changes over time, how often sites, kinds of pages and single pages
 * change, and how long new pages wait for their first fetch. Groups are added as they are read; memory holds three
 * numbers per known page and two per group.
 */
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import { ByteReader } from '../../../lib/byte-reader.ts'
import { skipRecord } from '../../record/group.ts'
import type { CrawlRecord, GroupResults } from '../../record/crawl-record.ts'
import { isAbsent, isAnswer, type LookRecord } from '../../record/look-record.ts'
import { pooledRate } from '../../../engine/recrawl/estimators.ts'
import { kindOf } from '../../../web/traps/page-kind.ts'
import { siteOf } from '../../../web/url/site.ts'
import type { ReportedChanges, ReportedFreshness } from './reported-crawl.ts'
import { TopList } from '../model/top-list.ts'
import { LogHistogram } from './log-histogram.ts'
import { inPairs } from './time-bins.ts'

const dayMs = 86_400_000
/** There are up to twice as many: then pairs are merged. */
const binCount = 80
const topCount = 20
/** Kinds of pages are arbitrary: only this many are counted separately. */
const kindsMax = 10_000

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

export class FreshnessFigures {
  readonly #record: CrawlRecord
  readonly #startMs: number
  #binMs: number
  readonly #all = new Changes()
  readonly #sites = new Map<string, Changes>()
  readonly #kinds = new Map<string, Changes>()
  readonly #waits = new LogHistogram()
  /** Of each group that found pages: one more than the last of them, and when it was closed. */
  readonly #found: { readonly end: number; readonly closedMs: number }[] = []
  /** By page: the time of the last look that observed it, and numbers of looks and changes. */
  readonly #observedMs = new GrowingFloat64()
  readonly #lookCounts = new GrowingUint32()
  readonly #changeCounts = new GrowingUint32()
  readonly #course = {
    looks: new Array<number>(binCount).fill(0),
    changes: new Array<number>(binCount).fill(0),
    discoveries: new Array<number>(binCount).fill(0),
  }
  #fresh: [number, number][] = []
  #gone = 0
  #failed = 0

  /** From the start of the crawl until about `endMs`: what follows makes the bins wider. */
  constructor(record: CrawlRecord, startMs: number, endMs: number) {
    this.#record = record
    this.#startMs = startMs
    this.#binMs = Math.max(1, (endMs - startMs) / binCount)
  }

  readonly results = (group: GroupResults): void => {
    this.#discoveries(group)
    for (const [page, look] of group.looks) this.#look(page, look)
    this.#freshness(group)
  }

  #look(page: number, look: LookRecord): void {
    const { startMs, verdict } = look
    this.#observedMs.ensure(page)
    if (verdict === 'first') this.#discovered(page, startMs)
    else if (!isAnswer(look)) {
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
    if (on === undefined) return
    // The parent may have newer versions than the one that named the page.
    const foundMs = Math.min(on.startMs + on.durationMs, this.#foundMs(page))
    this.#waits.add(Math.max(0, startMs - foundMs) / 1000)
  }

  #discoveries({ group, closedMs }: GroupResults): void {
    const found = new ByteReader(group.section('found'))
    if (found.isAtEnd) return
    let known = this.#found.at(-1)?.end ?? 0
    for (; !found.isAtEnd; known++) skipRecord(found)
    this.#found.push({ end: known, closedMs })
  }

  /** When the group was closed in which the page was found. */
  #foundMs(page: number): number {
    let [low, high] = [0, this.#found.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (page < this.#found[middle].end) high = middle
      else low = middle + 1
    }
    return this.#found[low].closedMs
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
    const seconds = (closedMs - this.#startMs) / 1000
    if (this.#fresh.length > 0 && this.#isSameBin(this.#fresh.at(-1)![0], seconds)) return
    const share = freshCoverage()
    if (share !== undefined) this.#fresh.push([seconds, share])
  }

  #isSameBin(seconds: number, others: number): boolean {
    const bin = (at: number): number => Math.floor((1000 * at) / this.#binMs)
    return bin(seconds) === bin(others)
  }

  /** Makes room for this time. */
  #bin(ms: number): number {
    const since = Math.max(0, ms - this.#startMs)
    while (since >= 2 * binCount * this.#binMs) this.#mergeBins()
    const bin = Math.floor(since / this.#binMs)
    for (const counts of Object.values(this.#course)) while (counts.length <= bin) counts.push(0)
    return bin
  }

  #mergeBins(): void {
    this.#binMs *= 2
    for (const counts of Object.values(this.#course)) {
      const merged = inPairs(counts)
      counts.length = 0
      counts.push(...merged)
    }
    const all = this.#fresh
    this.#fresh = all.filter(([seconds], i) => i === 0 || !this.#isSameBin(all[i - 1][0], seconds))
  }

  /** Undefined if the crawl fetched every page once. */
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
      if (!isAnswer(look)) continue
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
