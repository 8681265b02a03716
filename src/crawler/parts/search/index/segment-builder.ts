/**
 * Collects the words of documents until they are written as a segment. Each word of a text takes six bytes:
 * the number of its term and of its document. Sorting them by term, which keeps their order otherwise, gives
 * the postings. The limits bound the memory to about 100 MB.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { GrowingUint16, GrowingUint32 } from '../../../../lib/growing-array.ts'
import { GrowingColumns } from '../columns.ts'
import { Postings } from './postings.ts'
import { documentColumns, writeSegment, type SegmentEnd } from './segment.ts'

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

/** A version of a page: its position in the archive, its kind and its words. */
interface Document extends Readonly<
  Record<Exclude<keyof typeof documentColumns, 'titleWords' | 'textWords'>, number>
> {
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
  readonly #documents = new GrowingColumns(documentColumns)
  /** The first token of each document's title and text: two numbers per document. */
  readonly #fieldStarts = new GrowingUint32()
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

  add({ title, text, ...version }: Document): void {
    const titleWords = this.#addField(title)
    const textWords = this.#addField(text)
    this.#documents.add({ ...version, titleWords, textWords })
  }

  /** Returns the number of distinct words. */
  #addField(words: readonly string[]): number {
    const start = this.#tokens
    this.#fieldStarts.ensure(this.#fields)
    this.#fieldStarts.array[this.#fields] = start
    const field = ++this.#fields
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

  write(path: string): Promise<SegmentEnd> {
    const { starts, order } = this.#sorted()
    const postings = new Postings()
    return writeSegment(path, this.#documents, async (add) => {
      let done = 0
      for (const word of [...this.#terms.keys()].sort()) {
        if (done++ % termsAtOnce === 0) await turn()
        const term = this.#terms.get(word)!
        this.#gather(order.subarray(starts[term], starts[term + 1]), postings)
        add(word, postings)
      }
    })
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

  /** The postings of a term from the places of its tokens. */
  #gather(tokens: Uint32Array, postings: Postings): void {
    const documentOf = this.#documentOf.array
    const fieldStarts = this.#fieldStarts.array
    postings.clear()
    for (let start = 0, end = 0; start < tokens.length; start = end) {
      const document = documentOf[tokens[start]]
      const titleStart = fieldStarts[2 * document]
      const textStart = fieldStarts[2 * document + 1]
      let titleCount = 0
      while (end < tokens.length && documentOf[tokens[end]] === document)
        if (tokens[end++] < textStart) titleCount++
      postings.add(document, titleCount, end - start - titleCount)
      for (let i = start; i < end; i++)
        postings.addPosition(tokens[i] - (tokens[i] < textStart ? titleStart : textStart))
    }
  }
}
