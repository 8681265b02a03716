/**
 * What a page says about the topic of a crawl, as numbers: the world makes them of its words, so that an ordering can follow them and
 * the engine still knows no text. They are part of the fact that the page came.
 */
export interface Reading {
  /** How much the page is about the topic: IS(P, Q), or what a scorer of the user's gave it. */
  readonly relevance: number
  /** Is it what the crawl looks for? */
  readonly isHot: boolean
  /** Of each link, in their order, how alike its anchor is to the topic: IS(A, Q). Links beyond the last have no anchor. */
  readonly similarity: Float32Array
  /** 1: the link's anchor or URL has a word of the topic. */
  readonly mentions: Uint8Array
  /** The words of link i's anchor and URL as numbers below 2^16: `clues[ends[i - 1]] … clues[ends[i] - 1]`. */
  readonly ends: Uint32Array
  readonly clues: Uint16Array
}

/** Of a page without words. */
export const emptyReading: Reading = {
  relevance: 0,
  isHot: false,
  similarity: new Float32Array(0),
  mentions: new Uint8Array(0),
  ends: new Uint32Array(0),
  clues: new Uint16Array(0),
}

/** The reading without these links, given by their rising places. */
export function readingWithout(reading: Reading, links: readonly number[]): Reading {
  const { similarity, mentions, ends, clues } = reading
  const gone = new Set(links)
  const kept = [...ends.keys()].filter((link) => !gone.has(link))
  const words: number[] = []
  const endsKept = kept.map((link) => {
    words.push(...clues.subarray(link === 0 ? 0 : ends[link - 1], ends[link]))
    return words.length
  })
  return {
    ...reading,
    similarity: Float32Array.from(kept, (link) => similarity[link]),
    mentions: Uint8Array.from(kept, (link) => mentions[link]),
    ends: Uint32Array.from(endsKept),
    clues: Uint16Array.from(words),
  }
}
