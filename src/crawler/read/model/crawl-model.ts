/**
 * A crawl as its record has it: the states and links of pages, the RankMass of each, the figures of hosts. The report reads it
 * once; the dashboard follows it. So both show the same figures.
 *
 * The record is read in one pass, group by group. Readers of the model receive each group after the model: what only one view
 * needs is theirs. About 40 bytes per known page and 4 per link.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { readFacts } from '../../../engine/fact-reader.ts'
import { trustOf } from '../../../engine/mass/mass-walk.ts'
import { noSite } from '../../../engine/world.ts'
import type { CrawlCoverage, CrawlProgress, CrawlTotals } from '../../options/crawl-options.ts'
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { CrawlRecord, resultsOf, type GroupResults } from '../../record/crawl-record.ts'
import { isNewVersion, type LookRecord } from '../../record/look-record.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { WriterLock } from '../../record/writer-lock.ts'
import { coverageOf, type MassParts } from '../held-mass.ts'
import { Hosts } from './hosts.ts'
import { KnownCrawl, knownFacts } from './known-crawl.ts'
import { MassFlow } from './mass-flow.ts'
import { SiteFigures, type HostPages } from './site-figures.ts'

/** Reads what the model does not keep. */
interface ModelReader {
  readonly facts?: Partial<FactListener>
  /** After the facts of the group. */
  readonly results?: (group: GroupResults) => void
}

export class CrawlModel {
  readonly folder: CrawlFolder
  readonly record: CrawlRecord
  readonly known = new KnownCrawl()
  readonly hosts: Hosts
  readonly mass: MassFlow
  readonly sites: SiteFigures
  /** The newest one that was recorded. */
  progress: CrawlProgress | undefined
  readonly #readers: ModelReader[] = []
  readonly #facts: Partial<FactListener>[]
  #hostPages: { readonly group: number; readonly pages: HostPages } | undefined
  #reading: Promise<void> | undefined

  private constructor(folder: CrawlFolder) {
    this.folder = folder
    this.record = CrawlRecord.unread(folder.log, folder.groupsMin)
    this.hosts = new Hosts(this.record)
    this.mass = new MassFlow(this.known, trustOf(folder))
    this.sites = new SiteFigures(this.hosts)
    this.#facts = [knownFacts(this.known), this.mass.facts]
  }

  /** Nothing is read before the first `refresh`, so that readers can be attached. */
  static unread(path: string): CrawlModel {
    return new CrawlModel(CrawlFolder.open(path))
  }

  get asOfMs(): number {
    return this.record.lastAt
  }

  /** Reads the groups that have become durable since. Two calls share one read. */
  async refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** The reader receives all groups so far, and later ones as they are read. */
  async attach(reader: ModelReader): Promise<void> {
    while (this.#reading !== undefined) await this.#reading
    // No group is added while the earlier ones are read again.
    this.#reading = this.#repeat(reader)
      .then(() => this.#add(reader))
      .finally(() => (this.#reading = undefined))
    await this.#reading
  }

  async #repeat({ facts, results }: ModelReader): Promise<void> {
    if (results === undefined) await this.record.replay(facts ?? {})
    else
      for await (const group of this.record.results(0)) {
        if (facts !== undefined) readFacts(group.group.section('facts'), facts)
        results(group)
      }
  }

  #add(reader: ModelReader): void {
    this.#readers.push(reader)
    if (reader.facts !== undefined) this.#facts.push(reader.facts)
  }

  async #read(): Promise<void> {
    for await (const group of this.record.follow()) {
      readFacts(group.section('facts'), ...this.#facts)
      const results = resultsOf(this.record.groups, group)
      eachRequest(results, (page, request) => {
        const host = this.hostOf(page)
        if (host !== noSite) this.sites.requested(host, request)
      })
      this.progress = (group.json('progress') as CrawlProgress | undefined) ?? this.progress
      for (const reader of this.#readers) reader.results?.(results)
    }
  }

  /** Numbers of pages by host and state, counted anew after each group. */
  get hostPages(): HostPages {
    const group = this.record.groups
    if (this.#hostPages?.group !== group)
      this.#hostPages = { group, pages: this.sites.counted(this.known.pages) }
    return this.#hostPages.pages
  }

  /** `noSite` for the page that stands for the outside. */
  hostOf(page: number): number {
    return this.hosts.of(this.known.pages.siteOf(page))
  }

  /** Whether any process runs the crawl now, and the totals of its last session, if it has ended. */
  state(): { readonly isRunning: boolean; readonly ended: CrawlTotals | undefined } {
    // The lock comes first: a session that ends in between has its totals in crawl.json.
    const isRunning = WriterLock.runningIn(this.folder.record) !== undefined
    return { isRunning, ended: isRunning ? undefined : CrawlFolder.open(this.folder.path).file.totals }
  }

  /** Where the importance is: as the end of the crawl stated it; computed if it runs or was interrupted. */
  coverage(ended: CrawlTotals | undefined, parts: MassParts): CrawlCoverage {
    return ended?.coverage ?? coverageOf(parts, this.progress?.guaranteed)
  }

  close(): void {
    this.record.close()
  }
}

/** Calls `met` for the requests for pages in a group: a look that found no new version has no outcome. */
export function eachRequest(
  { outcomes, looks }: GroupResults,
  met: (page: number, request: OutcomeRecord | LookRecord) => void,
): void {
  for (const [page, outcome] of outcomes) if (outcome.order !== 0) met(page, outcome)
  for (const [page, look] of looks) if (!isNewVersion(look.verdict) && look.status > 0) met(page, look)
}
