/**
 * Collects the words of documents until they are written as a segment. Each word of a text takes six bytes:
 * the number of its term and of its document. Sorting them by term, which keeps their order otherwise, gives
 * the postings. The limits bound the memory to about 100 MB.
 */
import type { FileEnd } from './index-file.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { GrowingUint16, GrowingUint32 } from '../../../../lib/growing-array.ts'
import { GrowingDocuments, type DocumentRow } from './documents.ts'
import { Postings } from './postings.ts'
import { SegmentWriter } from './segment-writer.ts'

export interface BuilderLimits {
  readonly tokens: number
  readonly terms: number
}

const defaultLimits: BuilderLimits = { tokens: 4_000_000, terms: 300_000 }
const documentsMax = 65_536
/** Number of terms between yields to other work. */
const termsAtOnce = 2048
/** Longer words may be slices that keep the whole text of their page in memory. */
const slicedFrom = 13

export interface DocumentWords {
  readonly title: readonly string[]
  readonly text: readonly string[]
}

export class SegmentBuilder {
  readonly #limits: BuilderLimits
  readonly #terms = new Map<string, number>()
  /** By term: 1 + the number of the field, of all fields of all documents, that had it last. */
  readonly #lastField = new GrowingUint32()
  readonly #termOf = new GrowingUint32()
  readonly #documentOf = new GrowingUint16()
  readonly #documents = new GrowingDocuments()
  #tokens = 0
  #fields = 0

  constructor(limits: BuilderLimits = defaultLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#documents.count
  }

  get isFull(): boolean {
    const { tokens, terms } = this.#limits
    return this.#tokens >= tokens || this.#terms.size >= terms || this.count >= documentsMax
  }

  add(
    row: Omit<DocumentRow, 'titleTokens' | 'textTokens' | 'titleWords' | 'textWords'>,
    { title, text }: DocumentWords,
  ): void {
    const titleWords = this.#addField(title)
    const textWords = this.#addField(text)
    const counts = { titleTokens: title.length, textTokens: text.length, titleWords, textWords }
    this.#documents.add({ ...row, ...counts })
  }

  /** Returns the number of distinct words. */
  #addField(words: readonly string[]): number {
    const field = ++this.#fields
    const start = this.#tokens
    this.#tokens += words.length
    this.#termOf.ensure(this.#tokens)
    this.#documentOf.ensure(this.#tokens)
    const termOf = this.#termOf.array
    const documentOf = this.#documentOf.array
    let distinct = 0
    for (let i = 0; i < words.length; i++) {
      const term = this.#terms.get(words[i]) ?? this.#newTerm(words[i])
      if (this.#lastField.array[term] !== field) {
        this.#lastField.array[term] = field
        distinct++
      }
      termOf[start + i] = term
      documentOf[start + i] = this.count
    }
    return distinct
  }

  #newTerm(word: string): number {
    const term = this.#terms.size
    this.#terms.set(word.length < slicedFrom ? word : Buffer.from(word).toString(), term)
    this.#lastField.ensure(term)
    return term
  }

  /** Writes the segment. */
  async write(path: string): Promise<FileEnd> {
    const documents = this.#documents.view()
    const { starts, order } = this.#sorted()
    const terms = Array.from(this.#terms, ([word, term]) => ({ bytes: Buffer.from(word), term }))
    terms.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    const fields = this.#fieldStarts()
    const postings = new Postings()
    const writer = new SegmentWriter(path, documents)
    try {
      for (const [i, { bytes, term }] of terms.entries()) {
        if (i % termsAtOnce === 0) await turn()
        this.#gather(order, starts[term], starts[term + 1], fields, postings)
        writer.add(bytes, postings)
      }
      return writer.finish()
    } catch (error) {
      writer.abandon()
      throw error
    }
  }

  /** The places of all tokens by term, and where each term's begin. */
  #sorted(): { readonly starts: Uint32Array; readonly order: Uint32Array } {
    const termOf = this.#termOf.array
    const starts = new Uint32Array(this.#terms.size + 1)
    for (let i = 0; i < this.#tokens; i++) starts[termOf[i] + 1]++
    for (let term = 1; term < starts.length; term++) starts[term] += starts[term - 1]
    const next = starts.slice()
    const order = new Uint32Array(this.#tokens)
    for (let i = 0; i < this.#tokens; i++) order[next[termOf[i]]++] = i
    return { starts, order }
  }

  /** The first token of each document's title and text: two numbers per document. */
  #fieldStarts(): Uint32Array {
    const { count, titleTokens, textTokens } = this.#documents.view()
    const starts = new Uint32Array(2 * count + 1)
    for (let i = 0; i < count; i++) {
      starts[2 * i + 1] = starts[2 * i] + titleTokens[i]
      starts[2 * i + 2] = starts[2 * i + 1] + textTokens[i]
    }
    return starts
  }

  #gather(order: Uint32Array, from: number, to: number, fields: Uint32Array, postings: Postings): void {
    const documentOf = this.#documentOf.array
    postings.clear()
    for (let start = from, end = from; start < to; start = end) {
      const document = documentOf[order[start]]
      const textStart = fields[2 * document + 1]
      let titleCount = 0
      while (end < to && documentOf[order[end]] === document) if (order[end++] < textStart) titleCount++
      postings.add(document, titleCount, end - start - titleCount)
      for (let i = start; i < end; i++) {
        const token = order[i]
        postings.addPosition(token - (token < textStart ? fields[2 * document] : textStart))
      }
    }
  }
}
