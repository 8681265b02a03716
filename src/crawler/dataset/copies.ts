/** Finds documents with the same or nearly the same text as an earlier one, and says which of them a data set leaves out. */
import { createHash } from 'node:crypto'
import { NearIndex } from '../../web/near/near-index.ts'
import { PageSketcher } from '../../web/near/sketch.ts'
import { WordHashes } from '../../web/text/word-hashes.ts'

export const dedupNames = ['exact', 'near', 'none'] as const
export type Dedup = (typeof dedupNames)[number]

/** The share of shingles that near copies have in common. */
const threshold = 0.8

export interface Copy {
  readonly of: string
  readonly kind: 'duplicate' | 'near-duplicate'
  readonly similarity: number
  readonly isLeftOut: boolean
}

export class Copies {
  readonly #dedup: Dedup
  /** Ids of the first document with a text, by digest. */
  readonly #texts = new Map<string, string>()
  readonly #ids: string[] = []
  readonly #words = new WordHashes()
  readonly #sketcher = new PageSketcher(threshold)
  readonly #index = new NearIndex({ threshold })

  constructor(dedup: Dedup) {
    this.#dedup = dedup
  }

  /** The earlier document that this text is a copy of; otherwise undefined, and the document is remembered. */
  find(id: string, text: string): Copy | undefined {
    const digest = createHash('sha1').update(text.toLowerCase().replace(/\s+/g, ' ')).digest('base64')
    const same = this.#texts.get(digest)
    if (same !== undefined)
      return { of: same, kind: 'duplicate', similarity: 1, isLeftOut: this.#dedup !== 'none' }
    const near = this.#near(id, text)
    this.#texts.set(digest, near?.of ?? id)
    return near
  }

  #near(id: string, text: string): Copy | undefined {
    const bytes = Buffer.from(text)
    const sketch = this.#sketcher.sketch(this.#words.readAll(bytes))
    if (sketch === undefined) return undefined
    const found = this.#index.find(sketch)
    if (found >= 0) {
      const { similarity } = this.#index
      return { of: this.#ids[found], kind: 'near-duplicate', similarity, isLeftOut: this.#dedup === 'near' }
    }
    this.#index.add(this.#ids.push(id) - 1, sketch)
    return undefined
  }
}
