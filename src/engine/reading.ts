/**
 * The relevance of a page to the topic of a crawl, as numbers. The world computes them from the page's words,
 * so that a strategy can use them although the engine handles no text. They are part of the `fetched` fact.
 */
export interface Reading {
  /** Relevance of the page to the topic: IS(P, Q), or the score given by the user's scorer. */
  readonly relevance: number
  /** True if the page counts as relevant. */
  readonly isHot: boolean
  /**
   * Similarity of each link's anchor to the topic, in link order: IS(A, Q). Links beyond the last have no
   * anchor.
   */
  readonly similarity: Float32Array
  /** 1 if the anchor or URL of the link has a word of the topic. */
  readonly mentions: Uint8Array
  /** The words of link i's anchor and URL as numbers below 2^16: `clues[ends[i - 1]] … clues[ends[i] - 1]`. */
  readonly ends: Uint32Array
  readonly clues: Uint16Array
}

/** The reading of a page without words. */
export const emptyReading: Reading = {
  relevance: 0,
  isHot: false,
  similarity: new Float32Array(0),
  mentions: new Uint8Array(0),
  ends: new Uint32Array(0),
  clues: new Uint16Array(0),
}

/** Returns the reading without these links, given by their ascending positions. */
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

/** What is recorded of a page's reading. */
export function relevanceOf(
  reading: Reading | undefined,
): { readonly relevance: number; readonly hot: boolean } | undefined {
  return reading && { relevance: Number(reading.relevance.toPrecision(6)), hot: reading.isHot }
}
