/** Makes sketches of the texts of pages in a fetch thread. */
import { PageSketcher } from '../../../web/near/sketch.ts'
import type { PartReader } from '../part-reader.ts'

export function makeReader(similarity: number): PartReader {
  const sketcher = new PageSketcher(similarity)
  return {
    readsWords: true,
    page: ({ words }) => ({ sketch: sketcher.sketch(words) }),
  }
}
