/**
 * The pages on which Kendall's tau is estimated: those with the smallest h(id, 5), ties by id
 * (docs/semantics.md S25). They depend on the ids alone, so every strategy and every implementation uses the
 * same pages.
 *
 * Two passes over the hashes: the first counts them by their upper half, which bounds the range of the
 * second.
 */
import { hashId } from '../../lib/hash.ts'

const salt = 5

export const sampleSize = 5000

/** Page numbers, ascending; all pages if there are no more than `size`. */
export function samplePages(pages: number, idOf: (page: number) => number, size = sampleSize): Uint32Array {
  if (pages <= size) return Uint32Array.from({ length: pages }, (_, page) => page)

  const counts = new Uint32Array(0x1_0000)
  for (let page = 0; page < pages; page++) counts[hashId(idOf(page), salt) >>> 16]++
  let last = 0
  for (let within = counts[0]; within < size; within += counts[last]) last++

  const candidates: { hash: number; id: number; page: number }[] = []
  for (let page = 0; page < pages; page++) {
    const id = idOf(page)
    const hash = hashId(id, salt)
    if (hash >>> 16 <= last) candidates.push({ hash, id, page })
  }
  candidates.sort((a, b) => a.hash - b.hash || a.id - b.id)
  return Uint32Array.from(candidates.slice(0, size), ({ page }) => page).sort()
}
