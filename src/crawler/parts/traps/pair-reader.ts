/** Counts the pairs of words that are new to a page's site, in a fetch thread. Each site has one. */
import { fingerprint } from '../../../lib/fingerprint.ts'
import { WordHashes } from '../../../web/text/word-hashes.ts'
import { FreshPairs } from '../../../web/traps/fresh-pairs.ts'
import { hostIn } from '../../../web/traps/page-kind.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { PartReader } from '../part-reader.ts'

export function makeReader(): PartReader {
  const counter = new FreshPairs()
  const plainWords = new WordHashes()
  const host = new Uint32Array(2)
  const read = (url: string, words: WordHashes): Partial<FetchResult> => {
    fingerprint(hostIn(url), host, 0)
    counter.read(words, host[0])
    return { pairs: counter.pairs, freshPairs: counter.fresh }
  }
  return {
    readsWords: true,
    page: ({ url, words }) => read(url, words),
    plainText: ({ url, body }) => read(url, plainWords.readAll(body)),
  }
}
