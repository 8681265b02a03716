/**
 * The settings of a crawl at a given time, and how they differ from the initial ones: a resume may change
 * them.
 */
import type { SettingsChange } from '../record/record-index.ts'

export interface SettingsAt {
  /** When the session with these settings began, in ISO form. */
  readonly since: string
  /** Settings that differ from those of the first session, by their names in the library. */
  readonly changed: Readonly<Record<string, unknown>>
}

/** Undefined if the settings at that time, in milliseconds since the epoch, were the initial ones. */
export function settingsAt(sessions: readonly SettingsChange[], atMs: number): SettingsAt | undefined {
  const [first] = sessions
  const session = sessions.findLast(({ since }) => since <= atMs) ?? first
  if (session === undefined || session === first) return undefined
  const before = first.settings as Readonly<Record<string, unknown>>
  const changed = Object.entries(session.settings).filter(
    ([name, value]) =>
      name !== 'scopeChanged' &&
      name !== 'controls' &&
      JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  if (changed.length === 0) return undefined
  return { since: new Date(session.since).toISOString(), changed: Object.fromEntries(changed) }
}
