/**
 * What an audit needs of a page beside its links, as marks: the names that fragments refer to, and the regions in which links
 * stand. A crawl does not read them.
 */
import { idSlot, nameSlot, type Attributes } from './attributes.ts'
import { ascii } from './bytes.ts'
import { isWord } from './link-words.ts'
import { idMark, regionEndMark, regionMark, type Marks } from './marks.ts'

/** Elements whose links have a place of their own, by the number that the flags of a region mark have. */
export const regionNames = ['header', 'nav', 'main', 'article', 'aside', 'footer'] as const
const regions = regionNames.map(ascii)

export class PageDetails {
  /** A start tag, with its name in this range. */
  opened(
    bytes: Uint8Array,
    start: number,
    end: number,
    { start: from, end: to }: Attributes,
    marks: Marks,
  ): void {
    if (from[idSlot] !== -1) marks.add(idMark, 0, from[idSlot], to[idSlot])
    if (end - start === 1 && from[nameSlot] !== -1) marks.add(idMark, 0, from[nameSlot], to[nameSlot])
    const region = regionOf(bytes, start, end)
    if (region >= 0) marks.add(regionMark, region, end, end)
  }

  closed(bytes: Uint8Array, start: number, end: number, marks: Marks): void {
    const region = regionOf(bytes, start, end)
    if (region >= 0) marks.add(regionEndMark, region, end, end)
  }
}

function regionOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3 || end - start > 7) return -1
  for (let i = 0; i < regions.length; i++) if (isWord(bytes, start, end, regions[i])) return i
  return -1
}
