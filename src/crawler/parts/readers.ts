/** Loads the readers of parts that a fetch thread uses, and its archive. */
import type { OpenArchive } from '../fetch/archive.ts'
import type { ThreadSettings } from '../world/messages.ts'
import { allParts, archiving } from './all-parts.ts'
import type { PartReader } from './part.ts'

/** `settings`: those of each reader, by part. */
export async function loadReaders(settings: Readonly<Record<string, unknown>> = {}): Promise<PartReader[]> {
  const readers: PartReader[] = []
  for (const part of allParts) {
    const wanted = settings[part.name]
    if (wanted === undefined || part.reader === undefined) continue
    const { makeReader } = await part.reader()
    readers.push(await makeReader(wanted as never))
  }
  return readers
}

/** Undefined if responses are not archived. */
export async function loadArchive(settings: ThreadSettings): Promise<OpenArchive | undefined> {
  if (settings.archive === undefined || archiving === undefined) return undefined
  const { makeArchive } = await archiving.load()
  return (onBroken) => makeArchive(settings.archive as never, settings, onBroken)
}
