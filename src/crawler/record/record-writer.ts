/**
 * Write access to the record of a crawl: records are collected in an open group, which is closed and then
 * committed to the log. Records that are not durable yet are read from memory.
 *
 *   put, put, … ──▶ open group ──closeGroup──▶ closed group ──commit──▶ durable
 *
 * Invariant: a record is in the log if and only if all facts before it are.
 */
import { CrawlRecord } from './crawl-record.ts'
import { PendingFound, type FoundRecord } from './found-record.ts'
import {
  GroupEncoder,
  type GroupBytes,
  type SectionName,
  type WarcEnds,
  type RobotsRecord,
  type SettingsSince,
  type Entry,
  type ReplacedSection,
} from './group.ts'
import { isAnswer, isNewVersion, type LookRecord } from './look-record.ts'
import type { OutcomeRecord, WarcPlace } from './outcome-record.ts'
import { RecordIndex } from './record-index.ts'
import type { SegmentLog } from './segment-log.ts'

/** Records of pages, in order. A page may have several. */
class PendingRecords<Record> {
  readonly all: [page: number, record: Record][] = []
  readonly #newest = new Map<number, number>()

  add(page: number, record: Record): void {
    this.#newest.set(page, this.all.length)
    this.all.push([page, record])
  }

  /** The newest of a page. */
  of(page: number): Record | undefined {
    const at = this.#newest.get(page)
    return at === undefined ? undefined : this.all[at][1]
  }

  /** Completes the newest of a page. False: it has none. */
  complete(page: number, part: Partial<Record>): boolean {
    const at = this.#newest.get(page)
    if (at === undefined) return false
    this.all[at] = [page, { ...this.all[at][1], ...part }]
    return true
  }
}

/** Records of a group that is not committed. */
class PendingGroup {
  readonly found: PendingFound
  readonly outcomes = new PendingRecords<OutcomeRecord>()
  readonly looks = new PendingRecords<LookRecord>()
  readonly sites: string[] = []
  readonly robots = new Map<string, RobotsRecord>()
  /** Of parts. */
  readonly entries = new Map<SectionName, Entry[]>()
  /** Whether an entry must be written although no fact goes with it. */
  hasNews = false
  /** In the order of the changes. */
  readonly settings: SettingsSince[] = []

  constructor(found = new PendingFound()) {
    this.found = found
  }
}

type GroupParts = [
  facts: Uint8Array,
  warcEnds: ReadonlyMap<number, WarcEnds>,
  counts: object,
  progress?: object | undefined,
]

export class RecordWriter {
  /** The durable part. */
  readonly record: CrawlRecord
  readonly #log: SegmentLog
  /** Of all groups in the log. */
  readonly index: RecordIndex
  #open = new PendingGroup()
  #underWay: PendingGroup | undefined
  readonly #encoder = new GroupEncoder()
  /** Memory for the discoveries of the next group. */
  #spare: PendingFound | undefined
  readonly #nameOf = (site: number): string => this.siteName(site)

  /** `log` must be claimed. Groups that `index` does not contain must be replayed before anything is put. */
  constructor(log: SegmentLog, index = new RecordIndex()) {
    this.#log = log
    this.index = index
    this.record = new CrawlRecord(log.files, index)
  }

