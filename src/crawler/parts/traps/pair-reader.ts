/** Counts the pairs of words that are new to a page's site, in a fetch thread. Each site has one. */
import { fingerprint } from '../../../lib/fingerprint.ts'
import { FreshPairs } from '../../../web/traps/fresh-pairs.ts'
import { hostIn } from '../../../web/traps/page-kind.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { PartReader } from '../part-reader.ts'

export function makeReader(): PartReader {
  const counter = new FreshPairs()
  const words = new Uint32Array(2)
  const read = (url: string, bytes: Uint8Array, ranges: Int32Array, length: number): Partial<FetchResult> => {
    fingerprint(hostIn(url), words, 0)
    counter.read(bytes, ranges, length, words[0])
    return { pairs: counter.pairs, freshPairs: counter.fresh }
  }
  return {
    page: ({ url, source, marks }) => read(url, source.bytes, marks.texts, marks.textsLength),
    plainText: ({ url, body }) => read(url, body, Int32Array.of(0, body.length), 2),
  }
}
