/**
 * Computes the relevance that the engine receives from the digest of a page: its similarity to the topic,
 * IS'(P, Q), with the idf of the pages fetched so far, whether it is hot, and IS'(A, Q) of each link. The
 * same in both worlds.
 */
import type { Reading } from '../../engine/reading.ts'
import { cellOf } from './cells.ts'
import type { DocumentFrequencies } from './document-frequencies.ts'
import type { PageDigest } from './page-digest.ts'
import type { Measured, TextField } from './text-rule.ts'
import type { Topic } from './topic.ts'

export class TopicReader {
  readonly #topic: Topic
  readonly #frequencies: DocumentFrequencies
  readonly #cells: Uint16Array

  constructor(topic: Topic, frequencies: DocumentFrequencies) {
    this.#topic = topic
    this.#frequencies = frequencies
    this.#cells = Uint16Array.from(topic.watched, (word) => cellOf(word))
  }

  /** A page was fetched. `scored`: the score of the user's scorer, used instead of its similarity. */
  read(digest: PageDigest, scored?: number): Reading {
    this.#frequencies.add(digest.cells)
    const relevance = scored ?? this.likeness(digest)
    const { mentions, ends, clues } = digest
    return {
      relevance,
      isHot: this.#isHot(digest, relevance),
      similarity: this.#anchorLikeness(digest),
      mentions,
      ends,
      clues,
    }
  }

  /** IS(P, Q) with the current frequencies. */
  likeness({ title, body, cells, counts }: PageDigest): number {
    const { queryCounts, titleWeight, likeness } = this.#topic
    let product = 0
    let query = 0
    for (let i = 0; i < queryCounts.length; i++) {
      if (queryCounts[i] === 0) continue
      const idf = this.#frequencies.idf(this.#cells[i])
      product += (body[i] + titleWeight * title[i]) * idf * (queryCounts[i] * idf)
      query += (queryCounts[i] * idf) ** 2
    }
    if (likeness === 'inner' || product === 0) return product
    let page = 0
    for (let i = 0; i < cells.length; i++) page += (counts[i] * this.#frequencies.idf(cells[i])) ** 2
    return product / Math.sqrt(page * query)
  }

  #isHot(digest: PageDigest, relevance: number): boolean {
    const topic = this.#topic
    return topic.rule.isHot((of: Measured) => {
      if (of.field === undefined) return of.metric === 'similarity' || of.metric === 'score' ? relevance : 0
      return countIn(digest, of.field, topic.indexOf(topic.wordOf(of.word)))
    })
  }

  #anchorLikeness({ ends, anchorWords, clues }: PageDigest): Float32Array {
    const { queryCounts } = this.#topic
    const likeness = new Float32Array(ends.length)
    let query = 0
    for (let i = 0; i < queryCounts.length; i++)
      query += (queryCounts[i] * this.#frequencies.idf(this.#cells[i])) ** 2
    for (let link = 0, start = 0; link < ends.length; start = ends[link++]) {
      const anchor = clues.subarray(start, start + anchorWords[link])
      likeness[link] = query === 0 ? 0 : this.#cosine(anchor, Math.sqrt(query))
    }
    return likeness
  }

  /** Similarity of a few words to the query. Repeated words count each time. */
  #cosine(anchor: Uint16Array, queryLength: number): number {
    const { queryCounts } = this.#topic
    let product = 0
    for (let i = 0; i < queryCounts.length; i++) {
      if (queryCounts[i] === 0) continue
      let count = 0
      for (const cell of anchor) if (cell === this.#cells[i]) count++
      product += count * queryCounts[i] * this.#frequencies.idf(this.#cells[i]) ** 2
    }
    if (product === 0) return 0
    let square = 0
    for (let i = 0; i < anchor.length; i++) {
      if (anchor.indexOf(anchor[i]) < i) continue
      let count = 0
      for (const cell of anchor) if (cell === anchor[i]) count++
      square += (count * this.#frequencies.idf(anchor[i])) ** 2
    }
    return product / (Math.sqrt(square) * queryLength)
  }
}

/** Number of occurrences of a watched word in a field; 0 for other words. */
export function countIn(digest: Pick<PageDigest, TextField>, field: TextField, index: number): number {
  return index < 0 ? 0 : digest[field][index]
}
