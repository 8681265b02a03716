/**
 * Passes a fetched page to trap detection, with the data in the tables of the crawl; for a session and for a
 * resume.
 */
import type { TrapWatch } from '../../../web/traps/trap-watch.ts'
import type { PageTable } from '../../world/page-table.ts'

export interface TrapNote {
  readonly links: Uint32Array
  readonly linkCount: number
  /** Pages from this number on were found on it. */
  readonly knownBefore: number
  readonly isCopy: boolean
  readonly isSameText: boolean
  readonly isAlike: boolean
  /** The page that it duplicates; -1 if none. */
  readonly original: number
  /** A word of the fingerprint of its text, and one of its shape: its text without digits. */
  readonly text: number
  readonly shape: number
  /**
   * Whether it has enough text to be compared, digits included, and is no duplicate or near-duplicate of an earlier page.
   * Its numbers are then content: another page with the same shape does not make it a repetition.
   */
  readonly isDistinct: boolean
}

export function noteForTraps(traps: TrapWatch, pages: PageTable, page: number, note: TrapNote): void {
  const { url, parent = -1 } = pages.found(page)
  const grandparent = parent < 0 ? -1 : (pages.found(parent).parent ?? -1)
  const original = note.original < 0 ? undefined : pages.url(note.original)
  const shape = note.isDistinct ? 0 : note.shape
  traps.fetched(page, url, { ...note, shape, original, ancestors: [parent, grandparent] })
}
