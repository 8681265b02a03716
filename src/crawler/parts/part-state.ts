/** What a part remembers. */
import type { Engine } from '../../engine/engine.ts'
import type { FactListener } from '../../engine/fact.ts'
import type { Stateful } from '../../lib/state.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { SectionName } from '../record/group.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { PageTable } from '../world/page-table.ts'
import type { SiteTable } from '../world/site-table.ts'

/** A crawl before its record is replayed. */
export interface RememberedCrawl {
  readonly settings: CrawlSettings
  readonly record: RecordWriter
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly engine: Engine
}

/** What a part remembers between two facts. It changes by facts and by its section of the record alone, so that a replay restores it. */
export interface PartState extends Stateful {
  /** A page was found, also in a replay. */
  discovered?(page: number, url: string, isSeed: boolean): void
  /** Recorded facts, each before the engine gets it. */
  readonly facts?: Partial<FactListener> | undefined
  /** Its section of a group, and how that is replayed after the facts of the group. */
  readonly section?: SectionName | undefined
  replay?(section: Uint8Array): void
  /** The record has been replayed to its end. */
  restored?(): void
  /** Memory of its tables, for measurements. */
  readonly byteLength?: number | undefined
}
