/**
 * The postings of a term in one segment: the documents that have it, how often in title and in text, and at
 * which positions. As bits:
 *
 *   documents   per document: gap to the one before (Rice) · in the title? (1) · in the text? (1, if in the
 *               title) · counts (gamma)
 *   positions   per document and field: the positions (interpolative, below the field's number of words)
 *
 * A posting takes about 7 bits without its positions, and a position about 8.
 */
import { GrowingUint32 } from '../../../../lib/growing-array.ts'
import type { BitReader, BitWriter } from './bits.ts'

/** Number of words, title and text, of each document of a segment. */
export interface FieldLengths {
  readonly titleTokens: Uint32Array
  readonly textTokens: Uint32Array
}

/** Postings in memory. Reused from term to term. */
export class Postings {
  readonly documents = new GrowingUint32()
  readonly titleCounts = new GrowingUint32()
  readonly textCounts = new GrowingUint32()
  /** Of each document in order: those in the title, then those in the text. */
  readonly positions = new GrowingUint32()
  count = 0
  positionCount = 0

  clear(): void {
    this.count = 0
    this.positionCount = 0
  }

  /** Adds a document, which is greater than those before; its positions follow. */
  add(document: number, titleCount: number, textCount: number): void {
    const at = this.count++
    this.documents.ensure(at)
    this.titleCounts.ensure(at)
    this.textCounts.ensure(at)
    this.documents.array[at] = document
    this.titleCounts.array[at] = titleCount
    this.textCounts.array[at] = textCount
    this.positions.ensure(this.positionCount + titleCount + textCount)
  }

  addPosition(position: number): void {
    this.positions.ensure(this.positionCount)
    this.positions.array[this.positionCount++] = position
  }
}

/** The Rice parameter for this many documents of all. */
function gapBits(count: number, documents: number): number {
  const gap = (0.69 * documents) / count
  return gap < 2 ? 0 : Math.floor(Math.log2(gap))
}

const inTextOnly = 0
const inTitle = 1

export function writeDocuments(postings: Postings, documents: number, into: BitWriter): void {
  const k = gapBits(postings.count, documents)
  let before = -1
  for (let i = 0; i < postings.count; i++) {
    const document = postings.documents.array[i]
    const title = postings.titleCounts.array[i]
    const text = postings.textCounts.array[i]
    into.rice(document - before - 1, k)
    before = document
    if (title === 0) into.write(inTextOnly, 1)
    else {
      into.write(inTitle, 1)
      into.gamma(title)
      into.write(text > 0 ? 1 : 0, 1)
    }
    if (text > 0) into.gamma(text)
  }
}

export function writePositions(postings: Postings, lengths: FieldLengths, into: BitWriter): void {
  let at = 0
  const { array } = postings.positions
  for (let i = 0; i < postings.count; i++) {
    const document = postings.documents.array[i]
    const textStart = at + postings.titleCounts.array[i]
    const end = textStart + postings.textCounts.array[i]
    into.interpolative(array, at, textStart, 0, lengths.titleTokens[document] - 1)
    into.interpolative(array, textStart, end, 0, lengths.textTokens[document] - 1)
    at = end
  }
}

/** `count` documents of a segment with `documents`. */
export function readDocuments(from: BitReader, count: number, documents: number, into: Postings): void {
  const k = gapBits(count, documents)
  let before = -1
  into.clear()
  for (let i = 0; i < count; i++) {
    const document = before + 1 + from.rice(k)
    before = document
    let title = 0
    let hasText = 1
    if (from.read(1) === inTitle) {
      title = from.gamma()
      hasText = from.read(1)
    }
    into.add(document, title, hasText === 1 ? from.gamma() : 0)
  }
}

/** The positions of documents that were read. */
export function readPositions(from: BitReader, lengths: FieldLengths, into: Postings): void {
  let at = 0
  for (let i = 0; i < into.count; i++) {
    const document = into.documents.array[i]
    const textStart = at + into.titleCounts.array[i]
    const end = textStart + into.textCounts.array[i]
    into.positions.ensure(end)
    const { array } = into.positions
    from.interpolative(array, at, textStart, 0, lengths.titleTokens[document] - 1)
    from.interpolative(array, textStart, end, 0, lengths.textTokens[document] - 1)
    at = end
  }
  into.positionCount = at
}
