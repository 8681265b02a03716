/** Loads the readers of parts that a fetch thread uses. */
import { allParts } from './all-parts.ts'
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
