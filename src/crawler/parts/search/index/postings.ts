/**
 * The postings of a term in one segment: the documents that have it, how often in title and in text, and at
 * which positions. As varints; most documents have a term once and in the text, which takes no count:
 *
 *   documents   per document: 2 × gap to the one before + 1 if counts follow · 2 × count in the text, or
 *               2 × count in the title + 1 and the count in the text
 *   positions   per document and field: gaps between the positions
 */
import type { ByteReader } from '../../../../lib/byte-reader.ts'
import type { ByteWriter } from '../../../../lib/byte-writer.ts'
import { GrowingUint32 } from '../../../../lib/growing-array.ts'

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

  writeDocuments(into: ByteWriter): void {
    let before = -1
    for (let i = 0; i < this.count; i++) {
      const document = this.documents.array[i]
      const title = this.titleCounts.array[i]
      const text = this.textCounts.array[i]
      const isOnce = title === 0 && text === 1
      into.varint(2 * (document - before - 1) + (isOnce ? 0 : 1))
      before = document
      if (isOnce) continue
      if (title > 0) into.varint(2 * title + 1)
      into.varint(title > 0 ? text : 2 * text)
    }
  }

  writePositions(into: ByteWriter): void {
    let at = 0
    const writeField = (count: number): void => {
      let before = -1
      for (const end = at + count; at < end; at++) {
        into.varint(this.positions.array[at] - before - 1)
        before = this.positions.array[at]
      }
    }
    for (let i = 0; i < this.count; i++) {
      writeField(this.titleCounts.array[i])
      writeField(this.textCounts.array[i])
    }
  }

  readDocuments(from: ByteReader): void {
    this.clear()
    for (let document = -1; !from.isAtEnd;) {
      const gap = from.varint()
      document += Math.floor(gap / 2) + 1
      if (gap % 2 === 0) this.add(document, 0, 1)
      else {
        const count = from.varint()
        if (count % 2 === 0) this.add(document, 0, count / 2)
        else this.add(document, (count - 1) / 2, from.varint())
      }
    }
  }

  /** Of the documents that were read. */
  readPositions(from: ByteReader): void {
    const readField = (count: number): void => {
      let before = -1
      for (let left = count; left > 0; left--) this.addPosition((before += from.varint() + 1))
    }
    for (let i = 0; i < this.count; i++) {
      readField(this.titleCounts.array[i])
      readField(this.textCounts.array[i])
    }
  }
}