  /** The groups that the index does not contain yet, in order; each is added to the index first. */
  groupsToReplay(): AsyncGenerator<GroupBytes> {
    return this.record.taken(this.#log.read(this.index.last))
  }

  putFound(page: number, record: FoundRecord): void {
    this.#open.found.add(page, record, this.siteName(record.site))
  }

  putOutcome(page: number, record: OutcomeRecord): void {
    this.#open.outcomes.add(page, record)
  }

  putLook(page: number, record: LookRecord): void {
    this.#open.looks.add(page, record)
  }

  /** Adds an entry to the section of a part. `isNews`: it is written soon, even if there are no facts. */
  put(section: SectionName, entry: Entry, isNews = false): void {
    const entries = this.#open.entries.get(section)
    if (entries === undefined) this.#open.entries.set(section, [entry])
    else entries.push(entry)
    if (isNews) this.#open.hasNews = true
  }

  /** Sets the section of a part, in place of all before. */
  replace(section: ReplacedSection, entry: Entry): void {
    this.#open.entries.set(section, [entry])
  }

  /** Whether the open group must be written although it has no facts. */
  get hasNews(): boolean {
    return this.#open.hasNews
  }

  /** The name of a site that was put before. */
  siteName(site: number): string {
    const durable = this.index.siteNames
    const name = durable[site]
    if (name !== undefined) return name
    const underWay = this.#underWay?.sites ?? []
    const after = site - durable.length
    return underWay[after] ?? this.#open.sites[after - underWay.length]
  }

  /** Adds the next new site, in order of site numbers. */
  putSite(name: string): void {
    this.#open.sites.push(name)
  }

  /** Records the settings from this moment on. */
  putSettings(settings: object): void {
    this.#open.settings.push({ since: Date.now(), settings })
  }

  writeRobots(origin: string, record: RobotsRecord): void {
    this.#open.robots.set(origin, record)
  }

  readRobots(origin: string): RobotsRecord | undefined {
    return this.#open.robots.get(origin) ?? this.#underWay?.robots.get(origin) ?? this.record.robots(origin)
  }

  found(page: number): FoundRecord {
    return (
      this.#open.found.of(page, this.#nameOf) ??
      this.#underWay?.found.of(page, this.#nameOf) ??
      this.record.found(page)
    )
  }

  outcome(page: number): OutcomeRecord | undefined {
    return this.#open.outcomes.of(page) ?? this.#underWay?.outcomes.of(page) ?? this.record.outcome(page)
  }

  /** The last look at a page. */
  lastLook(page: number): LookRecord | undefined {
    return this.#open.looks.of(page) ?? this.#underWay?.looks.of(page) ?? this.record.lastLook(page)
  }

  /** The last look at a page that got an answer about it. */
  lastAnswer(page: number): LookRecord | undefined {
    for (const group of [this.#open, this.#underWay]) {
      const found = group?.looks.all.findLast(([each, look]) => each === page && isAnswer(look))
      if (found !== undefined) return found[1]
    }
    for (const look of this.record.looks(page)) if (isAnswer(look)) return look
    return undefined
  }

  /** Closes the open group. `commit` then writes it; only one group at a time. */
  closeGroup(): void {
    this.#underWay = this.#open
    this.#open = new PendingGroup(this.#spare)
    this.#spare = undefined
  }

  /** Adds the place in the archive to the outcome and the look that are not committed yet. */
  complete(page: number, warc: WarcPlace): void {
    for (const group of [this.#underWay, this.#open]) {
      const look = group?.looks.of(page)
      if (group === undefined || look?.warc !== undefined) continue
      // A look that found nothing new has no outcome; an earlier outcome of the page keeps its own place.
      const isVersion = look === undefined || isNewVersion(look.verdict)
      const isOutcome = isVersion && group.outcomes.complete(page, { warc })
      if (group.looks.complete(page, { warc }) || isOutcome) return
    }
  }

  /** Writes the closed group; durable when it resolves. It can be read until the next one is encoded. */
  commit(...parts: GroupParts): Promise<GroupBytes> {
    return this.append(this.encode(...parts))
  }

  /** The closed group with these facts, the ends of the WARC files and the counts, as bytes that are valid until the next call. */
  encode(...[facts, warcEnds, counts, progress]: GroupParts): Buffer {
    const group = this.#underWay ?? new PendingGroup()
    return this.#encoder.encode(
      {
        at: Date.now(),
        facts,
        sites: group.sites,
        found: group.found.bytes,
        outcomes: group.outcomes.all,
        looks: group.looks.all,
        robots: group.robots,
        entries: group.entries,
        warcEnds,
        counts,
        progress,
        settings: group.settings,
      },
      (page) => this.index.lastLook(page),
    )
  }

  /** Writes the bytes of the closed group, or of a group that another writer has made. */
  async append(bytes: Uint8Array): Promise<GroupBytes> {
    const place = await this.#log.append(bytes)
    const group = this.record.take({ ...place, number: this.#log.last, writer: '', bytes })
    this.#spare = this.#underWay?.found
    this.#spare?.clear()
    this.#underWay = undefined
    return group
  }

  async close(): Promise<void> {
    await this.#log.close()
  }
}
