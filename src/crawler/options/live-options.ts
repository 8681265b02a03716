/** The options that may be changed while a crawl runs, as their rows say. */
import { ValueError, type NumberRange, type ValueKind } from '../../lib/value-kinds.ts'
import type { CrawlSettings } from './crawl-settings.ts'
import type { LiveOption } from './option-row.ts'
import { libraryRows } from './option-table.ts'
import type { politenessRows } from './request-options.ts'
import type { againRows } from './running-options.ts'
import type { stopRows } from './scope-options.ts'

type LiveRows = typeof stopRows & typeof politenessRows & typeof againRows
export type LiveName = {
  [Name in keyof LiveRows]: LiveRows[Name] extends { readonly live: object } ? Name : never
}[keyof LiveRows]

/** Omitted values stay as they are; `null` removes a budget. */
export type SettingsChange = { readonly [Name in LiveName]?: number | null | undefined }

interface LiveRow {
  readonly live: LiveOption
  readonly kind: ValueKind<number> & { readonly range: NumberRange }
}

/** By name in the library. */
export const liveOptions: ReadonlyMap<LiveName, LiveRow> = new Map(
  [...libraryRows].filter(([, row]) => row.live !== undefined) as unknown as [LiveName, LiveRow][],
)

/** Undefined if there is no limit, or if the crawl cannot have the option. */
export function liveValue(settings: CrawlSettings, name: LiveName): number | undefined {
  const { of } = liveOptions.get(name)!.live
  return of === undefined
    ? (settings[name as keyof CrawlSettings] as number | undefined)
    : of(settings as never)
}

/** The value of a change; undefined if the option does not accept it. */
export function readLive(name: LiveName, value: unknown): number | null | undefined {
  const { live, kind } = liveOptions.get(name)!
  if (value === null && live.unlimited !== undefined) return null
  if (typeof value !== 'number') return undefined
  try {
    return kind.read(String(value))
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}
