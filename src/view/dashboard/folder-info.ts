/** What a crawl is, by its folder and its settings. */
import { basename, resolve } from 'node:path'
import { shownSettings } from '../../crawler/session/crawl-control.ts'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { isArchived } from '../../crawler/parts/all-parts.ts'
import type { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import { findEntry } from '../../engine/strategies/index.ts'
import { budgetsOf } from './control-requests.ts'
import type { SourceInfo } from './crawl-source.ts'

const seedsShown = 20

/** The part of the information that follows from settings. */
type SettingsInfo = Pick<SourceInfo, 'strategy' | 'seeds' | 'seedCount' | 'budgets' | 'settings'>

export function settingsInfo(settings: CrawlSettings): SettingsInfo {
  const { strategy, seeds } = settings
  // Seeds may be very many.
  const { seeds: _, ...shown } = shownSettings(settings) as Record<string, unknown>
  return {
    strategy: { name: strategy, about: findEntry(strategy)?.about },
    seeds: seeds.slice(0, seedsShown),
    seedCount: seeds.length,
    budgets: budgetsOf(settings),
    settings: shown,
  }
}

/** Settings of parts, which may be missing. */
interface PartSettings {
  readonly traps?: boolean | undefined
  readonly nearDuplicates?: number | undefined
  readonly topic?: unknown
}

export function shownParts({ traps, nearDuplicates }: PartSettings): {
  traps: boolean
  nearDuplicates: boolean
} {
  return { traps: traps === true, nearDuplicates: nearDuplicates !== undefined }
}

export function folderInfo(
  folder: CrawlFolder,
  settings: CrawlSettings,
  progress: CrawlProgress | undefined,
): SettingsInfo & Pick<SourceInfo, 'name' | 'startedAtMs' | 'has'> {
  const { topic }: PartSettings = settings
  return {
    ...settingsInfo(settings),
    name: basename(resolve(folder.path)),
    startedAtMs: Date.parse(folder.file.startedAt),
    has: {
      guarantee: progress?.guaranteed !== undefined,
      record: true,
      archive: isArchived(settings),
      freshness: settings.recrawl !== undefined,
      cluster: false,
      topic: topic !== undefined,
      ...shownParts(settings),
    },
  }
}
